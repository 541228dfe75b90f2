// SPDX-License-Identifier: Apache-2.0
// An independent witness of TimeGraph's rules (docs/concepts/readings.md): it keeps budgets, costs and who is ready by
// the simplest means, from what it is told, and asks of every submission whether it was due, and afterwards whether one
// is.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "tests/model/command_scheduling/timegraph_bench.h"
#include "tests/model/command_scheduling/timegraph_naive_history.h"

namespace tessera::command_scheduling::test {

class TimeGraphOracle : public ITimeGraphObserver {
 public:
  TimeGraphOracle(const TimeGraphParameters& parameters, std::vector<TaskParameters> tasks,
                  const std::vector<ReserveParameters>& reserves, TimeGraphBench& bench)
      : parameters_(parameters), tasks_(std::move(tasks)), bench_(bench), progress_(tasks_.size()) {
    for (const ReserveParameters& each : reserves)
      reserves_.push_back({each, static_cast<std::int64_t>(each.capacity), 0});
    histories_.assign(tasks_.size(), NaiveHistory(parameters.max_history_records));
  }
  void set_foreground(std::optional<TaskId> task) { foreground_ = task; }

  // Of a cycle's events, the decision included.
  void check_after_step() {
    for (const Group& w : waiting_) require(!is_due(w), "a group that is due has been left waiting");
    for (std::size_t n = 0; n < reserves_.size(); ++n) {
      const Reserve& core = bench_.core().reserve(ReserveId(n));
      const auto capacity = static_cast<std::int64_t>(core.parameters().capacity);
      require(core.budget() == reserves_[n].budget, "the budget");
      require(core.budget() == capacity + core.granted() - static_cast<std::int64_t>(core.charged()),
              "e = C + grants - charges");
    }
    require(bench_.core().num_online() == online_.size(), "the number of groups online");
    require(++num_steps_ < 20'000, "an end: work is finite");
  }
  void check_at_end() const {
    require(waiting_.empty() && online_.empty(), "every group done");
    for (std::size_t task = 0; task < tasks_.size(); ++task) {
      require(progress_[task].arrived == bench_.script(TaskId(task)).size(), "every group arrived");
      require(progress_[task].done == progress_[task].arrived, "each group done once");
    }
    for (std::size_t n = 0; n < reserves_.size(); ++n) {
      require(bench_.core().reserve(ReserveId(n)).charged() == reserves_[n].charged, "all charges told");
    }
  }

  void on_arrived(Cycle now, TaskId task, GroupId id, Cycle predicted) override {
    Group group;
    group.task = task;
    group.id = id;
    group.arrival = now;
    group.step = &bench_.script(task)[progress(task).arrived++];
    group.lists = parameters_.has_online_list_per_engine ? group.step->engines : kComputeEngine;
    if (is_apriori(task)) group.prediction = history(task).predict(key(group));
    for (const Group& other : waiting_) require(other.task != task, "one waiting group a task");
    require(cost(group) == predicted, "the cost predicted at arrival");
    waiting_.push_back(group);
    find_ready(now);
  }
  void on_suspended(Cycle, TaskId task, GroupId id) override {
    const auto w = find(waiting_, id);
    require(w->task == task && is_head(*w) && !is_afforded(*w), "a suspended group is a head that is not afforded");
  }
  void on_submitted(Cycle now, TaskId task, GroupId id, Cycle predicted) override {
    const auto w = find(waiting_, id);
    require(w->task == task && cost(*w) == predicted, "the cost that it is admitted with");
    require(is_due(*w), "what is submitted is due");
    require(progress(task).submitted++ == index_of_step(*w), "order of process at submission");
    w->submitted = now;
    w->was_switched = last_task_ && *last_task_ != task;
    online_.push_back(*w);
    waiting_.erase(w);
    last_task_ = task;
    find_ready(now);
  }
  void on_completed(Cycle now, TaskId task, GroupId id, Cycle charged) override {
    const auto done = find(online_, id);
    if (!parameters_.has_online_list_per_engine) {
      require(progress(task).done == index_of_step(*done), "order of process at completion");
    }
    ++progress(task).done;
    check_charge(*done, now, charged);
    if (is_apriori(task)) history(task).learn(key(*done), done->was_switched, charged);
    if (const auto id_of_reserve = parameters(task).reserve) {
      Budget& budget = reserves_[static_cast<std::size_t>(*id_of_reserve)];
      budget.charged += charged;
      budget.budget -= static_cast<std::int64_t>(charged);
      if (is_continuous()) budget.budget = bench_.core().reserve(*id_of_reserve).budget();
    }
    online_.erase(done);
    find_ready(now);
  }
  void on_replenished(Cycle now, ReserveId id, std::int64_t budget) override {
    Budget& of = reserves_[static_cast<std::size_t>(id)];
    const auto capacity = static_cast<std::int64_t>(of.parameters.capacity);
    std::int64_t bound = capacity;
    for (const Group& w : waiting_) {
      if (parameters(w.task).reserve == id && is_head(w)) bound = std::max(bound, static_cast<std::int64_t>(cost(w)));
    }
    if (is_continuous()) {
      require(budget <= bound, "a budget within its bound");
    } else {
      require(budget == std::min(bound, of.budget + capacity), "a replenished budget");
    }
    of.budget = budget;
    find_ready(now);
  }

 private:
  struct Group {
    TaskId task{};
    GroupId id = 0;
    Cycle arrival = 0;
    const Step* step = nullptr;
    std::uint8_t lists = 0;
    CostHistory::Prediction prediction;
    std::optional<Cycle> ready_since;
    Cycle submitted = 0;
    bool was_switched = false;
  };
  using Groups = std::vector<Group>;
  struct Budget {
    ReserveParameters parameters;
    std::int64_t budget = 0;
    std::uint64_t charged = 0;
  };
  struct Progress {
    std::size_t arrived = 0;
    std::size_t submitted = 0;
    std::size_t done = 0;
  };

  static void require(bool holds, const char* claim) {
    if (!holds) throw std::logic_error(std::string("broken: ") + claim);
  }
  static Groups::iterator find(Groups& groups, GroupId id) {
    const auto found = std::find_if(groups.begin(), groups.end(), [&](const Group& each) { return each.id == id; });
    require(found != groups.end(), "a group is where it should be, once");
    return found;
  }
  const TaskParameters& parameters(TaskId task) const { return tasks_[static_cast<std::size_t>(task)]; }
  Progress& progress(TaskId task) { return progress_[static_cast<std::size_t>(task)]; }
  NaiveHistory& history(TaskId task) {
    return histories_[parameters_.has_history_per_task ? static_cast<std::size_t>(task) : 0];
  }
  static GroupKey key(const Group& group) { return TimeGraphBench::key_of(*group.step); }
  std::size_t index_of_step(const Group& group) const {
    return static_cast<std::size_t>(group.step - bench_.script(group.task).data());
  }
  bool is_continuous() const { return parameters_.accounting == Accounting::kContinuous; }

  // ---- costs and budgets ----------------------------------------------------------------------------------------

  const Budget* budget(TaskId task) const {
    const auto id = parameters(task).reserve;
    return id ? &reserves_[static_cast<std::size_t>(*id)] : nullptr;
  }
  bool is_apriori(TaskId task) const { return budget(task) != nullptr && budget(task)->parameters.enforces_apriori; }
  Cycle cost(const Group& w) {
    if (!is_apriori(w.task)) return 0;
    std::int64_t cost = static_cast<std::int64_t>(w.prediction.cost);
    if (w.prediction.is_hit && last_task_ && *last_task_ != w.task) cost += history(w.task).impact();
    return cost < 0 ? 0 : static_cast<Cycle>(cost);
  }
  bool is_afforded(const Group& w) {
    const Budget* of = budget(w.task);
    return of == nullptr || (of->budget > 0 && of->budget >= static_cast<std::int64_t>(cost(w)));
  }
  // Wall time from the last completion on the same lists: groups end in the order of submission here.
  void check_charge(const Group& done, Cycle now, Cycle charged) {
    Cycle from = done.submitted;
    for (const std::uint8_t list : {kComputeEngine, kCopyEngine}) {
      if ((done.lists & list) == 0) continue;
      from = std::max(from, last_seen_[list]);
      last_seen_[list] = now;
    }
    if (parameters_.accounting == Accounting::kMeasured) {
      require(charged == done.step->duration, "what was measured is charged");
    } else if (!is_continuous() || !parameters_.lets_higher_join) {
      require(charged == now - from, "wall time is charged");
    }
  }

  // ---- who is ready ---------------------------------------------------------------------------------------------

  bool is_head(const Group& w) const {
    const auto rank = [this](const Group& g) {
      return std::make_tuple(-std::int64_t{parameters(g.task).priority}, g.arrival, g.task);
    };
    return std::none_of(waiting_.begin(), waiting_.end(), [&](const Group& v) {
      return parameters(v.task).reserve == parameters(w.task).reserve && rank(v) < rank(w);
    });
  }
  void find_ready(Cycle now) {
    for (Group& w : waiting_) {
      const bool is_ready = !parameters(w.task).reserve || (is_head(w) && is_afforded(w));
      if (!is_ready) w.ready_since.reset();
      if (is_ready && !w.ready_since) w.ready_since = now;
    }
  }

  // ---- what is due ----------------------------------------------------------------------------------------------

  bool is_aware(const Group& w) const { return parameters(w.task).is_foreground_aware; }
  bool is_focus(const Group& w) const { return foreground_ == w.task && is_aware(w); }
  // Of two that are ready and equally urgent.
  bool is_before(const Group& v, const Group& w) const {
    const auto age = [](const Group& g) { return std::make_pair(*g.ready_since, g.task); };
    const auto place = [&](const Group& g) {  // the focus has that of the first who is aware
      auto first = age(g);
      for (const Group& other : waiting_) {
        const bool counts = is_focus(g) && is_aware(other) && other.ready_since && priority(other) == priority(g);
        if (counts) first = std::min(first, age(other));
      }
      return std::make_pair(first, !is_focus(g));
    };
    return place(v) < place(w);
  }
  std::uint32_t priority(const Group& g) const { return parameters(g.task).priority; }

  bool is_due(const Group& w) const {
    if (!w.ready_since) return false;
    // 1. Who else wants the same lists?
    bool is_first = true;
    for (const Group& v : waiting_) {
      if (&v == &w || !v.ready_since || (v.lists & w.lists) == 0) continue;
      if (priority(v) > priority(w)) return false;
      if (priority(v) == priority(w) && is_before(v, w)) is_first = false;
    }
    // 2. Who is there?
    std::size_t num_own = 0, num_others = 0, num_other_not_below = 0;
    bool is_above_all = true;
    for (const Group& o : online_) {
      if ((o.lists & w.lists) == 0) continue;
      (o.task == w.task ? num_own : num_others) += 1;
      if (o.task != w.task && priority(o) >= priority(w)) ++num_other_not_below;
      if (priority(o) >= priority(w)) is_above_all = false;
    }
    // 3. Its turn on empty lists, or above less urgent groups.
    if (is_first && num_own + num_others == 0) return true;
    if (is_first && parameters_.lets_higher_join && is_above_all) return true;
    // 4. A chain of its own.
    if (parameters(w.task).dispatch != Dispatch::kHt || num_own == 0 || num_own >= parameters_.max_online) return false;
    return parameters_.lets_higher_join ? num_other_not_below == 0 : num_others == 0;
  }

  TimeGraphParameters parameters_;
  std::vector<TaskParameters> tasks_;
  TimeGraphBench& bench_;
  std::vector<Progress> progress_;
  std::vector<Budget> reserves_;
  std::vector<NaiveHistory> histories_;
  Groups waiting_;
  Groups online_;
  std::optional<TaskId> last_task_;
  std::optional<TaskId> foreground_;
  std::array<Cycle, 3> last_seen_{};  // by list's bit
  std::size_t num_steps_ = 0;
};

}  // namespace tessera::command_scheduling::test
