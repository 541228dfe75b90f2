// SPDX-License-Identifier: Apache-2.0
// How a suspension reaches the GPU, and how the driver learns that nothing of the task is there any more.
#include <algorithm>
#include <utility>

#include "tlm/driver/xsched.h"

namespace tessera::tlm_model {

void XschedDriver::on_suspended(TaskId id) {
  Task& task = tasks_[static_cast<std::size_t>(id)];
  task.suspended = time_.now();
  task.is_halted = task.is_stopped = false;
  emit(record::Kind::kTaskSuspended, id, core_.in_flight(id), 0);
  plan_write(task, true, suspend_cycles_);
}

void XschedDriver::on_resumed(TaskId id) {
  Task& task = tasks_[static_cast<std::size_t>(id)];
  emit(record::Kind::kTaskResumed, id, 0, time_.now() - *task.suspended);
  task.suspended.reset();
  task.is_halted = false;
  task.look = kNever;
  plan_write(task, false, resume_cycles_);
}

// Level 1 is the host's alone. A resume never overtakes the suspension before it.
void XschedDriver::plan_write(Task& task, bool stops, Cycle cost) {
  if (task.level < 2) return;
  task.last_write = std::max(task.last_write, time_.now() + cost);
  task.writes.push_back({task.last_write, stops});
}

void XschedDriver::write_registers(std::uint32_t process, Cycle now) {
  Task& task = tasks_[process];
  for (; !task.writes.empty() && task.writes.front().cycle <= now; task.writes.pop_front()) {
    const bool stops = task.writes.front().stops;
    gpu_.set_held(process, stops);
    if (task.level == 3) gpu_.set_listed(process, !stops);
    const bool is_in_force = stops && task.suspended && task.writes.size() == 1;
    if (!is_in_force) continue;
    task.look = now + round_trip_;
    task.sm_cycles_looked.reset();
  }
}

// Level 2: a completion makes the driver look again. Level 3: it polls until the context holds no SM from one look to
// the next.
void XschedDriver::look_at(std::uint32_t process, Cycle now) {
  Task& task = tasks_[process];
  if (task.look > now) return;
  task.look = kNever;
  if (task.is_stopped) return;
  const std::uint64_t held = gpu_.held(process);
  if ((held & 1) == 0) {
    task.look = now + round_trip_;
    return;
  }
  if (!std::exchange(task.is_halted, true)) {
    emit(record::Kind::kTaskHalted, TaskId(process), 0, now - *task.suspended);
  }
  if (task.level == 2) {
    if ((held & reg::kHeldAtWork) == 0) stopped(process, now);
    return;
  }
  const std::uint64_t sm_cycles = gpu_.sm_cycles(process);
  if (std::exchange(task.sm_cycles_looked, sm_cycles) == sm_cycles) return stopped(process, now);
  task.look = now + poll_;
}

void XschedDriver::judge_stop(std::uint32_t process, Cycle now) {
  const Task& task = tasks_[process];
  const bool is_over = task.suspended && !task.is_stopped && task.level == 1 && core_.in_flight(TaskId(process)) == 0;
  if (is_over) stopped(process, now);
}

void XschedDriver::stopped(std::uint32_t process, Cycle now) {
  Task& task = tasks_[process];
  task.is_stopped = true;
  emit(record::Kind::kTaskStopped, TaskId(process), 0, now - *task.suspended);
  if (outsider_ && outsider_->process == process && !outsider_->is_running) {
    outsider_->due = now + outsider_->times.next_pause();
  }
}

void XschedDriver::act_as_outsider(Cycle now) {
  if (!outsider_ || outsider_->due > now) return;
  const TaskId task{static_cast<std::uint16_t>(outsider_->process)};
  outsider_->is_running = !outsider_->is_running;
  core_.ask_to_stop(task, !outsider_->is_running);
  if (outsider_->is_running) {
    outsider_->due = now + outsider_->times.next_run();
  } else {
    // A task that the policy has stopped already pauses from now on.
    outsider_->due = tasks_[outsider_->process].is_stopped && tasks_[outsider_->process].suspended
                         ? now + outsider_->times.next_pause()
                         : kNever;
  }
}

}  // namespace tessera::tlm_model
