// SPDX-License-Identifier: Apache-2.0
// The kernel status register table (docs/hardware/timing.md 4). A row's counters are in a RAM: a job opens one row,
// steps it, and writes it back; the refill lane steps those that count TBs. The status, which walks read, follows every
// WRITE; `uncovered` follows two cycles later.
#pragma once

#include <vector>

#include "rtl_model/core_params.h"

namespace tessera::rtl_model {

struct KsrRow {
  explicit KsrRow(const CoreParams& params);

  Field64 descriptor;
  Field32 tbs_per_sm;
  Field32 remaining;     // TBs never issued
  Field32 next_tb;       // the next fresh one
  Field32 outstanding;   // issued and not finished, including those in the PTBQ
  Field32 preempted;     // valid handles
  Field32 promised;      // places in the ring promised to saves
  Field32 covered;       // slots available to its TBs
  Field32 head;          // first handle in the ring
  Field32 owned;         // SMs that run it and are not reserved
  Field32 reserved;      // SMs whose `next` is this kernel
  Field32 saved_per_sm;  // the most that one SM had of the TBs in the ring; only with a kept turn

  bool is_issuable() const { return remaining != 0 || preempted != 0; }
  std::uint32_t held() const { return owned + reserved; }
};

// Fields of a KSR that come from the command, without counters.
struct KernelTraits {
  explicit KernelTraits(const CoreParams& params)
      : context(params.context_width()),
        priority(CoreParams::kPriorityWidth),
        due(CoreParams::kDueWidth),
        partition(params.partition_width()) {}

  Field32 context, priority, due, partition;
  bool has_due = false;
};

// What a TB that the refill lane starts or counts changes in its kernel's row (docs/hardware/timing.md 6.7).
struct TbCount {
  bool is_fresh = false;  // a TB is issued
  std::int32_t outstanding = 0;
  std::int32_t covered = 0;
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
  RowSet holding() const { return valid_q_ & holds_q_; }
  bool is_uncovered(std::uint32_t ksr) const { return uncovered_q_.has(ksr); }
  // Whether the refill lane may issue: the kernel stays fresh whatever is in the lane, and no counter carries out of
  // the bits that the lane counts.
  bool refills(std::uint32_t ksr) const { return refills_q_.has(ksr); }
  std::uint32_t lowest_free_before() const { return free_before_q_; }  // one cycle ago

  // R(k) of docs/hardware/timing.md 4.2: slots for which one reserved SM counts.
  std::int32_t slots_of_reserved_sm(const KsrRow& row) const {
    return is_breadth_first_ ? 0 : static_cast<std::int32_t>(std::uint32_t{row.tbs_per_sm});
  }

  void write(std::uint32_t ksr, const KsrRow& row);
  // A trap's job, which has read the row beside the lane: the only counter that is the engine's alone.
  void write_promised(std::uint32_t ksr, std::uint32_t promised) { rows_q_[ksr].promised = promised; }
  // In the lane's last stage.
  void count(std::uint32_t ksr, const TbCount& step);
  void activate(std::uint32_t ksr, const KsrRow& row, const KernelTraits& traits);
  void free(std::uint32_t ksr);
  // For tests: a kernel of which no TB was issued goes on behind so many of them (cosim/i_verilated_core.h).
  void start_late(std::uint32_t ksr, std::uint32_t num_tbs);
  void write_priority(std::uint32_t context, std::uint32_t priority);
  // Whether the status of a row that was written is still to follow.
  bool is_settling() const { return written_q_[0].exists() || written_q_[1].exists(); }
  void seq();

 private:
  // What a row that was written says of its kernel, on its way to the status.
  struct Uncovered {
    std::uint32_t ksr = kNone;
    bool is_so = false;
    bool exists() const { return ksr != kNone; }
  };

  bool is_uncovered(const KsrRow& row) const;
  bool has_many_to_issue(const KsrRow& row) const;
  void show_later(std::uint32_t ksr);
  std::uint32_t lowest_free() const;

  bool is_breadth_first_;
  bool has_refill_lane_;
  unsigned lane_count_width_;
  std::vector<KsrRow> rows_q_;
  std::vector<KernelTraits> traits_q_;
  RowSet valid_q_, fresh_q_, handles_q_, holds_q_, uncovered_q_, refills_q_;
  Uncovered written_d_, written_q_[2];
  std::uint32_t free_q_ = 0;  // lowest invalid row
  std::uint32_t free_before_q_ = 0;
  bool is_valid_written_ = false;
};

}  // namespace tessera::rtl_model
