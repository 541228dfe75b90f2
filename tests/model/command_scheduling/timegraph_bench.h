// SPDX-License-Identifier: Apache-2.0
// A machine for TimeGraph's core: tasks with scripts, a GPU that takes groups in order of submission, one or one an
// engine, and a handler that sees a group's end so much later. Nothing else takes time.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <ostream>
#include <utility>
#include <vector>

#include "model/command_scheduling/timegraph.h"

namespace tessera::command_scheduling::test {

// One group of a task: it arrives so long after the last call returned, or the last group was done, or at a time.
struct Step {
  enum class From { kTime, kReturn, kDone };
  From from = From::kTime;
  Cycle delay = 0;
  Cycle duration = 0;
  GroupKey key{};  // none: the duration is the key
  std::uint8_t engines = kComputeEngine;
};
using Script = std::vector<Step>;

inline Step at(Cycle time, Cycle duration, GroupKey key = {}) {
  return {Step::From::kTime, time, duration, std::move(key)};
}
inline Step after_return(Cycle delay, Cycle duration, GroupKey key = {}) {
  return {Step::From::kReturn, delay, duration, std::move(key)};
}
inline Step after_done(Cycle delay, Cycle duration, GroupKey key = {}) {
  return {Step::From::kDone, delay, duration, std::move(key)};
}

// What a task had of the GPU.
struct Span {
  TaskId task{};
  Cycle begin = 0;
  Cycle end = 0;
  friend bool operator==(const Span& a, const Span& b) {
    return a.task == b.task && a.begin == b.begin && a.end == b.end;
  }
  friend std::ostream& operator<<(std::ostream& out, const Span& s) {
    return out << "task " << static_cast<int>(s.task) << ' ' << s.begin << '-' << s.end;
  }
};

struct BudgetAt {
  Cycle time = 0;
  std::int64_t budget = 0;
  friend bool operator==(const BudgetAt& a, const BudgetAt& b) { return a.time == b.time && a.budget == b.budget; }
  friend std::ostream& operator<<(std::ostream& out, const BudgetAt& b) {
    return out << "e = " << b.budget << " at " << b.time;
  }
};

class TimeGraphBench : public ITimeGraphObserver {
 public:
  struct Group {
    TaskId task{};
    std::size_t step = 0;  // of the task's script
    Cycle submitted = kNever;
    Cycle predicted = 0;  // when it was submitted
    Cycle charged = 0;
    bool is_done = false;
  };

  explicit TimeGraphBench(const TimeGraphParameters& parameters = {}, Cycle interrupt_delay = 0)
      : parameters_(parameters), interrupt_delay_(interrupt_delay), core_(parameters, this) {}

  ReserveId add_reserve(ReserveParameters parameters) {
    parameters.phase += origin_;
    return core_.add_reserve(parameters);
  }
  TaskId add_task(const TaskParameters& parameters, Script script) {
    tasks_.push_back({parameters.reserve, std::move(script)});
    return core_.add_task(parameters);
  }
  // The global history knows these groups when time begins: another task has run each once. Before all reserves.
  void warm_up(const std::vector<std::pair<GroupKey, Cycle>>& known) {
    const ReserveId rich = core_.add_reserve({kNever, kNever, 0, true});
    const TaskId profiler = add_task({Dispatch::kPrt, 0, false, rich}, {});
    for (const auto& [key, duration] : known) {
      const GroupId group = core_.arrive(origin_, profiler, key);
      core_.dispatch(origin_);
      origin_ += duration;
      core_.complete(origin_, group);
    }
    groups_.clear();
    first_group_ = known.size();
  }
  // Until all is done; with a time, everything up to and with it.
  void run(std::optional<Cycle> until = std::nullopt) {
    for (Task& task : tasks_) schedule(task, origin_, std::nullopt);
    for (Cycle now = next_event(until.has_value()); now != kNever; now = next_event(until.has_value())) {
      if (until && now > origin_ + *until) return;
      step(now);
      if (after_step) after_step(now);
    }
  }

  const std::vector<Span>& spans() const { return spans_; }                 // in order of submission
  const std::vector<BudgetAt>& budgets() const { return budgets_; }         // each change
  const std::vector<GroupId>& suspensions() const { return suspensions_; }  // as they are told
  const std::vector<Group>& groups() const { return groups_; }              // in order of arrival
  const Script& script(TaskId task) const { return tasks_[static_cast<std::size_t>(task)].script; }
  TimeGraph& core() { return core_; }
  static GroupKey key_of(const Step& step) { return step.key.empty() ? GroupKey{step.duration} : step.key; }
  ITimeGraphObserver* watch = nullptr;      // is told what the bench is told, before it
  std::function<void(Cycle)> after_step{};  // all events of a cycle

