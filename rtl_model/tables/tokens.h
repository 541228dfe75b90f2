// SPDX-License-Identifier: Apache-2.0
// Tokens left, and the pool of tokens beyond equal shares (docs/hardware/timing.md 4.3). A row belongs to a KSR or,
// with token scope process, to a context. Jobs change it in their WRITE; the tokens left are visible two cycles later.
#pragma once

#include <vector>

#include "rtl_model/core_params.h"
#include "rtl_model/tables/context_table.h"

namespace tessera::rtl_model {

class Tokens {
 public:
  // A kernel as seen by a job that acts on its tokens.
  struct Kernel {
    std::uint32_t ksr;
    std::uint32_t context;
    std::uint32_t held;  // SMs held
  };

  Tokens(const CoreParams& params, ContextTable& contexts);

  std::uint32_t row_of(std::uint32_t ksr, std::uint32_t context, bool by_process) const {
    return by_process ? context : ksr;
  }
  std::int32_t left(std::uint32_t row) const {
    const std::int32_t left = left_q_[row];
    if (left < -kEnd || left >= kEnd) overflow(left);
    return left;
  }
  // The bits of a row, whether stale or not.
  std::uint32_t word(std::uint32_t row) const { return static_cast<std::uint32_t>(left_q_[row]) & (2 * kEnd - 1); }
  bool has_pool_token(std::uint32_t row) const { return has_pool_token_q_[row]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(left_q_.size()); }
  std::uint32_t pool() const { return pool_q_; }

  // Operations of jobs, at most one per cycle.
  void activate(const Kernel& kernel, bool by_process);  // call before the context counts the kernel
  void deal(const Kernel& kernel, bool by_process);
  void step(std::uint32_t row, std::int32_t step) { change(row, false, step); }
  void finish(const Kernel& kernel, bool by_process);  // call before the context stops counting it
  // Writes by the OS.
  void write_budget(std::uint32_t context, bool by_process);
  void write_policy(bool gives_once);
  // Call two edges after a job's WRITE.
  void settle();

 private:
  static constexpr std::int32_t kEnd = 1 << (CoreParams::kTokensLeftWidth - 1);

  [[noreturn]] static void overflow(std::int32_t left);
  std::int32_t budget(std::uint32_t row, std::uint32_t context) const;
  void take_from_pool(std::uint32_t row, std::uint32_t context);
  void return_to_pool(std::uint32_t row);
  void change(std::uint32_t row, bool is_set, std::int32_t value);

  std::uint32_t equal_share_;
  std::uint32_t token_pool_;
  ContextTable& contexts_;
  std::vector<std::int32_t> left_q_;
  std::vector<bool> has_pool_token_q_;
  Field32 pool_q_;
  bool gives_once_ = false;  // remainder field of the policy register

  struct Change {
    std::uint32_t row = kNone;
    bool is_set = false;  // set to `value`; else add it
    std::int32_t value = 0;
  };
  Change written_q_;  // not yet visible
};

}  // namespace tessera::rtl_model
