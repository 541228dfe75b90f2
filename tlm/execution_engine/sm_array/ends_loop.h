// SPDX-License-Identifier: Apache-2.0
// The engine's hot loop: thread blocks end, and others follow in their slots.
#pragma once

#include <algorithm>
#include <type_traits>

#include "tlm/execution_engine/sm_array/sm_array.h"

namespace tessera::tlm_model {

// What is fixed for this machine is passed as template constants: usually thread blocks are neither recorded nor
// checked, and then the loop does not even test for it.
template <typename Rule>
std::optional<TbEnd> SmArray::run_ends(Cycle before, Rule& rule) {
  return memory_ != nullptr ? run_ends_in<true>(before, rule) : run_ends_in<false>(before, rule);
}

template <bool kLoaded, typename Rule>
std::optional<TbEnd> SmArray::run_ends_in(Cycle before, Rule& rule) {
  if (log_.wants_per_tb())
    return monitor_ != nullptr ? run_ends_as<kLoaded, true, true>(before, rule)
                               : run_ends_as<kLoaded, true, false>(before, rule);
  return monitor_ != nullptr ? run_ends_as<kLoaded, false, true>(before, rule)
                             : run_ends_as<kLoaded, false, false>(before, rule);
}

template <bool kLoaded, bool kTraced, bool kChecked, typename Rule>
std::optional<TbEnd> SmArray::run_ends_as(Cycle before, Rule& rule) {
  for (;;) {
    // 1. The TB in this slot is over.
    std::uint32_t leaf = 0;
    const EventTree::Key key = ends_.min();
    if (kLoaded && EventTree::time_of(key) >= memory_->next_event()) {
      const std::optional<std::uint32_t> over = next_loaded_end(before);
      if (!over) return std::nullopt;
      leaf = *over;
    } else {
      if (EventTree::time_of(key) >= before) return std::nullopt;
      now_ = EventTree::time_of(key);
      leaf = EventTree::leaf_of(key);
      if constexpr (kLoaded) {
        if (memory_->await_bytes(leaf, now_)) {
          ends_.clear(leaf);
          continue;
        }
      }
    }
    const Cycle now = now_;
    Slot& slot = slots_[leaf];
    const TbEnd end{SmId(leaf >> slot_bits_), leaf & ((1U << slot_bits_) - 1), slot.kernel, now};
    Sm& sm = sms_[index(end.sm)];
    KernelRun& kernel = kernels_[index(slot.kernel)];
    ++kernel.tbs.finished;
    rule.over(end);
    if constexpr (kTraced) emit_tb(record::Kind::kTbFinished, leaf, now);
    if constexpr (kChecked) monitor_->tb_finished(slot.kernel, slot.tb);
    // 2. Its slot gets the kernel's next TB; anything else is rare.
    const Cycle start = rule.start_of_next(end, sm, kernel);
    if (start == kNever) {
      ends_.clear(leaf);
      if constexpr (kLoaded) memory_->end(leaf, now);
      sm.stopped |= slot_bit(end.slot);
      sm.meter.stopped(1, now);
      return end;
    }
    const Cycle duration = rule.duration_of_next(end, kernel);
    bool ends_with_bytes = false;
    if constexpr (kLoaded) {
      ends_with_bytes = memory_->replace(leaf, kernel.memory_per_tb, start, duration, now);
      if (ends_with_bytes && ends_.time(leaf) != kNever) ends_.clear(leaf);
    }
    put_next<Rule::kPaces, Rule::kStretches>(sm, slot, kernel, leaf, start, duration, !ends_with_bytes);
    if constexpr (Rule::kPaces) change_pace(end.sm, now);
    sm.meter.refilled(now, start);
    if constexpr (kChecked) monitor_->tb_issued(slot.kernel, slot.tb);
    if constexpr (kTraced) emit_tb(record::Kind::kTbIssued, leaf, start);
  }
}

// Called once per TB in the loop: the cost of a call would be measurable.
template <bool kPaces, bool kStretches>
[[gnu::always_inline]] inline void SmArray::put_next(Sm& sm, Slot& slot, KernelRun& kernel, std::uint32_t leaf,
                                                     Cycle start, Cycle duration, bool has_end) {
  slot.tb = kernel.tbs.next++;
  slot.num_flushes = 0;
  if (has_end) ends_.set(leaf, std::min(start + duration, kNever));
  sm.last_start = start;
  if constexpr (kPaces || kStretches) keep_start(leaf, start);
  if constexpr (kPaces) {
    if (slot.clock == ClockDomain::kSm) work_begins(leaf, duration, start, 0);
  }
  if (kernel.tbs.next < kernel.tbs.total) {
    kernel.next_duration = kernel.launch.durations.of(kernel.tbs.next);
  } else {
    no_fresh_is_left(kernel, start);
  }
}

}  // namespace tessera::tlm_model
