// SPDX-License-Identifier: Apache-2.0
// SM driver: how much of its SMs a kernel uses, and whether TBs of it wait for a slot (model/record/sm_meter.h).
#include <algorithm>

#include "tlm/execution_engine/sm_driver.h"

namespace tessera::tlm_model {

// TBs have slots, or wait for one.
void SmDriver::no_fresh_is_left(KernelRun& kernel, Cycle last_start) {
  kernel.last_fresh_start = last_start;
  if (kernel.num_away == 0) kernel.none_waits_from = last_start;
}

void SmDriver::is_back(KsrId ksr, Cycle start) {
  KernelRun& kernel = kernels_[index(ksr)];
  if (--kernel.num_away > 0 || tables_.ksr(ksr).next_tb != tables_.ksr(ksr).num_tbs) return;
  kernel.none_waits_from = std::max(start, kernel.last_fresh_start);
}

void SmDriver::wait_again(KsrId ksr, Cycle now) {
  KernelRun& kernel = kernels_[index(ksr)];
  for (Sm& sm : sms_) {
    if (sm.meter.is_of(kernel.none_waits_from)) sm.meter.count_until(now);
  }
  kernel.none_waits_from = kNever;
}

void SmDriver::report_use(SmId id, Cycle now, Cycle to_come) {
  record::SmMeter& meter = sms_[index(id)].meter;
  record::Record busy = about(record::Kind::kSmBusy, id, now);
  busy.cycles = meter.take_busy_cycles(now);
  if (busy.cycles > 0) log_.emit(now, busy);
  if (!counts_slots_) return;
  std::optional<record::Record> slots = meter.take_slots(now, to_come);
  if (!slots) return;
  slots->sm = busy.sm;
  slots->launch = busy.launch;
  log_.emit(now, *slots);
}

// Of TBs on their way to their slots, the cycles until they run. Those whose speed changes do not tell.
Cycle SmDriver::cycles_to_come(SmId id, Cycle now) const {
  const Sm& sm = sms_[index(id)];
  Cycle to_come = 0;
  if (contention_ != nullptr || sm.occupied_slots == 0) return 0;
  if (kernels_[index(sm.ksr)].launch.occupancy_speedup_ppm != 0) return 0;
  for_each_slot(sm.occupied_slots, [&](std::uint32_t slot) {
    const std::uint32_t leaf = leaf_of(id, slot);
    const Cycle end = completions_.time(leaf);
    if (end == kNever) return;
    const Cycle start = end - std::min(end, kernels_[index(sm.ksr)].launch.durations.of(slot_tb_[leaf]));
    to_come += start > now ? start - now : 0;
  });
  return to_come;
}

}  // namespace tessera::tlm_model
