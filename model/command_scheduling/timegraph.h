// SPDX-License-Identifier: Apache-2.0
// TimeGraph's decisions ([K11] 4, 5) without a machine: which waiting group is submitted, when, and what it is charged.
// Integers only; docs/concepts/readings.md, TimeGraph, has the readings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "model/base/time.h"
#include "model/command_scheduling/cost_history.h"
#include "model/command_scheduling/group_key.h"
#include "model/command_scheduling/online_list.h"
#include "model/command_scheduling/reserve.h"
#include "model/command_scheduling/task.h"
#include "model/command_scheduling/wait_queue.h"

namespace tessera::command_scheduling {

enum class Accounting : std::uint8_t {
  kAtCompletion,  // the paper's: wall time, charged when the completion is seen
  kContinuous,    // wall time, at each replenishment too
  kMeasured,      // the task's usage measured by the hardware, passed to complete()
};

struct TimeGraphParameters {
  Accounting accounting = Accounting::kAtCompletion;
  std::uint32_t max_online = 256;  // groups of an HT task at once; >= 1
  bool has_online_list_per_engine = false;
  bool lets_higher_join = false;  // preemptive hardware: a strictly higher priority does not wait for lower ones
  std::size_t max_history_records = 100;
  bool has_history_per_task = false;
};

// Called during the events below, in the order in which things happen.
class ITimeGraphObserver {
 public:
  virtual ~ITimeGraphObserver() = default;
  virtual void on_arrived(Cycle now, TaskId task, GroupId group, Cycle predicted) = 0;
  virtual void on_suspended(Cycle now, TaskId task, GroupId group) = 0;  // its reserve does not (or no longer) afford
                                                                         // it
  virtual void on_submitted(Cycle now, TaskId task, GroupId group, Cycle predicted) = 0;
  // `charged`: total taken from the reserve for this group.
  virtual void on_completed(Cycle now, TaskId task, GroupId group, Cycle charged) = 0;
  virtual void on_replenished(Cycle now, ReserveId reserve, std::int64_t budget) = 0;
};

// Call in order of time; within a cycle completions first, then replenish(), then arrivals, then dispatch(). A task has
// at most one waiting group, since it sleeps after submitting (reading 2).
class TimeGraph {
 public:
  explicit TimeGraph(const TimeGraphParameters& parameters, ITimeGraphObserver* observer = nullptr);

  ReserveId add_reserve(const ReserveParameters& parameters);
  TaskId add_task(const TaskParameters& parameters);
  void set_foreground(std::optional<TaskId> task);

  GroupId arrive(Cycle now, TaskId task, const GroupKey& key, std::uint8_t engines = kComputeEngine);
  // An online group is done. `measured`: its usage, only with Accounting::kMeasured.
  void complete(Cycle now, GroupId group, Cycle measured = 0);
  // Performs the replenishments due at or before `now`.
  void replenish(Cycle now);
  Cycle next_replenishment() const;  // kNever: there is no reserve

  // Submits groups and returns them in order. Call after every cycle with events.
  struct Submission {
    TaskId task;
    GroupId group;
  };
  std::vector<Submission> dispatch(Cycle now);

  const Reserve& reserve(ReserveId id) const;
  std::size_t num_online() const;
  bool is_waiting(TaskId task) const;
  const CostHistory& history(TaskId task) const;

 private:
  const TaskParameters& parameters_of(TaskId task) const { return waiting_.parameters(task); }
  CostHistory& history_of(TaskId task) { return *histories_by_task_[static_cast<std::size_t>(task)]; }
  bool predicts(TaskId task) const;
  bool is_switch_to(TaskId task) const;
  Cycle predicted(TaskId task) const;
  void refresh(Cycle now, ReserveId id);
  void refresh_all(Cycle now);
  std::optional<TaskId> next_to_submit() const;
  bool may_take_turn(TaskId task) const;
  bool may_join_own(TaskId task) const;
  Submission submit(Cycle now, TaskId task);
  void charge(OnlineGroup& group, Cycle used);
  void charge_running(ReserveId id, Cycle until);
  void replenish_one(Cycle now, ReserveId id);
  std::optional<ReserveId> next_due() const;

  TimeGraphParameters parameters_;
  ITimeGraphObserver* observer_;
  std::vector<Reserve> reserves_;
  std::deque<CostHistory> histories_;  // one for all, or one per task
  std::vector<CostHistory*> histories_by_task_;
  WaitQueue waiting_;
  OnlineList online_;
  std::optional<TaskId> last_task_;  // task of the last submitted group, whose context is on the GPU
  GroupId next_group_ = 0;
};

}  // namespace tessera::command_scheduling
