// SPDX-License-Identifier: Apache-2.0
// Interrupts and timers around the core.
#include "tlm/driver/timegraph.h"

#include <algorithm>
#include <utility>

#include "model/record/driver/driver_facts.h"
#include "model/record/numbers.h"
#include "model/spec/spec.h"
#include "tlm/driver/driver_factory.h"
#include "tlm/driver/take_until.h"

namespace tessera::tlm_model {

namespace cs = command_scheduling;

TimegraphDriver::TimegraphDriver(const sc_core::sc_module_name& name, const spec::Spec& spec, GpuPort& gpu,
                                 InterruptService& interrupts, record::RecordLog& log)
    : sc_module(name),
      spec_(spec),
      gpu_(gpu),
      interrupts_(interrupts),
      log_(log),
      time_(spec.gpu.clock_hz),
      has_ticks_(tick_of(spec) > 0),
      arrival_cycles_(time_.clock().cycles_in(spec.driver.arrival)),
      completion_cycles_(time_.clock().cycles_in(spec.driver.completion)),
      prediction_cycles_(time_.clock().cycles_in(spec.driver.prediction)),
      plan_(cs::make_task_table(spec)),
      core_(cs::parameters_of(spec.driver), this) {
  for (const cs::PlannedReserve& reserve : plan_.reserves) core_.add_reserve(reserve.parameters);
  for (std::uint32_t i = 0; i < spec.processes.size(); ++i) {
    core_.add_task(plan_.tasks[i].parameters);
    const spec::ApplicationSpec& application = spec.applications[spec.processes[i].application];
    tasks_.emplace_back(RingWriter(gpu, i), HeldStreams(application, interrupts, i));
  }
  interrupts.on_completion = [this](HostQueue& queue) { take_note(queue); };
  interrupts.on_tick = [this] { invoke_at(time_.now() + 1); };
  SC_HAS_PROCESS(TimegraphDriver);
  SC_METHOD(invoke);
  sensitive << invocation_;
}

// ---- interrupts ----------------------------------------------------------------------------------------------

// One interrupt may tell of several groups.
void TimegraphDriver::take_note(HostQueue& queue) {
  const std::uint32_t process = interrupts_.process_of(queue);
  std::deque<OnlineGroup>& online = tasks_[process].online;
  const auto is_done = [&queue](const OnlineGroup& group) {
    return group.end.queue == &queue && group.end.is_passed();
  };
  for (const OnlineGroup& group : online) {
    if (is_done(group)) completions_.push_back({time_.now(), group.id, measure(process)});
  }
  online.erase(std::remove_if(online.begin(), online.end(), is_done), online.end());
  if (!has_ticks_) invoke_at(time_.now() + 1);
}

// The time for which the whole GPU would have done what the process's thread blocks occupied.
Cycle TimegraphDriver::measure(std::uint32_t process) {
  if (spec_.driver.accounting != spec::Accounting::kMeasured) return 0;
  Task& task = tasks_[process];
  const std::uint64_t sm_cycles = gpu_.sm_cycles(process);
  const Cycle used = (sm_cycles - task.sm_cycles_charged) / spec_.gpu.num_sms;
  task.sm_cycles_charged += used * spec_.gpu.num_sms;
  return used;
}

// ---- invocations ---------------------------------------------------------------------------------------------

void TimegraphDriver::invoke() {
  if (time_.now() > 0) look_at_what_happened();
  if (!has_ticks_) plan_invocation();
}

void TimegraphDriver::look_at_what_happened() {
  told_ = time_.now() - 1;
  if (has_ticks_) note_invocation(record::DriverCause::kTick, completion_cycles_);
  change_focus();
  take_completions();
  take_replenishments();
  take_arrivals();
  core_.dispatch(told_);
}

void TimegraphDriver::change_focus() {
  const std::vector<spec::Focus>& focus = spec_.driver.focus;
  while (next_focus_ < focus.size() && time_.clock().cycles_in(focus[next_focus_].at) <= told_) {
    core_.set_foreground(TaskId(focus[next_focus_].process));
    ++next_focus_;
  }
}

void TimegraphDriver::take_completions() {
  std::vector<Completion> done = take_until(completions_, told_);
  if (done.empty()) return;
  note_invocation(record::DriverCause::kCompletion, completion_cycles_);
  std::sort(done.begin(), done.end(), [](const Completion& a, const Completion& b) { return a.group < b.group; });
  for (const Completion& completion : done) core_.complete(told_, completion.group, completion.used);
}

void TimegraphDriver::take_replenishments() {
  if (core_.next_replenishment() > told_) return;
  note_invocation(record::DriverCause::kReplenishment, completion_cycles_);
  core_.replenish(told_);
}

void TimegraphDriver::take_arrivals() {
  arrived_.clear();
  for (const Arrival& arrival : take_until(arrivals_, told_)) arrived_.push_back(arrival.process);
  std::sort(arrived_.begin(), arrived_.end());
  for (const std::uint32_t process : arrived_) {
    Task& task = tasks_[process];
    note_invocation(record::DriverCause::kArrival, arrival_cost(process));
    core_.arrive(told_, TaskId(process), task.key, task.engines);
    task.key.clear();
    task.engines = 0;
  }
}

// Whatever happens next; SystemC keeps the earliest of the times that an event is notified of.
void TimegraphDriver::plan_invocation() {
  if (!completions_.empty() || !arrivals_.empty()) invoke_at(time_.now() + 1);
  if (core_.next_replenishment() != kNever) invoke_at(core_.next_replenishment() + 1);
  const std::vector<spec::Focus>& focus = spec_.driver.focus;
  if (next_focus_ < focus.size()) invoke_at(time_.clock().cycles_in(focus[next_focus_].at) + 1);
}

Cycle TimegraphDriver::arrival_cost(std::uint32_t process) const {
  const std::optional<ReserveId> reserve = plan_.tasks[process].parameters.reserve;
  const bool predicts = reserve && plan_.reserves[static_cast<std::size_t>(*reserve)].parameters.enforces_apriori;
  return arrival_cycles_ + (predicts ? prediction_cycles_ : 0);
}

void TimegraphDriver::note_invocation(record::DriverCause cause, Cycle cost) {
  record::Record record;
  record.kind = record::Kind::kDriverInvoked;
  record::number::cause(record) = static_cast<std::uint64_t>(cause);
  record.cycles = cost;
  emit(record);
}

// ---- what the core says --------------------------------------------------------------------------------------

void TimegraphDriver::on_arrived(Cycle, TaskId task, GroupId group, Cycle predicted) {
  record::Record arrived = about(record::Kind::kGroupArrived, task, group);
  record::number::predicted(arrived) = predicted;
  emit(arrived);
}

void TimegraphDriver::on_suspended(Cycle, TaskId task, GroupId group) {
  emit(about(record::Kind::kGroupSuspended, task, group));
}

// Its doorbell waits for the code that decided so: of the call, where it need not wait, or of the handler.
void TimegraphDriver::on_submitted(Cycle, TaskId id, GroupId group, Cycle predicted) {
  const auto process = static_cast<std::uint32_t>(id);
  const bool has_just_arrived = std::binary_search(arrived_.begin(), arrived_.end(), process);
  const Cycle cost = has_just_arrived && !has_ticks_ ? arrival_cost(process) : completion_cycles_;
  const Cycle doorbell = told_ + std::max<Cycle>(1, cost);
  Task& task = tasks_[process];
  task.online.push_back({group, task.written});
  task.doorbell = doorbell;
  task.granted.notify(time_.until(doorbell));
  record::Record submitted = about(record::Kind::kGroupSubmitted, id, group);
  record::number::predicted(submitted) = predicted;
  record::number::until_doorbell(submitted) = doorbell - time_.now();
  emit(submitted);
}

void TimegraphDriver::on_completed(Cycle, TaskId task, GroupId group, Cycle charged) {
  record::Record done = about(record::Kind::kGroupDone, task, group);
  record::number::charged(done) = charged;
  emit(done);
}

void TimegraphDriver::on_replenished(Cycle, ReserveId reserve, std::int64_t budget) {
  record::Record replenished;
  replenished.kind = record::Kind::kBudgetReplenished;
  record::number::reserve(replenished) = static_cast<std::uint64_t>(reserve);
  record::set_budget(replenished, budget);
  emit(replenished);
}

record::Record TimegraphDriver::about(record::Kind kind, TaskId task, GroupId group) {
  record::Record record;
  record.kind = kind;
  record.process = static_cast<std::uint16_t>(task);
  record::number::group(record) = group;
  return record;
}

void TimegraphDriver::emit(record::Record record) {
  record.cycle = time_.now();
  log_.emit(time_.now(), record);
}

}  // namespace tessera::tlm_model
