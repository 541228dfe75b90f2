// SPDX-License-Identifier: Apache-2.0
// Queues kept in order: an insertion walks, the head is at hand.
#include "model/command_scheduling/wait_queue.h"

#include <algorithm>
#include <tuple>

namespace tessera::command_scheduling {
namespace {

void remove_task(std::vector<TaskId>& tasks, TaskId task) {
  tasks.erase(std::find(tasks.begin(), tasks.end(), task));  // found: who removes has looked
}

template <typename IsBefore>
void insert_task(std::vector<TaskId>& tasks, TaskId task, const IsBefore& is_before) {
  tasks.insert(std::find_if(tasks.begin(), tasks.end(), [&](TaskId other) { return is_before(task, other); }), task);
}

}  // namespace

void WaitQueue::add_task(const TaskParameters& parameters) {
  parameters_.push_back(parameters);
  waiters_.emplace_back();
}

Waiter& WaitQueue::add(Cycle now, TaskId task, GroupId group) {
  Waiter& waiter = of(task);
  waiter.group = group;
  waiter.arrival = now;
  waiter.is_waiting = true;
  waiter.is_suspended = false;
  if (!parameters(task).reserve) {
    make_ready(now, task);
    return waiter;
  }
  insert_task(queue(*parameters(task).reserve).waiting, task, [this](TaskId a, TaskId b) {
    return std::make_tuple(parameters(b).priority, of(a).arrival, a) <
           std::make_tuple(parameters(a).priority, of(b).arrival, b);
  });
  return waiter;
}

void WaitQueue::remove(TaskId task) {
  Waiter& waiter = of(task);
  if (waiter.is_ready) make_unready(task);
  waiter.is_waiting = false;
  if (!parameters(task).reserve) return;
  Queue& of_reserve = queue(*parameters(task).reserve);
  remove_task(of_reserve.waiting, task);
  if (of_reserve.ready == task) of_reserve.ready.reset();
}

std::optional<TaskId> WaitQueue::head(ReserveId id) const {
  const Queue& of_reserve = queues_[static_cast<std::size_t>(id)];
  return of_reserve.waiting.empty() ? std::nullopt : std::optional(of_reserve.waiting.front());
}

void WaitQueue::set_head_ready(Cycle now, ReserveId id, bool is_ready) {
  Queue& of_reserve = queue(id);
  const std::optional<TaskId> ready = is_ready ? head(id) : std::nullopt;
  if (of_reserve.ready == ready) return;
  if (of_reserve.ready) make_unready(*of_reserve.ready);
  if (ready) make_ready(now, *ready);
  of_reserve.ready = ready;
}

// ---- turns -----------------------------------------------------------------------------------------------------

void WaitQueue::make_ready(Cycle now, TaskId task) {
  of(task).is_ready = true;
  of(task).ready_since = now;
  insert_task(ready_, task, [this](TaskId a, TaskId b) {
    return std::make_tuple(parameters(b).priority, of(a).ready_since, a) <
           std::make_tuple(parameters(a).priority, of(b).ready_since, b);
  });
}

void WaitQueue::make_unready(TaskId task) {
  of(task).is_ready = false;
  remove_task(ready_, task);
}

// The tasks of a level that follow the foreground take turns as if they were one; it goes first among them.
WaitQueue::Promotion WaitQueue::promotion() const {
  if (!foreground_ || !of(*foreground_).is_ready || !parameters(*foreground_).is_foreground_aware) return {};
  const auto from = std::find(ready_.begin(), ready_.end(), *foreground_);
  const auto to = std::find_if(ready_.begin(), from, [this](TaskId task) {
    return parameters(task).is_foreground_aware && parameters(task).priority == parameters(*foreground_).priority;
  });
  return {static_cast<std::size_t>(from - ready_.begin()), static_cast<std::size_t>(to - ready_.begin())};
}

TaskId WaitQueue::in_turn(std::size_t nth, const Promotion& promotion) const {
  if (nth == promotion.to) return ready_[promotion.from];
  return nth > promotion.to && nth <= promotion.from ? ready_[nth - 1] : ready_[nth];
}

}  // namespace tessera::command_scheduling
