// SPDX-License-Identifier: Apache-2.0
// The context table ([T14] 3.1): base page-table register of each GPU context, sent to an SM at set-up; and what dss
// keeps by context: the budget the OS wrote, and the tokens in use.
#pragma once

#include <vector>

#include "rtl_model/base/clocked_module.h"
#include "rtl_model/base/field.h"
#include "rtl_model/interfaces/pins.h"
#include "rtl_model/params.h"

namespace tessera::rtl_model {

class ContextTable final : public ClockedModule {
 public:
  ContextTable(const sc_core::sc_module_name& name, const Params& params);

  struct Row {
    Field64 page_table;
    bool has_budget = false;  // the OS has written one
    Field32 budget;
    Field32 kernels;              // active ones
    Field32 held;                 // SMs owned by its kernels or reserved for them
    bool has_pool_token = false;  // token_scope: process
  };

  const Row& row(std::uint32_t context) const { return rows_q_[context]; }

  void write_page_table(std::uint32_t context, std::uint64_t value) {
    page_table_write_ = {context, value};
    is_written_ = true;
  }
  void write_budget(std::uint32_t context, std::uint64_t value) {
    budget_write_ = {context, value};
    is_written_ = true;
  }
  void step_held(std::uint32_t context, std::int32_t step) {
    held_steps_.push_back({context, step});
    is_written_ = true;
  }
  void kernel_enters(std::uint32_t context) {
    entered_ = context;
    is_written_ = true;
  }
  void kernel_leaves(std::uint32_t context) {
    left_ = context;
    is_written_ = true;
  }
  void set_pool_token(std::uint32_t context, bool has_it) {
    pool_writes_.push_back({context, has_it ? 1 : 0});
    is_written_ = true;
  }

  void clear_pool_tokens() { clears_pool_tokens_ = is_written_ = true; }

  void seq() override;
  bool is_written() const { return is_written_; }  // the coming edge changes something
  void list_signals(ISignalSink& signals) const override;

 private:
  struct Write {
    std::uint32_t context = kNone;
    std::uint64_t value = 0;
  };
  struct Step {
    std::uint32_t context = 0;
    std::int32_t step = 0;
  };

  std::vector<Row> rows_q_;
  Write page_table_write_, budget_write_;
  std::vector<Step> held_steps_;   // of one cycle: a few
  std::vector<Step> pool_writes_;  // of one cycle: at most one that takes and one that returns
  bool is_written_ = false;
  bool clears_pool_tokens_ = false;
  std::uint32_t entered_ = kNone;
  std::uint32_t left_ = kNone;
};

}  // namespace tessera::rtl_model
