// SPDX-License-Identifier: Apache-2.0
// Calls, interrupts and timers around the core. How a suspension reaches the GPU stands in xsched_stops.cpp.
#include "tlm/driver/xsched.h"

#include <algorithm>

#include "model/record/numbers.h"
#include "model/spec/spec.h"
#include "model/workload/draws.h"
#include "model/workload/tb_durations.h"
#include "tlm/driver/take_until.h"
#include "tlm/interconnect/pcie_link.h"

namespace tessera::tlm_model {

namespace cs = command_scheduling;

namespace {

constexpr Picoseconds kPoll = 1'000'000;  // between two looks at a counter

cs::SuspensionParameters parameters_of(const spec::SuspensionSpec& spec, const Clock& clock) {
  return {clock.cycles_in(spec.min_run), clock.cycles_in(spec.max_run), clock.cycles_in(spec.min_pause),
          clock.cycles_in(spec.max_pause), clock.cycles_in(spec.slack)};
}

}  // namespace

XschedDriver::XschedDriver(const sc_core::sc_module_name& name, const spec::Spec& spec, GpuPort& gpu,
                           InterruptService& interrupts, record::RecordLog& log)
    : sc_module(name),
      gpu_(gpu),
      interrupts_(interrupts),
      log_(log),
      time_(spec.gpu.clock_hz),
      suspend_cycles_(time_.clock().cycles_in(spec.driver.xsched.suspend)),
      resume_cycles_(time_.clock().cycles_in(spec.driver.xsched.resume)),
      round_trip_(std::max<Cycle>(1, PcieLink(spec.gpu).round_trip())),
      poll_(std::max<Cycle>(1, time_.clock().cycles_in(kPoll))),
      core_(cs::xsched_parameters(spec), *this) {
  for (std::uint32_t i = 0; i < spec.processes.size(); ++i) {
    const spec::ApplicationSpec& application = spec.applications[spec.processes[i].application];
    Task& task = tasks_.emplace_back(RingWriter(gpu, i), HeldStreams(application, interrupts, i));
    task.level = spec.driver.xsched.task(i).level;
  }
  if (const auto& suspensions = spec.driver.xsched.suspensions) {
    const std::uint64_t key = workload::stream_key(workload::launch_key(spec.seed, suspensions->process, 0, 0),
                                                   workload::Stream::kSuspensions);
    Outsider& outsider = outsider_.emplace(
        Outsider{suspensions->process, cs::Suspensions(parameters_of(*suspensions, time_.clock()), key)});
    outsider.due = time_.clock().cycles_in(spec.processes[outsider.process].start) + outsider.times.next_run();
  }
  interrupts.on_completion = [this](HostQueue& queue) { take_note(queue); };
  SC_HAS_PROCESS(XschedDriver);
  SC_METHOD(invoke);
  sensitive << invocation_;
}

// ---- calls and interrupts ------------------------------------------------------------------------------------

void XschedDriver::open(std::uint32_t) { interrupts_.wait_until_ready(); }

// Groups mean nothing here: each launch, copy or graph is held back by itself.
void XschedDriver::submit(std::uint32_t process, std::uint32_t stream, const Work& work, bool) {
  Task& task = tasks_[process];
  HostQueue& queue = task.streams.queue(stream);
  write_behind_waits(task.writer, task.streams, stream, work, true);
  task.streams.submitted(stream);
  task.held.push_back({&queue, queue.submitted});
  arrivals_.push_back({time_.now(), process, 1});
  invoke_at(time_.now() + 1);
}

// One interrupt may tell of several launches.
void XschedDriver::take_note(HostQueue& queue) {
  const std::uint32_t process = interrupts_.process_of(queue);
  std::vector<QueuePlace>& in_flight = tasks_[process].in_flight;
  const auto is_done = [](const QueuePlace& place) { return place.is_passed(); };
  const auto first_done = std::remove_if(in_flight.begin(), in_flight.end(), is_done);
  const auto launches = static_cast<std::uint32_t>(in_flight.end() - first_done);
  in_flight.erase(first_done, in_flight.end());
  if (launches == 0) return;
  completions_.push_back({time_.now(), process, launches});
  invoke_at(time_.now() + 1);
}

// ---- invocations ---------------------------------------------------------------------------------------------

void XschedDriver::invoke() {
  const Cycle now = time_.now();
  if (now > 0) {
    // 1. What happened up to the cycle before.
    take_completions(now - 1);
    take_arrivals(now - 1);
    act_as_outsider(now);
    // 2. What follows from it.
    core_.dispatch(now);
    // 3. Suspensions on their way.
    for (std::uint32_t process = 0; process < tasks_.size(); ++process) {
      write_registers(process, now);
      look_at(process, now);
      judge_stop(process, now);
    }
  }
  plan_invocation(now);
}

void XschedDriver::take_completions(Cycle then) {
  std::vector<std::uint32_t> done(tasks_.size());
  for (const Event& event : take_until(completions_, then)) done[event.process] += event.launches;
  for (std::uint32_t process = 0; process < done.size(); ++process) {
    if (done[process] == 0) continue;
    emit(record::Kind::kLaunchesDone, TaskId(process), done[process], 0);
    core_.complete(TaskId(process), done[process]);
    if (tasks_[process].is_halted) tasks_[process].look = time_.now();
  }
}

void XschedDriver::take_arrivals(Cycle then) {
  for (const Event& event : take_until(arrivals_, then)) core_.arrive(TaskId(event.process));
}

// Whatever happens next; SystemC keeps the earliest of the times that an event is notified of.
void XschedDriver::plan_invocation(Cycle now) {
  Cycle next = core_.next_due();
  if (!completions_.empty() || !arrivals_.empty()) next = now + 1;
  for (const Task& task : tasks_) {
    if (!task.writes.empty()) next = std::min(next, task.writes.front().cycle);
    next = std::min(next, task.look);
  }
  if (outsider_) next = std::min(next, outsider_->due);
  if (next != kNever) invoke_at(std::max(next, now + 1));
}

// ---- what the core says --------------------------------------------------------------------------------------

void XschedDriver::on_ready(TaskId task) { emit(record::Kind::kTaskReady, task, 0, 0); }
void XschedDriver::on_idle(TaskId task) { emit(record::Kind::kTaskIdle, task, 0, 0); }

void XschedDriver::on_handed_over(TaskId id) {
  Task& task = tasks_[static_cast<std::size_t>(id)];
  const QueuePlace place = task.held.front();
  task.held.pop_front();
  task.in_flight.push_back(place);
  task.writer.ring(place);
  emit(record::Kind::kLaunchHandedOver, id, core_.in_flight(id), 0);
}

void XschedDriver::emit(record::Kind kind, TaskId task, std::uint64_t value, Cycle cycles) {
  record::Record record;
  record.cycle = time_.now();
  record.kind = kind;
  record.process = static_cast<std::uint16_t>(task);
  record.value = value;
  record.cycles = cycles;
  log_.emit(time_.now(), record);
}

}  // namespace tessera::tlm_model
