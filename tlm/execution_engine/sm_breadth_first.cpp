// SPDX-License-Identifier: Apache-2.0
// SM driver: breadth-first issue, one TB to each SM before a second one (docs/readings.md, Logged order).
#include <algorithm>

#include "tlm/execution_engine/sm_driver.h"

namespace tessera::tlm_model {

bool SmDriver::wants_issue(SmId id) const {
  const Sm& sm = sms_[index(id)];
  return sm.phase == SmPhase::kRunning && !is_reserved(id) && sm.occupied_slots != slots_of(sm.ksr) &&
         tables_.ksr(sm.ksr).issuable_tbs() > 0;
}

bool SmDriver::is_unused(SmId id) const {
  const Sm& sm = sms_[index(id)];
  return sm.phase == SmPhase::kRunning && !is_reserved(id) && sm.occupied_slots == 0;
}

void SmDriver::request_issue(SmId id, Cycle earliest) {
  issue_at_ = std::min(issue_at_, std::max(ready_at(id), earliest));
}

// When the first of the SM's free slots may be filled: the issue latency after it became free.
Cycle SmDriver::ready_at(SmId id) const {
  Cycle ready = kNever;
  for_each_slot(free_slots(id), [&](std::uint32_t slot) {
    ready = std::min(ready, slot_free_since_[leaf_of(id, slot)] + spec_.gpu.framework.tb_issue_cycles);
  });
  return ready;
}

void SmDriver::free_slots_from(SmId id, Cycle now) {
  for_each_slot(free_slots(id), [&](std::uint32_t slot) { slot_free_since_[leaf_of(id, slot)] = now; });
}

// The lowest free slot that may be filled now. The driver's own issue keeps the latency where it fills at once.
std::uint32_t SmDriver::next_slot(SmId id, Cycle now) const {
  std::uint64_t slots = free_slots(id);
  if (is_breadth_first_) {
    while (slot_free_since_[leaf_of(id, lowest(slots))] + spec_.gpu.framework.tb_issue_cycles > now) slots &= slots - 1;
  }
  return lowest(slots);
}

void SmDriver::issue_due(Cycle now) {
  now_ = now;
  issue_at_ = kNever;
  // 1. Every SM with a free slot takes at most one TB, in turn from the one after the last that was served.
  const std::size_t first = last_served_sm_ + 1;
  std::uint32_t issued = 0;
  for (std::size_t i = 0; i < sms_.size() && issued < spec_.scheduler.tbs_per_cycle; ++i) {
    const SmId id{static_cast<std::uint16_t>((first + i) % sms_.size())};
    if (!wants_issue(id) || ready_at(id) > now) continue;
    issue_breadth_first(id, now);
    last_served_sm_ = index(id);
    ++issued;
  }
  // 2. What is left waits for the next cycle; an SM that got nothing and holds nothing goes idle.
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    const SmId id{static_cast<std::uint16_t>(i)};
    if (wants_issue(id)) {
      request_issue(id, now + 1);
    } else if (is_unused(id)) {
      release(id, now);
    }
  }
}

void SmDriver::issue_breadth_first(SmId id, Cycle now) {
  if (tables_.ksr(sms_[index(id)].ksr).preempted_tbs > 0) {
    start_restore(id, now);
  } else {
    issue_next(id, now);
  }
}

}  // namespace tessera::tlm_model
