// SPDX-License-Identifier: Apache-2.0
// Thread blocks that run faster or slower with the number of those beside them ([S16] 4.2): whoever comes or goes
// changes when the others end.
#include <algorithm>

#include "tlm/execution_engine/shared_sm/shared_sm_driver.h"

namespace tessera::tlm_model {

bool SharedSmDriver::is_paced(SmId id, std::uint32_t slot) const {
  return kernels_[index(tenant(id, slot))].launch.occupancy_speedup_ppm != 0;
}

// At the occupancy that the SM has had since somebody came or went.
workload::Pace SharedSmDriver::pace_of(SmId id, std::uint32_t slot) const {
  const KsrId ksr = tenant(id, slot);
  return workload::pace_at(kernels_[index(ksr)].launch.occupancy_speedup_ppm, tables_.ksr(ksr).tbs_per_sm,
                           shared_[index(id)].num_paced_by);
}

// A TB is on its way into its slot: `cycles` of work are left, and it has run for a while already.
void SharedSmDriver::note_start(SmId id, std::uint32_t slot, Cycle cycles, Cycle start, Cycle ran_for) {
  if (cycles >= kNever || !is_paced(id, slot)) return;
  slot_work_[leaf_of(id, slot)] = workload::PacedWork(cycles, start, ran_for);
}

// Somebody has come or gone, or starts: all that run have been so far at the old pace, and go on at the new one.
void SharedSmDriver::change_pace(SmId id, Cycle now) {
  if (!is_any_paced_) return;
  SharedSm& shared = shared_[index(id)];
  const Sm& sm = sms_[index(id)];
  std::uint64_t running = 0;
  for_each_slot(sm.occupied_slots & ~(sm.frozen_slots | sm.restoring_slots), [&](std::uint32_t slot) {
    if (is_paced(id, slot) && completions_.time(leaf_of(id, slot)) != kNever) running |= std::uint64_t{1} << slot;
  });
  if (shared.num_paced_by > 0) {
    for_each_slot(running,
                  [&](std::uint32_t slot) { slot_work_[leaf_of(id, slot)].run_until(now, pace_of(id, slot)); });
  }
  shared.num_paced_by = static_cast<std::uint32_t>(__builtin_popcountll(sm.occupied_slots));
  for_each_slot(running, [&](std::uint32_t slot) {
    const std::uint32_t leaf = leaf_of(id, slot);
    completions_.set(leaf, std::min(slot_work_[leaf].ends_at(pace_of(id, slot)), kNever));
  });
}

// In cycles on a full SM.
Cycle SharedSmDriver::remaining_work(SmId id, std::uint32_t slot, Cycle now) const {
  if (!is_paced(id, slot)) return SmDriver::remaining_work(id, slot, now);
  return slot_work_[leaf_of(id, slot)].left_at(now, pace_of(id, slot));
}

// Cycles in which it ran, as the SM counts them.
Cycle SharedSmDriver::ran_for(SmId id, std::uint32_t slot, Cycle now) const {
  return is_paced(id, slot) ? slot_work_[leaf_of(id, slot)].ran_for(now) : executed_cycles(id, slot, now);
}

}  // namespace tessera::tlm_model
