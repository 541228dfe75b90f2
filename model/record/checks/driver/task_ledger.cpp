// SPDX-License-Identifier: Apache-2.0
// One record after the other; who must be suspended is judged once a cycle's records are known.
#include "model/record/checks/driver/task_ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/record/numbers.h"

namespace tessera::record::task_check {

Ledger::Ledger(TaskFacts facts, Complain complain)
    : facts_(std::move(facts)), complain_(std::move(complain)), tasks_(facts_.tasks.size()) {}

void Ledger::visit(const Record& record) {
  if (last_ && record.cycle != last_->cycle) judge_choice();
  if (record.kind == Kind::kKernelArrived || record.kind == Kind::kSmSetUp) return begins(record);
  if (!is_of_tasks(record.kind)) return;
  take(tasks_.at(record.process), record);
  last_ = record;
}

void Ledger::finish() {
  if (last_) judge_choice();
}

void Ledger::take(Task& task, const Record& record) {
  switch (record.kind) {
    case Kind::kLaunchesDone:
      return launches_done(task, record);
    case Kind::kLaunchHandedOver:
      return handed_over(task, record);
    case Kind::kTaskReady:
    case Kind::kTaskIdle:
      require(task.is_ready != (record.kind == Kind::kTaskReady), Rule::kChoice, record, "it is so already");
      task.is_ready = record.kind == Kind::kTaskReady;
      return;
    case Kind::kTaskSuspended:
      return suspended(task, record);
    case Kind::kTaskHalted:
      require_duration(task, record);
      task.is_halted = true;
      return;
    case Kind::kTaskStopped:
      return stopped(task, record);
    case Kind::kTaskResumed:
      require_duration(task, record);
      task.suspended.reset();
      task.is_halted = task.is_stopped = false;
      return;
    case Kind::kRunListUpdated:
      was_list_updated_ = true;
      return;
    default:
      return;
  }
}

// ---- launches --------------------------------------------------------------------------------------------------

void Ledger::launches_done(Task& task, const Record& record) {
  const std::uint64_t done = std::min(number::launches(record), task.in_flight);
  require(done == number::launches(record), Rule::kLaunches, record,
          fmt::format("{} launches are done, {} were on the GPU", number::launches(record), task.in_flight));
  task.in_flight -= done;
  task.awaited -= std::min(task.awaited, done);
}

void Ledger::handed_over(Task& task, const Record& record) {
  const TaskFacts::Task& rules = facts_.tasks[record.process];
  ++task.in_flight;
  require(number::launches_on_gpu(record) == task.in_flight, Rule::kLaunches, record,
          fmt::format("{} launches are on the GPU", task.in_flight));
  require(task.in_flight <= rules.threshold, Rule::kLaunches, record,
          fmt::format("{} launches are on the GPU, {} may be", task.in_flight, rules.threshold));
  require(task.awaited == 0, Rule::kLaunches, record,
          fmt::format("the host waits for {} more to be done", task.awaited));
  require(!task.suspended, Rule::kLaunches, record, "its task is suspended");
  require(task.is_ready, Rule::kLaunches, record, "its task has no work");
  if (task.in_flight == rules.threshold) task.awaited = rules.batch;
}

// ---- suspensions -----------------------------------------------------------------------------------------------

void Ledger::suspended(Task& task, const Record& record) {
  require(!task.suspended, Rule::kStops, record, "it is suspended already");
  require(facts_.has_run_list || number::launches_on_gpu(record) == task.in_flight, Rule::kLaunches, record,
          fmt::format("{} launches are on the GPU", task.in_flight));
  task.suspended = record.cycle;
  task.is_halted = task.is_stopped = false;
}

void Ledger::stopped(Task& task, const Record& record) {
  require_duration(task, record);
  require(!task.is_stopped, Rule::kStops, record, "it has stopped already");
  const std::uint32_t level = facts_.tasks[record.process].level;
  require(level > 1 || task.in_flight == 0, Rule::kStops, record,
          fmt::format("{} launches are on the GPU", task.in_flight));
  require(level == 1 || task.is_halted, Rule::kStops, record, "what stops it has not reached the GPU");
  task.is_stopped = true;
}

void Ledger::require_duration(const Task& task, const Record& record) {
  require(task.suspended && record.cycles == record.cycle - *task.suspended, Rule::kStops, record,
          task.suspended ? fmt::format("it was suspended in cycle {}", *task.suspended) : "it is not suspended");
}

// A kernel comes to the engine, or gets an SM.
void Ledger::begins(const Record& record) {
  if (record.process >= tasks_.size()) return;
  const Task& task = tasks_[record.process];
  require(!task.is_stopped, Rule::kStops, record, "its task has stopped");
  // Level 2: what was at the engine when the stop came runs on.
  require(!task.is_halted || record.kind != Kind::kKernelArrived, Rule::kStops, record, "its task is held");
}

// ---- who is suspended ------------------------------------------------------------------------------------------

// While a process changes the run list, the list is not what it should be.
void Ledger::judge_choice() {
  const Record at = *std::exchange(last_, std::nullopt);
  const bool is_judged = !facts_.has_run_list || was_list_updated_;
  was_list_updated_ = false;
  if (!is_judged) return;
  int highest = -1;
  std::size_t num_going = 0;
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    if (!tasks_[i].is_ready) continue;
    highest = std::max(highest, static_cast<int>(facts_.tasks[i].priority));
    num_going += tasks_[i].suspended ? 0 : 1;
  }
  if (facts_.has_weights) {
    return require(num_going <= 1, Rule::kChoice, at, fmt::format("{} tasks go on, one has the turn", num_going));
  }
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    if (!tasks_[i].is_ready) continue;
    const bool may_go_on = static_cast<int>(facts_.tasks[i].priority) == highest;
    if (!may_go_on) {
      require(tasks_[i].suspended.has_value(), Rule::kChoice, at,
              fmt::format("process {} goes on below a ready one of priority {}", i, highest));
    } else if (!facts_.has_outsider) {
      require(!tasks_[i].suspended, Rule::kChoice, at, fmt::format("process {} is suspended for nobody", i));
    }
  }
}

}  // namespace tessera::record::task_check
