// SPDX-License-Identifier: Apache-2.0
// SMs change hands, and what they were used for is reported (model/record/sm_meter.h).
#include "tlm/execution_engine/sm_control/sm_owners.h"

#include <algorithm>

#include "model/record/numbers.h"
#include "model/spec/spec.h"

namespace tessera::tlm_model {
namespace {

record::Technique technique_of(spec::TechniqueKind technique) {
  switch (technique) {
    case spec::TechniqueKind::kContextSwitch:
      return record::Technique::kContextSwitch;
    case spec::TechniqueKind::kDrain:
      return record::Technique::kDrain;
    case spec::TechniqueKind::kFlush:
      return record::Technique::kFlush;
    case spec::TechniqueKind::kChimera:
      return record::Technique::kChimera;
    case spec::TechniqueKind::kDualKernel:
      return record::Technique::kDualKernel;
  }
  return record::Technique::kNone;
}

}  // namespace

SmOwners::SmOwners(const spec::Spec& spec, policy::SchedulingTables& tables, SmArray& array, record::RecordLog& log)
    : spec_(spec),
      tables_(tables),
      array_(array),
      log_(log),
      technique_(spec.scheduler.technique),
      keeps_turn_(spec::keeps_turn(spec.scheduler)),
      counts_slots_(technique_ != spec::TechniqueKind::kDualKernel),
      sms_(spec.gpu.num_sms) {}

// Where two kernels share an SM, it has no number of slots.
void SmOwners::set_scheduler(const spec::SchedulerSpec& scheduler) {
  technique_ = scheduler.technique;
  keeps_turn_ = spec::keeps_turn(spec_.scheduler) && spec::keeps_turn(scheduler);
  if (technique_ == spec::TechniqueKind::kDualKernel) counts_slots_ = false;
}

// ---- whose an SM is ------------------------------------------------------------------------------------------

void SmOwners::take_over(SmId id, KsrId ksr) {
  own(id, ksr);
  sm(id).phase = SmPhase::kSettingUp;
}

void SmOwners::set_up_begins(SmId id, Cycle now) {
  begin_meter(id, now);
  const KernelLaunch& launch = array_.kernel(sm(id).ksr).launch;
  record::Record set_up = about(record::Kind::kSmSetUp, id, now);
  set_up.process = launch.process;
  set_up.kernel = launch.kernel;
  log_.emit(now, set_up);
}

void SmOwners::pass(SmId id, KsrId ksr, Cycle now) {
  const KernelRun& kernel = array_.kernel(ksr);
  report_use(id, now);
  record::Record passed = about(record::Kind::kSmPassed, id, now);
  passed.launch = static_cast<std::uint32_t>(kernel.id);
  passed.process = kernel.launch.process;
  passed.kernel = kernel.launch.kernel;
  log_.emit(now, passed);
  tables_.hand_over(id);
  report_.wants_policy = true;  // what the kernel has of it is counted otherwise now
  own(id, ksr);
  begin_meter(id, now);
}

void SmOwners::own(SmId id, KsrId ksr) {
  const KernelRun& kernel = array_.kernel(ksr);
  SmOwner& sm = this->sm(id);
  sm.ksr = ksr;
  sm.launch = kernel.id;
  sm.context = kernel.launch.context;
  sm.base_page_table = context_table_.base_page_table(sm.context);
}

void SmOwners::begin_meter(SmId id, Cycle now) {
  const KernelRun& kernel = array_.kernel(sm(id).ksr);
  array_.meter(id).set_up(kernel.tbs_per_sm, kernel.none_waits_from, now);
}

void SmOwners::reserve(SmId id, KsrId next, Cycle now) {
  tables_.reserve(id, next);
  array_.set_refill(id, 0);
  sm(id).technique = technique_;
  preemption_requested(id, next, now);
}

bool SmOwners::retarget(SmId id, KsrId next, Cycle now) {
  tables_.retarget(id, next);
  record::Record retarget = about_preemption(record::Kind::kPreemptionRetargeted, id, now);
  record::number::reserved_for(retarget) = static_cast<std::uint64_t>(array_.kernel(next).id);
  log_.emit(now, retarget);
  // A drain can be cancelled for the owner, a trap cannot (docs/concepts/readings.md, DSS 7).
  const bool is_for_owner = next == sm(id).ksr && array_.kernel(next).id == sm(id).launch;
  if (!is_for_owner || sm(id).technique != spec::TechniqueKind::kDrain) return false;
  tables_.unreserve(id);
  array_.meter(id).preemption_ends(now);
  return true;
}

void SmOwners::evict(SmId id, spec::TechniqueKind technique, Cycle now) {
  const bool is_under_way = is_reserved(id);
  tables_.evict(id);
  if (is_under_way) return;
  array_.set_refill(id, 0);
  sm(id).technique = technique;
  preemption_requested(id, kNoKsr, now);
}

void SmOwners::preemption_requested(SmId id, KsrId next, Cycle now) {
  sm(id).reserved_at = now;
  array_.meter(id).preemption_begins(now);
  record::Record request = about_preemption(record::Kind::kPreemptionRequested, id, now);
  record::number::reserved_for(request) =
      next == kNoKsr ? record::kNoNumber : static_cast<std::uint64_t>(array_.kernel(next).id);
  log_.emit(now, request);
}

void SmOwners::preemption_done(SmId id, std::uint64_t bytes_saved, Cycle now) {
  report_use(id, now);
  record::Record done = about_preemption(record::Kind::kPreemptionDone, id, now);
  done.bytes = bytes_saved;
  done.cycles = now - sm(id).reserved_at;
  log_.emit(now, done);
  array_.meter(id).preemption_ends(now);
}

void SmOwners::release(SmId id, Cycle now) {
  report_use(id, now);
  log_.emit(now, about(record::Kind::kSmReleased, id, now));
  array_.meter(id).released();
  array_.set_refill(id, 0);
  tables_.release(id);
  sm(id).phase = SmPhase::kIdle;
  report_.wants_policy = true;
}

bool SmOwners::are_settled() const {
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    const bool is_settled = sms_[i].phase == SmPhase::kIdle || sms_[i].phase == SmPhase::kRunning;
    if (!is_settled || is_reserved(SmId(i))) return false;
  }
  return true;
}

