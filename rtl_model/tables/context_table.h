// SPDX-License-Identifier: Apache-2.0
// Per context: registers written by the OS, and the number of active kernels (docs/hardware/timing.md 4.1).
#pragma once

#include <vector>

#include "rtl_model/core_params.h"

namespace tessera::rtl_model {

class ContextTable {
 public:
  struct Row {
    explicit Row(const CoreParams& params)
        : kernels(bits_for_value(params.num_ksrs)),
          budget(CoreParams::kBudgetWidth),
          page_table(CoreParams::kPageTableWidth) {}

    Field32 kernels;  // active kernels
    bool has_budget = false;
    bool is_dealt = false;  // token scope process: its tokens were redistributed since the OS wrote
    Field32 budget;
    Field64 page_table;  // undefined until written
  };

  explicit ContextTable(const CoreParams& params) : rows_q_(params.num_contexts, Row(params)) {}

  const Row& row(std::uint32_t context) const { return rows_q_[context]; }
  const RowSet& active() const { return active_q_; }  // contexts with active kernels

  void kernel_enters(std::uint32_t context) {
    rows_q_[context].kernels.add(1);
    active_q_.set(context);
  }
  void kernel_leaves(std::uint32_t context) {
    rows_q_[context].kernels.add(-1);
    active_q_.set(context, rows_q_[context].kernels != 0);
  }
  void deal(std::uint32_t context) { rows_q_[context].is_dealt = true; }
  void deal_again() {
    for (Row& row : rows_q_) row.is_dealt = false;
  }
  void write_budget(std::uint32_t context, std::uint64_t budget) {
    Row& row = rows_q_.at(context);
    row.has_budget = true;
    row.budget = budget;
    row.is_dealt = false;
  }
  void write_page_table(std::uint32_t context, std::uint64_t page_table) {
    rows_q_.at(context).page_table = page_table;
  }

 private:
  std::vector<Row> rows_q_;
  RowSet active_q_;
};

}  // namespace tessera::rtl_model
