// SPDX-License-Identifier: Apache-2.0
// Looks at the tables, timers of slices and switches, records.
#include "tlm/execution_engine/turn_keeper.h"

#include <algorithm>

#include "model/record/numbers.h"
#include "model/spec/core_cycles.h"
#include "model/spec/policies.h"
#include "model/spec/spec.h"

namespace tessera::tlm_model {

TurnKeeper::TurnKeeper(SmParts& parts, const ISmDriver& driver, TimerLeaves leaves)
    : spec_(parts.spec),
      tables_(parts.tables),
      driver_(driver),
      timers_(parts.timers),
      log_(parts.log),
      leaves_(leaves),
      ratio_(spec::has_one_job_engine(spec_) ? spec_.scheduler.tbs_per_cycle : 1),
      pin_cycles_(spec::has_one_job_engine(spec_) ? 1 : 0),
      scheduler_(spec_.scheduler),
      turn_(spec_.scheduler, static_cast<std::uint32_t>(spec_.processes.size())),
      is_on_(spec::keeps_turn(spec_.scheduler)) {
  for (std::size_t i = 0; i < spec_.processes.size(); ++i) {
    set_listed(ContextId(i), true);
    set_slice_end(ContextId(i), spec_.processes[i].slice_end);
  }
  seen_ = turn_.seen(listed_);
}

void TurnKeeper::policy_written(const spec::SchedulerSpec& scheduler) {
  scheduler_ = scheduler;
  is_on_ = spec::keeps_turn(spec_.scheduler) && spec::keeps_turn(scheduler);
  turn_.restart(scheduler);
  timers_.clear(leaves_.switch_over);
  if (is_on_) timers_.clear(leaves_.slice);
}

spec::TechniqueKind TurnKeeper::eviction() const {
  switch (turn_.eviction()) {
    case spec::SliceEnd::kDrain:
      return spec::TechniqueKind::kDrain;
    case spec::SliceEnd::kContextSwitch:
      if (scheduler_.technique == spec::TechniqueKind::kDrain) return spec::TechniqueKind::kContextSwitch;
      break;
    case spec::SliceEnd::kWait:
    case spec::SliceEnd::kTechnique:
      break;
  }
  return scheduler_.technique;
}

// ---- looks ---------------------------------------------------------------------------------------------------

policy::TurnEvents TurnKeeper::look(const OfferedLaunches& offered, Cycle core) {
  turn_.commit();
  if (!is_on_) return {};
  seen_ = turn_.seen(listed_);
  const policy::TurnView now = view(offered);
  run_slice_timer(turn_.wants_slice_timer(now), core);
  if (has_begun_in(core)) return {};
  const policy::TurnEvents events = turn_.look(now);
  if (events.switch_starts) start_switch(core);
  report(events, turn_.owner(), core);
  return events;
}

policy::TurnEvents TurnKeeper::switch_over(Cycle now) {
  timers_.clear(leaves_.switch_over);
  const policy::TurnEvents events = turn_.switch_over();
  switch_over_at_ = now * ratio_;
  report(events, turn_.owner(), switch_over_at_);
  return events;
}

policy::TurnView TurnKeeper::view(const OfferedLaunches& offered) const {
  policy::TurnView view;
  view.listed = listed_;
  view.queued = waiting_;
  for (const policy::CommandEntry& command : tables_.command_buffers()) {
    if (command.is_valid) view.queued.set(bit(command.context));
  }
  for (const auto& launches : offered) {
    for (const KernelLaunch& launch : launches) view.queued.set(bit(launch.context));
  }
  for (const KsrId id : tables_.active_queue()) view.active.set(bit(tables_.ksr(id).context));
  view.is_any_sm_used = driver_.is_any_sm_used();
  view.is_any_sm_changing_hands = turn_.is_tick_waiting() && driver_.is_any_sm_changing_hands();
  return view;
}

// ---- timers --------------------------------------------------------------------------------------------------

Cycle TurnKeeper::slice_cycles() const {
  const std::optional<Picoseconds>& own = spec_.processes[index(turn_.owner())].time_slice;
  return std::max<Cycle>(1, Clock(spec_.gpu.clock_hz).cycles_in(own.value_or(scheduler_.time_slice)));
}

// The part of the switch that lies in the slice has passed when the context comes.
void TurnKeeper::run_slice_timer(bool is_wanted, Cycle core) {
  const bool is_running = timers_.time(leaves_.slice) != kNever;
  if (is_running == is_wanted) return;
  if (!is_wanted) return timers_.clear(leaves_.slice);
  const Cycle now = core / ratio_;
  const bool has_just_switched = switch_over_at_ != kNever && switch_over_at_ + pin_cycles_ == core;
  const Cycle passed =
      pin_cycles_ +
      (has_just_switched ? Clock(spec_.gpu.clock_hz).cycles_in(spec_.gpu.framework.gpu_switch.in_slice) : 0);
  const Cycle over = now + slice_cycles();
  timers_.set(leaves_.slice, std::max(over - std::min(over, passed), now + 1));
}

void TurnKeeper::tick(Cycle now) {
  turn_.tick();
  timers_.set(leaves_.slice, now + slice_cycles());
}

void TurnKeeper::start_switch(Cycle core) {
  const spec::GpuSwitchSpec& costs = spec_.gpu.framework.gpu_switch;
  const Cycle cost = Clock(spec_.gpu.clock_hz).cycles_in(turn_.runs() ? costs.preempted : costs.dry);
  timers_.set(leaves_.switch_over, std::max(core / ratio_ + cost, (core + pin_cycles_ + ratio_ - 1) / ratio_));
}

// ---- the log -------------------------------------------------------------------------------------------------

void TurnKeeper::report(const policy::TurnEvents& events, ContextId owner, Cycle core) {
  const Cycle now = core / ratio_;
  record::Record record;
  record.cycle = now;
  record.process = static_cast<std::uint16_t>(index(owner));
  if (events.passed) {
    record.kind = record::Kind::kTurnPassed;
    record::number::turn_cause(record) = static_cast<std::uint64_t>(*events.passed);  // a TurnCause, in the same order
    passed_at_ = now;
    log_.emit(now, record);
  }
  if (events.began) {
    began_at_ = core;
    record.kind = record::Kind::kTurnBegan;
    record.cycles = passed_at_ == kNever ? 0 : now - passed_at_;
    log_.emit(now, record);
  }
}

}  // namespace tessera::tlm_model
