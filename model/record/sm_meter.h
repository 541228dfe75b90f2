// SPDX-License-Identifier: Apache-2.0
// Counts how an SM's slots are used; one per SM, the same in all models, read when the SM changes hands
// (docs/guide/record_format.md: sm_busy, sm_slots). A slot runs a TB, or is unused because of preemption, lack of
// demand (no TB of the kernel waits) or, for the rest, issue: set-up, and the way of a TB to its slot.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "model/base/time.h"
#include "model/record/numbers.h"
#include "model/record/record.h"

namespace tessera::record {

class SmMeter {
 public:
  // The SM now belongs to a kernel that may have `num_slots` TBs there, 1 .. 64. `none_waits_from`: the cycle from
  // which no TB of it waits for a slot, kNever while one does; must outlive the ownership.
  void set_up(std::uint32_t num_slots, const Cycle& none_waits_from, Cycle now) {
    num_slots_ = num_slots;
    none_waits_from_ = &none_waits_from;
    counted_until_ = taken_at_ = now;
  }
  void released() { num_slots_ = 0; }
  bool is_of(const Cycle& none_waits_from) const { return num_slots_ > 0 && none_waits_from_ == &none_waits_from; }

  // A TB has a slot and runs from `start` on, which may be in the future.
  void started(Cycle now, Cycle start) {
    count_until(now);
    if (num_running_++ == 0) busy_since_ = start;
    run_cycles_ -= start;
  }
  // TBs have ended, were dropped or were stopped.
  void stopped(std::uint32_t count, Cycle now) {
    count_until(now);
    num_running_ -= count;
    run_cycles_ += count * now;
    if (num_running_ == 0) busy_cycles_ += now - busy_since_;
  }
  // One has ended, and another runs in its slot from `start` on.
  void refilled(Cycle now, Cycle start) { run_cycles_ += now - start; }

  // The SM is being preempted, or contexts are being restored; the two may overlap.
  void preemption_begins(Cycle now) {
    count_until(now);
    ++num_preemptions_;
  }
  void preemption_ends(Cycle now) {
    count_until(now);
    --num_preemptions_;
  }

  // Call before `none_waits_from` changes.
  void count_until(Cycle now) {
    if (now <= counted_until_) return;
    const std::uint64_t free = num_slots_ > num_running_ ? num_slots_ - num_running_ : 0;
    if (num_preemptions_ > 0) {
      preempted_ += free * (now - counted_until_);
    } else if (free > 0 && *none_waits_from_ < now) {
      without_demand_ += free * (now - std::max(counted_until_, *none_waits_from_));
    }
    counted_until_ = now;
  }

  // Cycles in which a TB ran since the last call.
  Cycle take_busy_cycles(Cycle now) {
    if (num_running_ > 0 && busy_since_ < now) {
      busy_cycles_ += now - busy_since_;
      busy_since_ = now;
    }
    return std::exchange(busy_cycles_, 0);
  }
  // A kSmSlots record without the owner; empty: already read in this cycle, or the SM has no owner yet. `to_come`: for
  // TBs that have a slot, the sum of the cycles until they run.
  std::optional<Record> take_slots(Cycle now, Cycle to_come = 0) {
    if (num_slots_ == 0 || now <= taken_at_) return std::nullopt;
    count_until(now);
    taken_at_ = now;
    Record slots;
    slots.kind = Kind::kSmSlots;
    slots.cycle = now;
    slots.slot = static_cast<std::uint16_t>(num_slots_);
    number::slots_ran(slots) = run_cycles_ + num_running_ * now + to_come;
    number::slots_preempted(slots) = std::exchange(preempted_, 0);
    number::slots_without_demand(slots) = std::exchange(without_demand_, 0);
    run_cycles_ = 0 - num_running_ * now - to_come;
    return slots;
  }

 private:
  std::uint32_t num_slots_ = 0;  // 0: no owner
  std::uint32_t num_running_ = 0;
  std::uint32_t num_preemptions_ = 0;
  const Cycle* none_waits_from_ = nullptr;
  Cycle counted_until_ = 0;
  Cycle taken_at_ = 0;
  Cycle busy_since_ = 0;          // valid while TBs run
  Cycle busy_cycles_ = 0;         // not yet read
  std::uint64_t run_cycles_ = 0;  // slot cycles, minus the current cycle for each running TB, modulo 2^64
  std::uint64_t preempted_ = 0;
  std::uint64_t without_demand_ = 0;
};

}  // namespace tessera::record
