// SPDX-License-Identifier: Apache-2.0
// From pins to records.
#include "rtl_model/observe/recorder.h"

#include <algorithm>

#include "model/spec/scheduler_spec.h"
#include "rtl_model/params.h"
#include "rtl_model/policy/policy_register.h"

namespace tessera::rtl_model {

using record::Kind;

namespace {

record::Technique technique_of(const PolicyRegister& policy) {
  if (policy.is_draining()) return record::Technique::kDrain;
  return policy.is_flushing() ? record::Technique::kFlush : record::Technique::kContextSwitch;
}

}  // namespace

Recorder::Recorder(const Params& params, record::RecordLog& log, record::InvariantMonitor* monitor)
    : log_(log),
      monitor_(monitor),
      max_tbs_per_sm_(params.max_tbs_per_sm),
      num_sms_(params.num_sms),
      technique_(technique_of(PolicyRegister::of(policy_register(params.scheduler)))),
      slice_ends_(params.slice_ends),
      sms_(params.num_sms),
      kernels_(params.num_ksrs),
      buffer_descriptor_(params.num_command_buffers),
      buffer_tbs_per_sm_(params.num_command_buffers) {
  for (SmView& sm : sms_) sm.starts.resize(params.max_tbs_per_sm);
}

// ---- the scheduler's pins ------------------------------------------------------------------------------------

void Recorder::watch(const ClockCount& clock) {
  const SchedulerInputs& in = engine_->inputs();
  const ISchedulerCore& scheduler = engine_->scheduler();
  const EventPins& events = scheduler.events_d();
  const Cycle now = clock.sm;
  has_changed_hands_ = false;
  if (monitor_ != nullptr) monitor_->set_now(now);
  const bool writes_policy = in.control.valid && in.control.reg == ControlRegister::kPolicy;
  const PolicyRegister written = PolicyRegister::of(in.control.data);
  if (writes_policy && written.has_technique()) technique_ = technique_of(written);
  if (writes_policy) is_turn_passed_ = false;
  const bool writes_slice_end = in.control.valid && in.control.reg == ControlRegister::kSliceEnd;
  if (writes_slice_end) slice_ends_[in.control.context] = static_cast<spec::SliceEnd>(in.control.data & 3);
  if (in.command.valid) command_accepted(now);
  if (!engine_->is_core_active()) return;
  if (events.policy_invoked) {
    invoked_at_ = now;
    until_first_move_ = 0;
    record::Record invoked;
    invoked.cycle = now;
    invoked.kind = Kind::kPolicyInvoked;
    log_.emit(now, invoked);
  }
  if (events.activated) activated(events, now);
  // The counters of who was given SMs follow the last of them.
  if (gives_ && scheduler.usage_d().valid) {
    has_changed_hands_ = true;
    gives_ = false;
  }
  if (events.moved) moved(events, now);
  if (events.evicted) evicted(now);
  if (events.turn_passed || events.turn_began) turn_changed(events, now);
  if (scheduler.kernel_done_d().valid) kernel_finished(now);
  if (events.preempted) preemption_over(events, now);
  if (events.released && !events.preempted) released(events.sm, now);
  if (events.policy_decided) {
    record::Record decided;
    decided.cycle = now;
    decided.kind = Kind::kPolicyDecided;
    decided.cycles = now - invoked_at_;
    decided.value = until_first_move_;
    log_.emit(now, decided);
    sms_withheld(events.withheld, now);
  }
}

// Idle ones: those that the policy may not give to whom needs them.
void Recorder::sms_withheld(bool is_any, Cycle now) {
  if (!is_any && !is_any_withheld_) return;
  is_any_withheld_ = is_any;
  const auto is_idle = [](const SmView& sm) { return !sm.is_owned; };
  record::Record withheld;
  withheld.cycle = now;
  withheld.kind = Kind::kSmsWithheld;
  if (is_any) withheld.value = static_cast<std::uint64_t>(std::count_if(sms_.begin(), sms_.end(), is_idle));
  log_.emit(now, withheld);
}

void Recorder::command_accepted(Cycle now) {
  const CommandPins& command = engine_->inputs().command;
  buffer_descriptor_[command.buffer] = command.descriptor;
  buffer_tbs_per_sm_[command.buffer] = command.tbs_per_sm;
  log_.emit(now, about_kernel(Kind::kKernelArrived, engine_->launches().at(command.descriptor), now));
}

void Recorder::activated(const EventPins& events, Cycle now) {
  KernelView& kernel = kernels_[events.ksr];
  kernel = {};
  kernel.launch = engine_->launches().at(buffer_descriptor_[events.buffer]);
  kernel.is_active = true;
  kernel.tbs_per_sm = buffer_tbs_per_sm_[events.buffer];
  has_changed_hands_ = true;
  if (monitor_ != nullptr) monitor_->kernel_activated(KsrId(events.ksr), kernel.launch.num_tbs);
  log_.emit(now, about_kernel(Kind::kKernelActivated, kernel.launch, now));
}

void Recorder::moved(const EventPins& events, Cycle now) {
  has_changed_hands_ = events.move != MoveKind::kAssign;
  gives_ = !has_changed_hands_;
  if (until_first_move_ == 0) until_first_move_ = now - invoked_at_;
  if (events.move == MoveKind::kAssign) return set_up(events.sm, events.ksr, now);
  const auto reserved_for = static_cast<std::uint64_t>(kernels_[events.ksr].launch.id);
  if (events.move == MoveKind::kReserve) return preemption_requested(events.sm, technique_, reserved_for, now);
  SmView& sm = sms_[events.sm];
  record::Record move = about_sm(Kind::kPreemptionRetargeted, events.sm, now);
  move.technique = sm.technique;
  move.value = reserved_for;
  log_.emit(now, move);
  if (!events.cancelled) return;
  sm.is_reserved = false;
  sm.meter.preemption_ends(now);
}

void Recorder::preemption_requested(std::uint32_t sm, record::Technique technique, std::uint64_t reserved_for,
                                    Cycle now) {
  SmView& view = sms_[sm];
  view.is_reserved = true;
  view.reserved_at = now;
  view.technique = technique;
  view.meter.preemption_begins(now);
  record::Record requested = about_sm(Kind::kPreemptionRequested, sm, now);
  requested.technique = technique;
  requested.value = reserved_for;
  log_.emit(now, requested);
}

// All SMs lose their kernels; those that were being emptied, the one that was to get them.
void Recorder::evicted(Cycle now) {
  has_changed_hands_ = true;
  const std::uint32_t owner = engine_->scheduler().outputs().turn;
  const spec::SliceEnd slice_end = is_turn_passed_ ? slice_ends_[owner] : spec::SliceEnd::kTechnique;
  record::Technique technique = technique_;
  if (slice_end == spec::SliceEnd::kDrain) technique = record::Technique::kDrain;
  const bool saves = slice_end == spec::SliceEnd::kContextSwitch && technique == record::Technique::kDrain;
  if (saves) technique = record::Technique::kContextSwitch;
  for (std::uint32_t sm = 0; sm < num_sms_; ++sm) {
    if (sms_[sm].is_owned && !sms_[sm].is_reserved) preemption_requested(sm, technique, record::kNoNumber, now);
  }
}

void Recorder::turn_changed(const EventPins& events, Cycle now) {
  record::Record turn;
  turn.cycle = now;
  turn.kind = events.turn_passed ? Kind::kTurnPassed : Kind::kTurnBegan;
  turn.process = static_cast<std::uint16_t>(engine_->scheduler().outputs().turn);
  if (events.turn_passed) {
    turn.value = static_cast<std::uint64_t>(events.turn_cause);
    turn_passed_at_ = now;
  } else if (turn_passed_at_) {
    turn.cycles = now - *turn_passed_at_;
  }
  is_turn_passed_ = events.turn_passed;
  log_.emit(now, turn);
}

void Recorder::preemption_over(const EventPins& events, Cycle now) {
  SmView& sm = sms_[events.sm];
  has_changed_hands_ = true;
  tbs_saved(events.sm, now);
  report_use(events.sm, now);
  record::Record done = about_sm(Kind::kPreemptionDone, events.sm, now);
  done.technique = sm.technique;
  done.bytes = sm.saved_bytes;
  done.cycles = now - sm.reserved_at;
  log_.emit(now, done);
  sm.is_reserved = false;
  sm.meter.preemption_ends(now);
  sm.saved_bytes = 0;
  if (events.released) {
    released(events.sm, now);
  } else {
    set_up(events.sm, events.ksr, now);
  }
}

// The whole save is complete.
void Recorder::tbs_saved(std::uint32_t sm, Cycle now) {
  SmView& view = sms_[sm];
  KernelView& kernel = kernels_[view.ksr];
  const auto count = static_cast<std::uint32_t>(view.saved.size());
  view.residents -= count;
  if (count + view.flushed > 0) wait_again(kernel, now);
  kernel.open_saves += count;
  for (const auto& [slot, tb] : view.saved) {
    if (monitor_ != nullptr) monitor_->tb_saved(KsrId(view.ksr), tb);
    emit_tb(Kind::kTbSaved, sm, slot, tb, now, view.launch.context_bytes_per_tb(), now);
  }
  view.saved.clear();
  kernel.open_flushes += view.flushed;
  if (monitor_ != nullptr && count + view.flushed > 0) {
    monitor_->check_ptbq(KsrId(view.ksr), kernel.open_saves + kernel.open_flushes, num_sms_ * max_tbs_per_sm_);
  }
  view.flushed = 0;
}

void Recorder::kernel_finished(Cycle now) {
  const std::uint64_t descriptor = engine_->scheduler().kernel_done_d().descriptor;
  finished.push_back({descriptor, now});
  const Launch& launch = engine_->launches().at(descriptor);
  std::uint32_t ksr = 0;
  while (!kernels_[ksr].is_active || kernels_[ksr].launch.id != launch.id) ++ksr;
  kernels_[ksr].is_active = false;
  record::Record done = about_kernel(Kind::kKernelFinished, launch, now);
  done.value = kernels_[ksr].finished_tbs;
  log_.emit(now, done);
  if (launch.loops != nullptr) loops_left(kernels_[ksr], now);
  if (monitor_ != nullptr) monitor_->kernel_finished(KsrId(ksr));
  for (std::uint32_t sm = 0; sm < num_sms_; ++sm) {
    if (sms_[sm].is_owned && !sms_[sm].is_reserved && sms_[sm].launch.id == launch.id) released(sm, now);
  }
}

void Recorder::set_up(std::uint32_t sm, std::uint32_t ksr, Cycle now) {
  SmView& view = sms_[sm];
  view.launch = kernels_[ksr].launch;
  view.ksr = ksr;
  view.is_owned = true;
  view.meter.set_up(kernels_[ksr].tbs_per_sm, kernels_[ksr].none_waits_from, now);
  record::Record set_up = about_sm(Kind::kSmSetUp, sm, now);
  set_up.process = view.launch.process;
  set_up.kernel = view.launch.kernel;
  log_.emit(now, set_up);
}

void Recorder::released(std::uint32_t sm, Cycle now) {
  has_changed_hands_ = true;
  report_use(sm, now);
  log_.emit(now, about_sm(Kind::kSmReleased, sm, now));
  sms_[sm].is_owned = false;
  sms_[sm].meter.released();
}

// ---- use of SMs ----------------------------------------------------------------------------------------------

// The kernel's TBs that wait have been counted without this one.
void Recorder::start_running(SmView& sm, std::uint32_t slot, Cycle start) {
  KernelView& kernel = kernels_[sm.ksr];
  sm.meter.started(engine_->clock().sm, start);
  sm.starts[slot] = start;
  const bool waits = kernel.fresh_tbs < kernel.launch.num_tbs || kernel.open_saves + kernel.open_flushes > 0;
  if (!waits) kernel.none_waits_from = std::max(start, kernel.last_fresh_start);
}

void Recorder::wait_again(KernelView& kernel, Cycle now) {
  for (SmView& sm : sms_) {
    if (sm.meter.is_of(kernel.none_waits_from)) sm.meter.count_until(now);
  }
  kernel.none_waits_from = kNever;
}

void Recorder::report_use(std::uint32_t sm, Cycle now, Cycle to_come) {
  record::SmMeter& meter = sms_[sm].meter;
  record::Record busy = about_sm(Kind::kSmBusy, sm, now);
  busy.cycles = meter.take_busy_cycles(now);
  if (busy.cycles > 0) log_.emit(now, busy);
  std::optional<record::Record> slots = meter.take_slots(now, to_come);
  if (!slots) return;
  slots->sm = busy.sm;
  slots->launch = busy.launch;
  log_.emit(now, *slots);
}

void Recorder::finish(Cycle end) {
  for (std::uint32_t sm = 0; sm < num_sms_; ++sm) {
    Cycle to_come = 0;
    for (const Cycle start : sms_[sm].starts) to_come += start > end ? start - end : 0;
    report_use(sm, end, to_come);
  }
  for (const KernelView& kernel : kernels_) {
    if (!kernel.is_active) continue;
    record::Record left = about_kernel(Kind::kKernelLeft, kernel.launch, end);
    left.value = kernel.finished_tbs;
    left.bytes = kernel.launch.context_bytes_per_tb() * kernel.open_saves;
    log_.emit(end, left);
  }
}

// ---- records -------------------------------------------------------------------------------------------------

void Recorder::check_residents(std::uint32_t sm) {
  const Launch& launch = sms_[sm].launch;
  monitor_->check_residents(SmId(sm), sms_[sm].residents,
                            {launch.regs_per_tb, launch.smem_bytes_per_tb, launch.threads_per_tb, 1});
}

record::Record Recorder::about_kernel(Kind kind, const Launch& launch, Cycle now) const {
  record::Record record;
  record.cycle = now;
  record.kind = kind;
  record.process = launch.process;
  record.kernel = launch.kernel;
  record.run = launch.run;
  record.launch = static_cast<std::uint32_t>(launch.id);
  return record;
}

record::Record Recorder::about_sm(Kind kind, std::uint32_t sm, Cycle now) const {
  record::Record record;
  record.cycle = now;
  record.kind = kind;
  record.sm = static_cast<std::uint16_t>(sm);
  record.launch = static_cast<std::uint32_t>(sms_[sm].launch.id);
  return record;
}

void Recorder::emit_tb(Kind kind, std::uint32_t sm, std::uint32_t slot, std::uint32_t tb, Cycle at, std::uint64_t bytes,
                       Cycle now) {
  if (!log_.wants_per_tb()) return;
  record::Record record = about_sm(kind, sm, at);
  record.slot = static_cast<std::uint16_t>(slot);
  record.tb = tb;
  record.bytes = bytes;
  log_.emit(now, record);
}

}  // namespace tessera::rtl_model
