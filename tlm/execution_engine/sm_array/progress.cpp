// SPDX-License-Identifier: Apache-2.0
// How far thread blocks are. In its SM's clock domain one is faster or slower with the number of residents ([S16] 4.2):
// whoever comes or goes changes when the others end.
#include <algorithm>

#include "tlm/execution_engine/sm_array/sm_array.h"

namespace tessera::tlm_model {

Cycle SmArray::start_of(SmId id, std::uint32_t slot) const {
  const std::uint32_t leaf = leaf_of(id, slot);
  if (!starts_.empty()) return starts_[leaf];
  const Cycle end = work_end(leaf);
  return end - std::min(end, kernel_in(id, slot).launch.durations.of(slots_[leaf].tb));
}

Cycle SmArray::remaining(SmId id, std::uint32_t slot, Cycle now) const {
  const std::uint32_t leaf = leaf_of(id, slot);
  if (slots_[leaf].clock == ClockDomain::kReal) return work_end(leaf) - std::min(now, work_end(leaf));
  return work_[leaf].left_at(now, pace_of(sm(id), slots_[leaf]));
}

Cycle SmArray::executed(SmId id, std::uint32_t slot, Cycle now) const {
  return kernel_in(id, slot).launch.durations.of(this->slot(id, slot).tb) - remaining(id, slot, now);
}

Cycle SmArray::ran_for(SmId id, std::uint32_t slot, Cycle now) const {
  const std::uint32_t leaf = leaf_of(id, slot);
  return slots_[leaf].clock == ClockDomain::kReal ? executed(id, slot, now) : work_[leaf].ran_for(now);
}

// `cycles` of work are left, and it has run for a while already.
void SmArray::work_begins(std::uint32_t leaf, Cycle cycles, Cycle start, Cycle ran_for) {
  if (cycles < kNever) work_[leaf] = workload::PacedWork(cycles, start, ran_for);
}

// With as many residents as there have been since somebody came or went.
workload::Pace SmArray::pace_of(const Sm& sm, const Slot& slot) const {
  const KernelRun& kernel = this->kernel(slot.kernel);
  return workload::pace_at(kernel.launch.occupancy_speedup_ppm, kernel.tbs_per_sm, sm.num_residents);
}

// All that run have been so far at the old pace, and go on at the new one.
void SmArray::change_pace_of_residents(SmId id, Cycle now) {
  Sm& sm = sms_[index(id)];
  std::uint64_t paced = 0;
  for_each_slot(sm.running(), [&](std::uint32_t slot) {
    const std::uint32_t leaf = leaf_of(id, slot);
    if (slots_[leaf].clock == ClockDomain::kSm && ends_.time(leaf) != kNever) paced |= slot_bit(slot);
  });
  if (sm.num_residents > 0) {
    for_each_slot(
        paced, [&](std::uint32_t slot) { work_[leaf_of(id, slot)].run_until(now, pace_of(sm, this->slot(id, slot))); });
  }
  sm.num_residents = num_slots(sm.occupied);
  for_each_slot(paced, [&](std::uint32_t slot) {
    const std::uint32_t leaf = leaf_of(id, slot);
    ends_.set(leaf, std::min(work_[leaf].ends_at(pace_of(sm, slots_[leaf])), kNever));
  });
}

}  // namespace tessera::tlm_model
