// SPDX-License-Identifier: Apache-2.0
// The queue of tasks that wait, and the cores that others have.
#include "model/cpu_scheduling/core_table.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tessera::cpu_scheduling {

CoreTable::CoreTable(std::uint32_t num_cores, std::vector<Task> tasks) : holders_(num_cores) {
  for (Task& task : tasks) {
    const auto is_known = [num_cores](CoreId core) { return static_cast<std::uint32_t>(core) < num_cores; };
    if (task.cores.empty() || !std::all_of(task.cores.begin(), task.cores.end(), is_known)) {
      throw std::invalid_argument("a process without a core, or with one that does not exist");
    }
    states_.push_back({std::move(task), {}, {}, 0, false});
  }
}

void CoreTable::add(TaskId task) {
  if (wants_core(task)) throw std::logic_error("a process wants a core twice");
  enqueue(task, last_order_++);
}

void CoreTable::remove(TaskId task) {
  State& its = state(task);
  if (its.is_waiting) return dequeue(task);
  if (!its.core) throw std::logic_error("a process gives up a core that it does not want");
  holder(*its.core).reset();
  its.core.reset();
}

bool CoreTable::wants_core(TaskId task) const { return state(task).is_waiting || state(task).core; }

std::optional<CoreId> CoreTable::core_of(TaskId task) const { return state(task).core; }

// Each step fills a core, or gives one to a more urgent task, so there is an end.
void CoreTable::place() {
  for (auto next = waiting_.begin(); next != waiting_.end();) {
    const TaskId task = std::get<TaskId>(*next);
    const std::optional<CoreId> core = core_for(state(task));
    if (!core) {
      ++next;
      continue;
    }
    take(task, *core);
    next = waiting_.begin();  // who lost it may wait ahead of those that were looked at
  }
}

std::optional<CoreId> CoreTable::core_for(const State& waiting) {
  if (waiting.last_core && !holder(*waiting.last_core)) return waiting.last_core;
  std::optional<CoreId> best;
  std::uint32_t least = waiting.task.priority;
  for (const CoreId core : waiting.task.cores) {
    const std::optional<TaskId>& other = holder(core);
    if (!other) return core;
    const std::uint32_t priority = state(*other).task.priority;
    if (priority >= least) continue;
    least = priority;
    best = core;
  }
  return best;
}

void CoreTable::take(TaskId task, CoreId core) {
  dequeue(task);
  if (const std::optional<TaskId> loser = std::exchange(holder(core), task)) {
    state(*loser).core.reset();
    enqueue(*loser, --first_order_);
  }
  State& its = state(task);
  its.core = its.last_core = core;
}

CoreTable::WaitKey CoreTable::key_of(TaskId task) const {
  return {-static_cast<std::int64_t>(state(task).task.priority), state(task).order, task};
}

void CoreTable::enqueue(TaskId task, std::int64_t order) {
  state(task).order = order;
  state(task).is_waiting = true;
  waiting_.insert(key_of(task));
}

void CoreTable::dequeue(TaskId task) {
  waiting_.erase(key_of(task));
  state(task).is_waiting = false;
}

}  // namespace tessera::cpu_scheduling
