// SPDX-License-Identifier: Apache-2.0
// The kernel status register table (docs/hardware/timing.md 4). A row's counters lie in a RAM: a job opens one row,
// steps it, and writes it back. What a walk looks at, the status, follows every WRITE; `uncovered` does so two cycles
// later.
#pragma once

#include <vector>

#include "rtl_model/core_params.h"

namespace tessera::rtl_model {

struct KsrRow {
  explicit KsrRow(const CoreParams& params);

  Field64 descriptor;
  Field32 tbs_per_sm;
  Field32 remaining;    // TBs never issued
  Field32 next_tb;      // the next fresh one
  Field32 outstanding;  // issued and not finished, those in the PTBQ included
  Field32 preempted;    // handles that count
  Field32 promised;     // places in the ring for saves
  Field32 covered;      // slots that wait for its TBs
  Field32 head;         // of the ring
  Field32 owned;        // SMs that run it and are not reserved
  Field32 reserved;     // SMs whose `next` it is

  bool is_issuable() const { return remaining != 0 || preempted != 0; }
  std::uint32_t held() const { return owned + reserved; }
};

// What a command gives a KSR, but for the counters.
struct KernelTraits {
  explicit KernelTraits(const CoreParams& params)
      : context(params.context_width()),
        priority(CoreParams::kPriorityWidth),
        due(CoreParams::kDueWidth),
        partition(params.partition_width()) {}

  Field32 context, priority, due, partition;
  bool has_due = false;
};

class Ksrt {
 public:
  explicit Ksrt(const CoreParams& params);

  std::uint32_t size() const { return static_cast<std::uint32_t>(rows_q_.size()); }
  const KsrRow& row(std::uint32_t ksr) const { return rows_q_[ksr]; }
  const KernelTraits& traits(std::uint32_t ksr) const { return traits_q_[ksr]; }
  bool is_valid(std::uint32_t ksr) const { return valid_q_.has(ksr); }
  bool is_issuable(std::uint32_t ksr) const { return fresh_q_.has(ksr) || handles_q_.has(ksr); }
  bool is_fresh(std::uint32_t ksr) const { return fresh_q_.has(ksr); }
  bool has_handles(std::uint32_t ksr) const { return handles_q_.has(ksr); }
  bool holds(std::uint32_t ksr) const { return holds_q_.has(ksr); }
  bool is_uncovered(std::uint32_t ksr) const { return uncovered_q_.has(ksr); }
  std::uint32_t lowest_free_before() const { return free_before_q_; }  // in the cycle before

  // R(k) of docs/hardware/timing.md 4.2: slots that one reserved SM stands for.
  std::int32_t slots_of_reserved_sm(const KsrRow& row) const {
    return is_breadth_first_ ? 0 : static_cast<std::int32_t>(std::uint32_t{row.tbs_per_sm});
  }

  void write(std::uint32_t ksr, const KsrRow& row);
  void activate(std::uint32_t ksr, const KsrRow& row, const KernelTraits& traits);
  void free(std::uint32_t ksr);
  void write_priority(std::uint32_t context, std::uint32_t priority);
  // Two edges after a row's WRITE.
  void settle();
  void seq();

 private:
  bool is_uncovered(const KsrRow& row) const;
  std::uint32_t lowest_free() const;

  bool is_breadth_first_;
  std::vector<KsrRow> rows_q_;
  std::vector<KernelTraits> traits_q_;
  RowSet valid_q_, fresh_q_, handles_q_, holds_q_, uncovered_q_;
  std::uint32_t written_q_ = kNone;  // the row whose `uncovered` is on its way
  std::uint32_t free_q_ = 0;         // the lowest that is not valid
  std::uint32_t free_before_q_ = 0;
  bool is_valid_written_ = false;
};

}  // namespace tessera::rtl_model
