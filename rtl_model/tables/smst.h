// SPDX-License-Identifier: Apache-2.0
// The SM status table: each SM's owner, its resident TBs, and the flags of docs/hardware/timing.md 6.2, as bit vectors
// for priority encoders. Only jobs change it, except `served` and partitions.
#pragma once

#include <vector>

#include "rtl_model/core_params.h"

namespace tessera::rtl_model {

enum class SmState : std::uint8_t { kIdle, kRunning, kReserved };

struct SmRow {
  SmState state = SmState::kIdle;
  std::uint32_t ksr = kNone;   // owner; kNone: idle, or the owner of a reserved SM has finished
  std::uint32_t next = kNone;  // of a reserved SM; kNone: that kernel has finished
  Field32 running;             // resident TBs
  Field32 partition;           // static_partition
};

struct SmFlags {
  SmSet set_up_pending;  // set-up still to be sent
  SmSet active;          // set up, not yet trapped
  SmSet trap_pending;    // trap still to be sent
  SmSet trapped;         // trap was sent, SM not yet handed over
  SmSet restoring;       // batch complete, contexts not yet restored
  SmSet full;            // no free slot
  SmSet drains;          // technique of the current preemption is drain
  SmSet issuable;        // the owner has TBs to issue
  SmSet no_room;         // its trap was tried, but the ring had no room
  SmSet served;          // rounds: gets no (further) TB in this SM cycle
};

class Smst {
 public:
  explicit Smst(const CoreParams& params);

  const SmRow& row(std::uint32_t sm) const { return rows_q_[sm]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(rows_q_.size()); }
  const SmSet& idle() const { return idle_q_; }
  // The kernel to which an SM counts: its owner while running, `next` while reserved.
  std::uint32_t claimant(std::uint32_t sm) const;
  SmSet counting_against(std::uint32_t ksr) const;
  SmSet claimed() const;  // SMs that count against a kernel
  // static_partition: it may count against a kernel of another partition.
  const SmSet& maybe_foreign() const { return foreign_q_; }
  // Of these the first that is taken away: reserved ones, which are being emptied already, come first.
  std::uint32_t first_to_take(const SmSet& sms) const;

  // docs/hardware/timing.md 6.2.
  SmSet wants_tb() const;
  SmSet leaves() const;
  SmSet may_be_trapped() const { return flags.trap_pending.without(flags.no_room); }
  bool is_changing_hands() const;
  bool are_all_idle() const { return !running_q_.any() && !reserved_q_.any(); }

  void own(std::uint32_t sm, std::uint32_t ksr, bool is_issuable);  // running for ksr, to be set up
  void reserve(std::uint32_t sm, std::uint32_t next);
  void cancel(std::uint32_t sm);  // cancels a drain: the owner keeps the SM
  void release(std::uint32_t sm);
  void evict(bool drains);  // all SMs are taken away, and are reserved for nobody
  void set_running(std::uint32_t sm, std::uint32_t tbs);
  void set_issuable(std::uint32_t ksr, bool is_issuable);  // on all SMs that it owns
  // The kernel has finished; returns the SMs that become idle. Set-ups that are still to be sent for it are not sent.
  SmSet forget_kernel(std::uint32_t ksr);
  void set_partition(std::uint32_t sm, std::uint32_t partition) {
    rows_q_[sm].partition = partition;
    foreign_q_.set(sm);
  }
  void suspect_all();  // any SM may be foreign
  void clear_foreign(std::uint32_t sm) { foreign_q_.clear(sm); }

  SmFlags flags;

 private:
  void change(std::uint32_t sm, SmState state, std::uint32_t ksr, std::uint32_t next);
  void forget(std::uint32_t sm);

  std::vector<SmRow> rows_q_;
  SmSet foreign_q_;
  SmSet idle_q_, running_q_, reserved_q_, empty_q_;  // decoded from the rows
};

}  // namespace tessera::rtl_model
