// SPDX-License-Identifier: Apache-2.0
// Breadth-first issue: one TB to each SM before any gets a second one (docs/concepts/readings.md, Logged order). SMs
// that want a TB take turns, in separate issue cycles.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/base/ids.h"
#include "model/base/time.h"
#include "model/spec/spec.h"
#include "tlm/execution_engine/sm_array/slot.h"

namespace tessera::tlm_model {

class IssueRounds {
 public:
  explicit IssueRounds(const spec::Spec& spec)
      : is_on_(spec.scheduler.fill == spec::Fill::kBreadthFirst),
        num_sms_(spec.gpu.num_sms),
        issue_cycles_(spec.gpu.framework.tb_issue_cycles),
        tbs_per_cycle_(spec.scheduler.tbs_per_cycle),
        slots_per_sm_(spec.gpu.max_tbs_per_sm),
        free_since_(std::size_t{spec.gpu.num_sms} * slots_per_sm_, 0) {}

  bool is_on() const { return is_on_; }
  Cycle next() const { return next_; }
  // When something issued now starts; in rounds the issue latency has already passed.
  Cycle first_issue(Cycle now) const { return is_on_ ? now : now + issue_cycles_; }

  // These slots may be filled once the issue latency from `now` has passed.
  void free_from(SmId id, std::uint64_t slots, Cycle now) {
    if (!is_on_) return;
    for_each_slot(slots, [&](std::uint32_t slot) { free_since_[index(id) * slots_per_sm_ + slot] = now; });
  }
  // Those of the free slots that may be filled now.
  std::uint64_t ready(SmId id, std::uint64_t slots, Cycle now) const {
    std::uint64_t ready = 0;
    for_each_slot(slots, [&](std::uint32_t slot) { ready |= ready_at(id, slot) <= now ? slot_bit(slot) : 0; });
    return ready;
  }
  // Requests a TB for an SM with these free slots: as soon as one may be filled, but not before `earliest`.
  void request(SmId id, std::uint64_t slots, Cycle earliest) {
    Cycle ready = kNever;
    for_each_slot(slots, [&](std::uint32_t slot) { ready = std::min(ready, ready_at(id, slot)); });
    next_ = std::min(next_, std::max(ready, earliest));
  }

  // Runs an issue cycle. `sms` must have wants_issue(id), free_slots(id), issue_in_round(id, now), is_unused(id),
  // release(id, now).
  template <typename Sms>
  void due(Cycle now, Sms& sms);

 private:
  Cycle ready_at(SmId id, std::uint32_t slot) const {
    return free_since_[index(id) * slots_per_sm_ + slot] + issue_cycles_;
  }

  bool is_on_;
  std::size_t num_sms_;
  Cycle issue_cycles_;
  std::uint32_t tbs_per_cycle_;
  std::size_t slots_per_sm_;
  std::vector<Cycle> free_since_;  // by SM and slot
  Cycle next_ = kNever;
  std::size_t last_served_sm_ = 0;
};

template <typename Sms>
void IssueRounds::due(Cycle now, Sms& sms) {
  next_ = kNever;
  // 1. Every SM with a free slot gets at most one TB, round robin from the SM after the last one served.
  const std::size_t first = last_served_sm_ + 1;
  std::uint32_t issued = 0;
  for (std::size_t i = 0; i < num_sms_ && issued < tbs_per_cycle_; ++i) {
    const SmId id{static_cast<std::uint16_t>((first + i) % num_sms_)};
    if (!sms.wants_issue(id) || ready(id, sms.free_slots(id), now) == 0) continue;
    sms.issue_in_round(id, now);
    last_served_sm_ = index(id);
    ++issued;
  }
  // 2. The other SMs wait for the next cycle; one that got nothing and holds nothing becomes idle.
  for (std::size_t i = 0; i < num_sms_; ++i) {
    const SmId id{static_cast<std::uint16_t>(i)};
    if (sms.wants_issue(id)) {
      request(id, sms.free_slots(id), now + 1);
    } else if (sms.is_unused(id)) {
      sms.release(id, now);
    }
  }
}

}  // namespace tessera::tlm_model
