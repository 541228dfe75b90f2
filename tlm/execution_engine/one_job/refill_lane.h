// SPDX-License-Identifier: Apache-2.0
// The refill lane's pipeline (docs/hardware/timing.md 6.7): what has entered and not left R, in its order, and what the
// lane knows of SMs and kernels beside the tables. All times are core cycles.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "model/base/ids.h"
#include "model/base/sm_set.h"
#include "model/base/tb_counts.h"
#include "model/base/time.h"
#include "model/spec/spec_fwd.h"
#include "tlm/execution_engine/one_job/sm_links.h"
#include "tlm/execution_engine/sm_array/kernel_run.h"

namespace tessera::tlm_model {

// Stages, counted from the entry of what nothing holds back, and from R.
inline constexpr Cycle kEntryToR = 3;  // A, S
inline constexpr Cycle kRToPins = 3;   // X, Y, and W: at its end the counters are in the table
inline constexpr Cycle kRToTable = 4;  // in which they are seen there
inline constexpr Cycle kEntryToPins = kEntryToR + kRToPins;

class RefillLane {
 public:
  struct Entry {
    SmId sm = kNoSm;
    bool is_issue = false;     // else an event
    SmLinks::Report report{};  // of the event
  };

  explicit RefillLane(const spec::Spec& spec);

  // ---- entries: one a cycle, while nothing is in B
  // The first cycle, not before `from`, in which one is possible; kNever: that depends on when R is free.
  Cycle next_entry(Cycle from) const;
  void enter(const Entry& entry, Cycle at);
  // What makes an entry possible has changed at the end of this cycle.
  void changed(Cycle at) { open_from_ = std::max(open_from_, at + 1); }
  // An entry of cycle `at` that goes as soon as it is in R, and nothing is before it.
  bool may_pass(Cycle at) const { return num_entries_ == 0 && at >= open_from_; }
  void pass(Cycle at) {
    open_from_ = at + 1;
    last_in_r_ = last_left_ = at + kEntryToR;
  }

  // ---- R
  bool is_empty() const { return num_entries_ == 0; }
  const Entry& first() const { return waiting_[0].entry; }
  // From when on the first one is in R.
  Cycle in_r_from() const { return waiting_[0].in_r; }
  void leaves(Cycle at);

  // An issue for that SM is on its way.
  bool has_asked(SmId id) const { return asked_.has(static_cast<std::uint32_t>(index(id))); }

  // ---- kernels
  // Whether TBs of the kernel are given by the lane in cycle `at`.
  bool refills(KsrId ksr, Cycle at) const { return rows_[index(ksr)].refills_until > at; }
  // An entry left R for X, and its kernel's counts are these after it.
  void counted(KsrId ksr, Cycle at, const TbCounts& tbs) {
    Row& row = rows_[index(ksr)];
    row.counted_at = at;
    if (!may_refill(tbs)) row.refills_until = std::min(row.refills_until, at + kRToTable);
  }
  void counted(KsrId ksr, Cycle at) { rows_[index(ksr)].counted_at = at; }
  // In which the kernel's counters are as the entries so far leave them.
  Cycle in_table(KsrId ksr) const { return rows_[index(ksr)].counted_at + kRToTable; }
  // A job has written the kernel's row.
  void row_written(KsrId ksr, const KernelRun& kernel) {
    rows_[index(ksr)].refills_until = kernel.has_fresh() && may_refill(kernel.tbs) ? kNever : 0;
  }

 private:
  struct Waiting {
    Entry entry;
    Cycle at = 0;        // of the entry
    Cycle out_of_s = 0;  // the last cycle in S; of the first two
    Cycle in_r = 0;      // of the first one
  };
  struct Row {
    Cycle refills_until = 0;
    Cycle counted_at = 0;
  };

  // The low bits of neither counter are near their carry.
  bool may_refill(const TbCounts& tbs) const {
    return (tbs.next & low_bits_) < low_bits_ - kLeft && (~tbs.fresh() & low_bits_) < low_bits_ - kLeft;
  }
  void place_second();

  static constexpr std::uint32_t kLeft = 4;  // as many as may be between R and W, and one
  std::uint32_t low_bits_;
  std::array<Waiting, 4> waiting_;  // A, S, B, R hold as many
  std::uint32_t num_entries_ = 0;
  Cycle open_from_ = 0;
  Cycle last_in_r_ = 0;  // of the last one that has left
  Cycle last_left_ = 0;
  SmSet asked_;
  std::vector<Row> rows_;  // by KSR
};

}  // namespace tessera::tlm_model
