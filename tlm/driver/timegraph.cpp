// SPDX-License-Identifier: Apache-2.0
// Calls, interrupts and timers around the core.
#include "tlm/driver/timegraph.h"

#include <algorithm>
#include <utility>

#include "model/spec/spec.h"
#include "tlm/driver/driver_factory.h"

namespace tessera::tlm_model {

namespace cs = command_scheduling;

namespace {

cs::Accounting core_accounting(spec::Accounting accounting) {
  switch (accounting) {
    case spec::Accounting::kContinuous:
      return cs::Accounting::kContinuous;
    case spec::Accounting::kMeasured:
      return cs::Accounting::kMeasured;
    case spec::Accounting::kAtCompletion:
      break;
  }
  return cs::Accounting::kAtCompletion;
}

cs::TimeGraphParameters core_parameters(const spec::DriverSpec& driver) {
  cs::TimeGraphParameters parameters;
  parameters.accounting = core_accounting(driver.accounting);
  parameters.max_online = driver.max_online;
  parameters.has_online_list_per_engine = driver.online_scope == spec::OnlineScope::kEngine;
  parameters.lets_higher_join = driver.joins == spec::Joins::kHigherPriority;
  parameters.max_history_records = driver.history_records;
  parameters.has_history_per_task = driver.history_scope == spec::HistoryScope::kProcess;
  return parameters;
}

// Those of `events` that happened by then, which leave it.
template <typename Event>
std::vector<Event> take_until(std::vector<Event>& events, Cycle then) {
  const auto first_later =
      std::stable_partition(events.begin(), events.end(), [then](const Event& event) { return event.cycle <= then; });
  std::vector<Event> taken(events.begin(), first_later);
  events.erase(events.begin(), first_later);
  return taken;
}

}  // namespace

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
      core_(core_parameters(spec.driver), this) {
  for (const cs::PlannedReserve& reserve : plan_.reserves) core_.add_reserve(reserve.parameters);
  for (std::uint32_t i = 0; i < spec.processes.size(); ++i) {
    core_.add_task(plan_.tasks[i].parameters);
    const spec::ApplicationSpec& application = spec.applications[spec.processes[i].application];
    tasks_.emplace_back(RingWriter(gpu, i), Streams(application, interrupts, i));
  }
  interrupts.on_completion = [this](HostQueue& queue) { take_note(queue); };
  interrupts.on_tick = [this] { invoke_at(time_.now() + 1); };
  SC_HAS_PROCESS(TimegraphDriver);
  SC_METHOD(invoke);
  sensitive << invocation_;
}

// ---- calls ---------------------------------------------------------------------------------------------------

void TimegraphDriver::open(std::uint32_t process) {
  interrupts_.wait_until_ready();
  gpu_.set_priority(process, plan_.tasks[process].parameters.priority);
}

void TimegraphDriver::submit(std::uint32_t process, std::uint32_t stream, const Work& work, bool ends_group) {
  Task& task = tasks_[process];
  HostQueue& queue = task.streams.queue(stream);
  // 1. Behind what the stream's next work waits for.
  for (const QueuePlace& place : task.streams.barriers(stream)) write(task, queue, wait_for(place));
  // 2. The work, the last of a group with its notifier.
  note_shape(task, spec_.processes[process].application, work);
  Command command = work.command;
  const Command notifier = fence_of(queue);
  const bool is_flagged = ends_group && spec_.driver.notifier == spec::Notifier::kFlag;
  if (is_flagged) {
    command.flags |= notifier.flags;
    command.fence_address = notifier.fence_address;
  }
  write(task, queue, command, work.kernel);
  if (ends_group && !is_flagged) write(task, queue, notifier);
  task.streams.submitted(stream);
  if (!ends_group) return;
  // 3. The GPU hears of it when the driver will have it.
  task.written = {&queue, queue.submitted};
  sleep_until_granted(process);
  task.writer.ring(queue);
}

void TimegraphDriver::note_shape(Task& task, std::uint32_t application, const Work& work) {
  if (work.kernel != nullptr) {
    task.engines |= cs::kComputeEngine;
    task.key.push_back((application + std::uint64_t{1}) << 32 | work.kernel->kernel);
    task.key.push_back(work.kernel->num_tbs);
  } else {
    task.engines |= cs::kCopyEngine;
    task.key.push_back(work.command.direction);
    task.key.push_back(work.command.bytes);
  }
}

// One entry of the ring is kept for the notifier.
void TimegraphDriver::write(Task& task, HostQueue& queue, const Command& command, const KernelDescriptor* kernel) {
  while (!RingWriter::has_room(queue, 2)) sc_core::wait(queue.completion);
  task.writer.write(queue, command, kernel);
}

void TimegraphDriver::sleep_until_granted(std::uint32_t process) {
  arrivals_.push_back({time_.now(), process});
  if (!has_ticks_) invoke_at(time_.now() + 1);
  sc_core::wait(tasks_[process].granted);
}

// No command of its own asks how far the GPU has come: every group's completion is told.
void TimegraphDriver::synchronise(std::uint32_t process, std::optional<std::uint32_t> stream) {
  const Streams& streams = tasks_[process].streams;
  if (stream) return wait_until_passed(streams.last(*stream));
  for (std::uint32_t i = 0; i < streams.size(); ++i) wait_until_passed(streams.last(i));
}

void TimegraphDriver::record_event(std::uint32_t process, std::uint32_t event, std::uint32_t stream) {
  tasks_[process].streams.record(event, stream);
}

// The wait goes with the stream's next group.
void TimegraphDriver::await_event(std::uint32_t process, std::uint32_t event, std::uint32_t stream) {
  Task& task = tasks_[process];
  const std::optional<QueuePlace> place = task.streams.recorded(event);
  HostQueue& queue = task.streams.queue(stream);
  if (!place || place->is_passed() || place->queue == &queue) return;
  write(task, queue, wait_for(*place));
}

void TimegraphDriver::synchronise_event(std::uint32_t process, std::uint32_t event) {
  if (const std::optional<QueuePlace> place = tasks_[process].streams.recorded(event)) wait_until_passed(*place);
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
  const std::uint64_t sm_cycles = gpu_.read_register(reg::kSmCycles + 8 * std::uint64_t{process});
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
  record.value = static_cast<std::uint64_t>(cause);
  record.cycles = cost;
  emit(record);
}

// ---- what the core says --------------------------------------------------------------------------------------

void TimegraphDriver::on_arrived(Cycle, TaskId task, GroupId group, Cycle predicted) {
  emit_group(record::Kind::kGroupArrived, task, group, predicted);
}

void TimegraphDriver::on_suspended(Cycle, TaskId task, GroupId group) {
  emit_group(record::Kind::kGroupSuspended, task, group);
}

// Its doorbell waits for the code that decided so: of the call, where it need not wait, or of the handler.
void TimegraphDriver::on_submitted(Cycle, TaskId id, GroupId group, Cycle predicted) {
  const auto process = static_cast<std::uint32_t>(id);
  const bool has_just_arrived = std::binary_search(arrived_.begin(), arrived_.end(), process);
  const Cycle cost = has_just_arrived && !has_ticks_ ? arrival_cost(process) : completion_cycles_;
  const Cycle doorbell = told_ + std::max<Cycle>(1, cost);
  Task& task = tasks_[process];
  task.online.push_back({group, task.written});
  task.granted.notify(time_.until(doorbell));
  emit_group(record::Kind::kGroupSubmitted, id, group, predicted, doorbell - time_.now());
}

void TimegraphDriver::on_completed(Cycle, TaskId task, GroupId group, Cycle charged) {
  emit_group(record::Kind::kGroupDone, task, group, charged);
}

void TimegraphDriver::on_replenished(Cycle, ReserveId reserve, std::int64_t budget) {
  record::Record record;
  record.kind = record::Kind::kBudgetReplenished;
  record.value = static_cast<std::uint64_t>(reserve);
  record.cycles = budget > 0 ? static_cast<std::uint64_t>(budget) : 0;
  record.bytes = budget < 0 ? static_cast<std::uint64_t>(-budget) : 0;
  emit(record);
}

void TimegraphDriver::emit_group(record::Kind kind, TaskId task, GroupId group, Cycle cycles, std::uint64_t bytes) {
  record::Record record;
  record.kind = kind;
  record.process = static_cast<std::uint16_t>(task);
  record.value = group;
  record.cycles = cycles;
  record.bytes = bytes;
  emit(record);
}

void TimegraphDriver::emit(record::Record record) {
  record.cycle = time_.now();
  log_.emit(time_.now(), record);
}

}  // namespace tessera::tlm_model
