// SPDX-License-Identifier: Apache-2.0
// SM driver: thread blocks end, SMs are set up, and thread blocks are issued to them.
#include "tlm/execution_engine/sm_driver.h"

namespace tessera::tlm_model {

// ---- completions ---------------------------------------------------------------------------------------------

void SmDriver::run_completions(Cycle before) {
  with_constants(
      [&](auto traced, auto checked, auto contended) { run_completions_as<traced, checked, contended>(before); });
}

template <bool kTraced, bool kChecked, bool kContended>
void SmDriver::run_completions_as(Cycle before) {
  for (;;) {
    const EventTree::Key key = completions_.min();
    const Cycle now = EventTree::time_of(key);
    if (now >= before) return;
    now_ = now;
    // 1. The TB in this slot is done.
    const std::uint32_t leaf = EventTree::leaf_of(key);
    const SmId id{static_cast<std::uint16_t>(leaf >> slot_bits_)};
    const std::uint32_t slot = leaf & ((1U << slot_bits_) - 1);
    Sm& sm = sms_[index(id)];
    KernelRun& kernel = kernels_[index(sm.ksr)];
    policy::KsrEntry& ksr = tables_.ksr(sm.ksr);
    ++kernel.finished_tbs;
    if constexpr (kTraced) emit_tb(record::Kind::kTbFinished, id, slot, now);
    if constexpr (kChecked) monitor_->tb_finished(sm.ksr, slot_tb_[leaf]);
    // 2. Its slot gets the kernel's next TB; all else is rare.
    if (sm.takes_refill && ksr.next_tb < kernel.fresh_end) {
      issue_fresh<kTraced, kChecked, kContended>(sm, kernel, ksr, leaf, now + spec_.gpu.framework.tb_issue_cycles);
      sm.meter.refilled(now, sm.last_start);
      continue;
    }
    complete(id, slot, now);
    return;
  }
}

void SmDriver::complete(SmId id, std::uint32_t slot, Cycle now) {
  Sm& sm = sms_[index(id)];
  // 1. The slot is free.
  slot_free_since_[leaf_of(id, slot)] = now;
  slot_freed(id, slot);
  tables_.remove_resident(id);
  sm.meter.stopped(1, now);
  // 2. Was it the kernel's last TB?
  if (kernels_[index(sm.ksr)].finished_tbs == tables_.ksr(sm.ksr).num_tbs) finish_kernel(sm.ksr, now);
  // 3. A reserved SM that is empty has been preempted; one that is not reserved looks for more work.
  if (is_reserved(id)) {
    if (sm.occupied_slots == sm.flushed_slots) tbs_have_left(id, now);
  } else if (sm.phase == SmPhase::kRunning) {
    fill(id, now);
  }
}

void SmDriver::slot_freed(SmId id, std::uint32_t slot) {
  sms_[index(id)].occupied_slots &= ~(std::uint64_t{1} << slot);
  completions_.clear(leaf_of(id, slot));
}

void SmDriver::finish_kernel(KsrId ksr, Cycle now) {
  finished.push_back(ksr);
  wants_policy = true;
  if (kernels_[index(ksr)].launch.loops != nullptr) loops_->kernel_finished(kernels_[index(ksr)].launch, now);
  // Its SMs that are not reserved hold none of its TBs any more; one in set-up gives that up.
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    const policy::SmEntry& entry = tables_.smst()[i];
    if (entry.status == policy::SmStatus::kRunning && entry.ksr == ksr) release(SmId(i), now);
  }
}

// ---- set-up and issue ----------------------------------------------------------------------------------------

void SmDriver::set_up(SmId id, KsrId ksr, Cycle now) {
  take_over(id, ksr, now);
  timers_.set(static_cast<std::uint32_t>(index(id)), now + spec_.gpu.framework.sm_setup_cycles);
}

void SmDriver::take_over(SmId id, KsrId ksr, Cycle now) {
  Sm& sm = sms_[index(id)];
  const KernelRun& kernel = kernels_[index(ksr)];
  sm.phase = SmPhase::kSettingUp;
  sm.ksr = ksr;
  sm.launch = kernel.id;
  sm.context = kernel.launch.context;
  sm.base_page_table = context_table_.base_page_table(sm.context);
  sm.meter.set_up(tables_.ksr(ksr).tbs_per_sm, kernel.none_waits_from, now);
  record::Record set_up = about(record::Kind::kSmSetUp, id, now);
  set_up.process = kernel.launch.process;
  set_up.kernel = kernel.launch.kernel;
  log_.emit(now, set_up);
}

void SmDriver::set_up_done(SmId id, Cycle now) {
  if (is_reserved(id)) return preemption_done(id, 0, now);  // nothing to save yet
  Sm& sm = sms_[index(id)];
  sm.phase = SmPhase::kRunning;
  sm.takes_refill = takes_refill(id);
  free_slots_from(id, now);
  fill(id, now);
}

// Puts as many TBs on the SM as it has room for: preempted ones first, fresh ones once no handle waits.
void SmDriver::fill(SmId id, Cycle now) {
  Sm& sm = sms_[index(id)];
  if (is_breadth_first_ && wants_issue(id)) return request_issue(id, now + spec_.gpu.framework.tb_issue_cycles);
  const policy::KsrEntry& ksr = tables_.ksr(sm.ksr);
  if (ksr.preempted_tbs > 0 && sm.occupied_slots != slots_of(sm.ksr)) {
    start_restore(id, now);
  } else {
    while (sm.occupied_slots != slots_of(sm.ksr) && ksr.next_tb < kernels_[index(sm.ksr)].fresh_end)
      issue_next(id, now);
  }
  if (sm.occupied_slots == 0) release(id, now);
}

void SmDriver::issue_next(SmId id, Cycle now) { issue_into(id, next_slot(id, now), first_issue_cycle(now)); }

void SmDriver::issue_into(SmId id, std::uint32_t slot, Cycle earliest) {
  Sm& sm = sms_[index(id)];
  KernelRun& kernel = kernels_[index(sm.ksr)];
  policy::KsrEntry& ksr = tables_.ksr(sm.ksr);
  const std::uint32_t leaf = leaf_of(id, slot);
  contention_ != nullptr ? issue_fresh<false, false, true>(sm, kernel, ksr, leaf, earliest)
                         : issue_fresh<false, false, false>(sm, kernel, ksr, leaf, earliest);
  occupy(id, slot);
  sm.meter.started(now_, sm.last_start);
  if (monitor_ != nullptr) monitor_->tb_issued(sm.ksr, slot_tb_[leaf]);
  emit_tb(record::Kind::kTbIssued, id, slot, sm.last_start);
  if (kernel.launch.loops != nullptr) {
    loops_->issued(leaf, kernel.launch.context, slot_tb_[leaf], sm.last_start);
  }
}

void SmDriver::occupy(SmId id, std::uint32_t slot) {
  Sm& sm = sms_[index(id)];
  sm.occupied_slots |= std::uint64_t{1} << slot;
  tables_.add_resident(id);
  if (monitor_ != nullptr) {
    monitor_->check_residents(id, tables_.sm(id).running_tbs, kernels_[index(sm.ksr)].use_per_tb);
  }
}

}  // namespace tessera::tlm_model