// ---- what it was used for --------------------------------------------------------------------------------------

void SmOwners::report_use(SmId id, Cycle now) { report_use(id, now, 0); }

void SmOwners::report_use(SmId id, Cycle now, Cycle to_come) {
  record::SmMeter& meter = array_.meter(id);
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

// Of TBs on their way to their slots, the cycles until they run.
Cycle SmOwners::cycles_to_come(SmId id, Cycle now) const {
  Cycle to_come = 0;
  for_each_slot(array_.sm(id).occupied, [&](std::uint32_t slot) {
    if (array_.end_of(id, slot) == kNever) return;
    const Cycle start = array_.start_of(id, slot);
    to_come += start > now ? start - now : 0;
  });
  return to_come;
}

void SmOwners::report_left(KsrId ksr, std::uint64_t num_saved, Cycle end) {
  const KernelRun& kernel = array_.kernel(ksr);
  record::Record left;
  left.cycle = end;
  left.kind = record::Kind::kKernelLeft;
  left.process = kernel.launch.process;
  left.kernel = kernel.launch.kernel;
  left.run = kernel.launch.run;
  left.launch = static_cast<std::uint32_t>(kernel.id);
  record::number::tbs(left) = kernel.tbs.finished;
  left.bytes = kernel.context_bytes_per_tb * (num_saved + array_.num_coming(ksr));
  log_.emit(end, left);
}

record::Record SmOwners::about(record::Kind kind, SmId id, Cycle at) const {
  record::Record record;
  record.cycle = at;
  record.kind = kind;
  record.sm = static_cast<std::uint16_t>(id);
  record.launch = static_cast<std::uint32_t>(sm(id).launch);
  return record;
}

record::Record SmOwners::about_preemption(record::Kind kind, SmId id, Cycle at) const {
  record::Record record = about(kind, id, at);
  record.technique = technique_of(sm(id).technique);
  return record;
}

}  // namespace tessera::tlm_model