  void on_arrived(Cycle now, TaskId task, GroupId group, Cycle predicted) override {
    if (watch != nullptr) watch->on_arrived(now, task, group, predicted);
    groups_.push_back({task, tasks_[static_cast<std::size_t>(task)].num_arrived});
  }
  void on_suspended(Cycle now, TaskId task, GroupId group) override {
    if (watch != nullptr) watch->on_suspended(now, task, group);
    suspensions_.push_back(group - first_group_);
  }
  void on_submitted(Cycle now, TaskId task, GroupId group, Cycle predicted) override {
    if (watch != nullptr) watch->on_submitted(now, task, group, predicted);
    Group& of = groups_.at(group - first_group_);
    of.submitted = now - origin_;
    of.predicted = predicted;
  }
  void on_completed(Cycle now, TaskId task, GroupId group, Cycle charged) override {
    if (watch != nullptr) watch->on_completed(now, task, group, charged);
    Group& of = groups_.at(group - first_group_);
    of.charged = charged;
    of.is_done = true;
  }
  void on_replenished(Cycle now, ReserveId reserve, std::int64_t budget) override {
    if (watch != nullptr) watch->on_replenished(now, reserve, budget);
    budgets_.push_back({now - origin_, budget});
  }

 private:
  struct Task {
    std::optional<ReserveId> reserve;
    Script script;
    std::size_t num_arrived = 0;
    Cycle next_arrival = kNever;
    std::size_t num_done = 0;
  };
  struct Pending {
    Cycle seen = 0;
    TaskId task{};
    GroupId group = 0;
    Cycle duration = 0;
  };

  Task& of(TaskId task) { return tasks_[static_cast<std::size_t>(task)]; }

  // The task's next group, where its time is known: its last call has returned then.
  void schedule(Task& task, Cycle returned, std::optional<Cycle> done) {
    task.next_arrival = kNever;
    if (task.num_arrived == task.script.size()) return;
    const Step& next = task.script[task.num_arrived];
    const bool is_after_done = next.from == Step::From::kDone && task.num_arrived > 0;
    if (is_after_done && !done) return;
    const Cycle from = next.from == Step::From::kTime ? origin_ : is_after_done ? *done : returned;
    task.next_arrival = std::max(from + next.delay, returned);
  }

  Cycle next_event(bool replenishes_when_idle) const {
    Cycle next = kNever;
    bool has_waiter = false;
    for (std::size_t id = 0; id < tasks_.size(); ++id) {
      next = std::min(next, tasks_[id].next_arrival);
      has_waiter |= core_.is_waiting(TaskId(id));
    }
    for (const Pending& group : pending_) next = std::min(next, group.seen);
    if (next != kNever || has_waiter || replenishes_when_idle) next = std::min(next, core_.next_replenishment());
    return next;
  }

  void step(Cycle now) {
    // 1. Completions, in the order in which they are seen.
    while (!pending_.empty() && pending_.front().seen <= now) complete(now);
    // 2. Replenishments.
    core_.replenish(now);
    // 3. Arrivals.
    for (std::size_t id = 0; id < tasks_.size(); ++id) {
      Task& task = tasks_[id];
      if (task.next_arrival > now) continue;
      task.next_arrival = kNever;
      const Step& next = task.script[task.num_arrived];
      core_.arrive(now, TaskId(id), key_of(next), next.engines);
      ++task.num_arrived;
    }
    // 4. What is submitted runs after what was; calls return.
    for (const TimeGraph::Submission& each : core_.dispatch(now)) {
      put_on_gpu(now, each);
      schedule(of(each.task), now, std::nullopt);
    }
  }
  void complete(Cycle now) {
    const Pending done = pending_.front();
    pending_.erase(pending_.begin());
    const bool is_measured = parameters_.accounting == Accounting::kMeasured;
    core_.complete(now, done.group, is_measured ? done.duration : 0);
    Task& task = of(done.task);
    if (task.reserve) budgets_.push_back({now - origin_, core_.reserve(*task.reserve).budget()});
    const bool is_last = ++task.num_done == task.num_arrived;
    if (is_last && !core_.is_waiting(done.task) && task.next_arrival == kNever) schedule(task, now, now);
  }
  void put_on_gpu(Cycle now, const TimeGraph::Submission& submission) {
    const Step& step = of(submission.task).script[groups_[submission.group - first_group_].step];
    const std::uint8_t lists = parameters_.has_online_list_per_engine ? step.engines : kComputeEngine;
    Cycle begin = now;
    for (std::size_t list = 0; list < free_at_.size(); ++list) {
      if ((lists >> list & 1) != 0) begin = std::max(begin, free_at_[list]);
    }
    const Cycle end = begin + step.duration;
    for (std::size_t list = 0; list < free_at_.size(); ++list) {
      if ((lists >> list & 1) != 0) free_at_[list] = end;
    }
    spans_.push_back({submission.task, begin - origin_, end - origin_});
    const Pending pending{end + interrupt_delay_, submission.task, submission.group, step.duration};
    const auto is_seen_earlier = [](const Pending& a, const Pending& b) { return a.seen < b.seen; };
    pending_.insert(std::upper_bound(pending_.begin(), pending_.end(), pending, is_seen_earlier), pending);
  }

  TimeGraphParameters parameters_;
  Cycle interrupt_delay_;
  TimeGraph core_;
  std::vector<Task> tasks_;
  Cycle origin_ = 0;
  GroupId first_group_ = 0;
  std::array<Cycle, 2> free_at_{};  // by list
  std::vector<Pending> pending_;    // on the GPU, by the time that the end is seen
  std::vector<Span> spans_;
  std::vector<BudgetAt> budgets_;
  std::vector<GroupId> suspensions_;
  std::vector<Group> groups_;
};

}  // namespace tessera::command_scheduling::test
