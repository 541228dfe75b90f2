// SPDX-License-Identifier: Apache-2.0
// TimeGraph's events: each changes budgets and queues, then looks again at who is ready.
#include "model/command_scheduling/timegraph.h"

#include <algorithm>
#include <utility>

namespace tessera::command_scheduling {
namespace {

// Where nobody observes.
class Nobody : public ITimeGraphObserver {
 public:
  void on_arrived(Cycle, TaskId, GroupId, Cycle) override {}
  void on_suspended(Cycle, TaskId, GroupId) override {}
  void on_submitted(Cycle, TaskId, GroupId, Cycle) override {}
  void on_completed(Cycle, TaskId, GroupId, Cycle) override {}
  void on_replenished(Cycle, ReserveId, std::int64_t) override {}
};

Nobody nobody;

}  // namespace

TimeGraph::TimeGraph(const TimeGraphParameters& parameters, ITimeGraphObserver* observer)
    : parameters_(parameters), observer_(observer != nullptr ? observer : &nobody) {
  if (!parameters_.has_history_per_task) histories_.emplace_back(parameters_.max_history_records);
}

ReserveId TimeGraph::add_reserve(const ReserveParameters& parameters) {
  reserves_.emplace_back(parameters);
  waiting_.add_reserve();
  return ReserveId(reserves_.size() - 1);
}

TaskId TimeGraph::add_task(const TaskParameters& parameters) {
  if (parameters_.has_history_per_task) histories_.emplace_back(parameters_.max_history_records);
  histories_by_task_.push_back(&histories_.back());
  waiting_.add_task(parameters);
  online_.add_task();
  return TaskId(histories_by_task_.size() - 1);
}

void TimeGraph::set_foreground(std::optional<TaskId> task) { waiting_.set_foreground(task); }

// ---- events ----------------------------------------------------------------------------------------------------

GroupId TimeGraph::arrive(Cycle now, TaskId task, const GroupKey& key, std::uint8_t engines) {
  // 1. The group waits.
  Waiter& waiter = waiting_.add(now, task, next_group_++);
  waiter.lists = parameters_.has_online_list_per_engine ? engines : kComputeEngine;
  // 2. What will it cost?
  if (predicts(task)) {
    waiter.key = key;
    waiter.prediction = history_of(task).predict(key);
  }
  observer_->on_arrived(now, task, waiter.group, predicted(task));
  // 3. It may be the first of its reserve.
  if (const auto reserve = parameters_of(task).reserve) refresh(now, *reserve);
  return waiter.group;
}

void TimeGraph::complete(Cycle now, GroupId group, Cycle measured) {
  // 1. Its reserve pays for what has not been charged yet.
  OnlineGroup& done = online_.find(group);
  const Cycle wall = online_.take_time(done, now);
  charge(done, parameters_.accounting == Accounting::kMeasured ? measured : wall);
  // 2. The next of its kind will be predicted better.
  if (predicts(done.task)) history_of(done.task).learn(done.key, done.was_switched, done.charged);
  observer_->on_completed(now, done.task, group, done.charged);
  // 3. It makes room, and budgets and predictions have changed.
  online_.remove(group);
  refresh_all(now);
}

void TimeGraph::replenish(Cycle now) {
  for (auto due = next_due(); due && reserve(*due).next_replenishment() <= now; due = next_due()) {
    replenish_one(now, *due);
  }
}

void TimeGraph::replenish_one(Cycle now, ReserveId id) {
  Reserve& due = reserves_[static_cast<std::size_t>(id)];
  // 1. What has run in the period that ends is charged to it.
  if (parameters_.accounting == Accounting::kContinuous) charge_running(id, due.next_replenishment());
  // 2. A waiter that costs more than the capacity may save up.
  const auto head = waiting_.head(id);
  due.replenish(head ? predicted(*head) : 0);
  observer_->on_replenished(now, id, due.budget());
  // 3. It may be ready now.
  refresh(now, id);
}

Cycle TimeGraph::next_replenishment() const {
  const auto due = next_due();
  return due ? reserve(*due).next_replenishment() : kNever;
}

std::optional<ReserveId> TimeGraph::next_due() const {
  const auto is_earlier = [](const Reserve& a, const Reserve& b) {
    return a.next_replenishment() < b.next_replenishment();
  };
  const auto first = std::min_element(reserves_.begin(), reserves_.end(), is_earlier);  // of equal ones the first
  return first == reserves_.end() ? std::nullopt : std::optional(ReserveId(first - reserves_.begin()));
}

// ---- costs -----------------------------------------------------------------------------------------------------

bool TimeGraph::predicts(TaskId task) const {
  const auto id = parameters_of(task).reserve;
  return id && reserve(*id).parameters().enforces_apriori;
}

bool TimeGraph::is_switch_to(TaskId task) const { return last_task_ && *last_task_ != task; }

// Of the waiting group; looked at anew at every scheduling point, for the last submission decides on the impact.
Cycle TimeGraph::predicted(TaskId task) const {
  if (!predicts(task)) return 0;
  const CostHistory::Prediction& prediction = waiting_.of(task).prediction;
  if (!prediction.is_hit || !is_switch_to(task)) return prediction.cost;
  const std::int64_t cost = static_cast<std::int64_t>(prediction.cost) + history(task).switch_impact();
  return static_cast<Cycle>(std::max<std::int64_t>(cost, 0));
}

void TimeGraph::charge(OnlineGroup& group, Cycle used) {
  group.charged += used;
  if (const auto id = parameters_of(group.task).reserve) reserves_[static_cast<std::size_t>(*id)].charge(used);
}

void TimeGraph::charge_running(ReserveId id, Cycle until) {
  online_.for_each_running([&](OnlineGroup& group) {
    if (parameters_of(group.task).reserve == id) charge(group, online_.take_time(group, until));
  });
}

// ---- who is ready ----------------------------------------------------------------------------------------------

void TimeGraph::refresh(Cycle now, ReserveId id) {
  const auto head = waiting_.head(id);
  if (!head) return;
  const bool is_affordable = reserve(id).affords(predicted(*head));
  waiting_.set_head_ready(now, id, is_affordable);
  Waiter& waiter = waiting_.of(*head);
  if (!is_affordable && !waiter.is_suspended) observer_->on_suspended(now, *head, waiter.group);
  waiter.is_suspended = !is_affordable;
}

void TimeGraph::refresh_all(Cycle now) {
  for (std::size_t id = 0; id < reserves_.size(); ++id) refresh(now, ReserveId(id));
}

// ---- dispatch --------------------------------------------------------------------------------------------------

std::vector<TimeGraph::Submission> TimeGraph::dispatch(Cycle now) {
  std::vector<Submission> submitted;
  for (auto next = next_to_submit(); next; next = next_to_submit()) submitted.push_back(submit(now, *next));
  return submitted;
}

// Lists are claimed in the order of turns: nobody passes a group that is ready and wants one of the same lists, but for
// a task that goes on with its own chain: it passes those that are not more urgent than itself.
std::optional<TaskId> TimeGraph::next_to_submit() const {
  std::uint8_t claimed = 0;
  std::uint8_t claimed_by_higher = 0;
  std::optional<std::uint32_t> level;
  const auto promotion = waiting_.promotion();
  for (std::size_t nth = 0; nth < waiting_.num_ready(); ++nth) {
    const TaskId task = waiting_.in_turn(nth, promotion);
    if (std::exchange(level, parameters_of(task).priority) != level) claimed_by_higher = claimed;
    const std::uint8_t lists = waiting_.of(task).lists;
    if ((lists & claimed) == 0 && may_take_turn(task)) return task;
    if ((lists & claimed_by_higher) == 0 && may_join_own(task)) return task;
    claimed |= lists;
  }
  return std::nullopt;
}

// The lists are empty; or hold less urgent groups only, which the hardware preempts.
bool TimeGraph::may_take_turn(TaskId task) const {
  const std::uint8_t lists = waiting_.of(task).lists;
  if (online_.is_idle(lists)) return true;
  return parameters_.lets_higher_join && online_.highest_priority(lists) < parameters_of(task).priority;
}

// HT: what is online is the task's own; with preemptive hardware the most urgent of it.
bool TimeGraph::may_join_own(TaskId task) const {
  const TaskParameters& parameters = parameters_of(task);
  if (parameters.dispatch != Dispatch::kHt) return false;
  const std::uint8_t lists = waiting_.of(task).lists;
  const std::size_t num_own = online_.num_of(task, lists);
  if (num_own == 0 || num_own >= parameters_.max_online) return false;
  return !online_.has_other(task, parameters_.lets_higher_join ? parameters.priority : 0, lists);
}

TimeGraph::Submission TimeGraph::submit(Cycle now, TaskId task) {
  // 1. From the wait queue to the online list.
  Waiter& waiter = waiting_.of(task);
  const Submission submission{task, waiter.group};
  const Cycle cost = predicted(task);
  OnlineGroup& group = online_.add(task, waiter.lists);
  group.group = waiter.group;
  group.priority = parameters_of(task).priority;
  group.submitted = now;
  group.was_switched = is_switch_to(task);
  group.key.swap(waiter.key);
  waiting_.remove(task);
  observer_->on_submitted(now, task, submission.group, cost);
  // 2. The GPU will have this task's context; who waited behind it may be ready.
  last_task_ = task;
  refresh_all(now);
  return submission;
}

// ---- what others see -------------------------------------------------------------------------------------------

const Reserve& TimeGraph::reserve(ReserveId id) const { return reserves_[static_cast<std::size_t>(id)]; }
std::size_t TimeGraph::num_online() const { return online_.size(); }
bool TimeGraph::is_waiting(TaskId task) const { return waiting_.of(task).is_waiting; }
const CostHistory& TimeGraph::history(TaskId task) const { return *histories_by_task_[static_cast<std::size_t>(task)]; }

}  // namespace tessera::command_scheduling
