// SPDX-License-Identifier: Apache-2.0
// TimeGraph's decisions ([K11] 4, 5) without a machine: which waiting group is submitted, when, and what it is charged.
// Integers only; docs/readings.md, TimeGraph, has the readings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/base/time.h"
#include "model/command_scheduling/cost_history.h"
#include "model/command_scheduling/group_key.h"
#include "model/command_scheduling/reserve.h"

namespace tessera::command_scheduling {

enum class TaskId : std::uint16_t {};
enum class ReserveId : std::uint16_t {};
using GroupId = std::uint64_t;  // in order of arrival, from 0

enum class Dispatch : std::uint8_t { kPrt, kHt };
enum class Accounting : std::uint8_t {
  kAtCompletion,  // the paper's: wall time, when the completion is seen
  kContinuous,    // wall time, at each replenishment too
  kMeasured,      // what the hardware says that the task has used: complete() is told
};
// Which engines a group occupies: bits.
inline constexpr std::uint8_t kComputeEngine = 1;
inline constexpr std::uint8_t kCopyEngine = 2;

struct TimeGraphParameters {
  Accounting accounting = Accounting::kAtCompletion;
  std::uint32_t max_online = 256;         // groups of an HT task at once; >= 1
  bool has_online_list_per_engine = false;
  bool lets_higher_join = false;          // a strictly higher priority need not wait for lower ones: preemptive hardware
  std::size_t max_history_records = 100;
  bool has_history_per_task = false;
};

struct TaskParameters {
  Dispatch dispatch = Dispatch::kPrt;
  std::uint32_t priority = 0;        // larger is more urgent
  bool is_foreground_aware = false;  // AGPA: within the priority level the foreground task goes first
  std::optional<ReserveId> reserve;  // none: nothing is enforced
};

// Who is told. Called from within the events below, in the order in which things happen.
class ITimeGraphObserver {
 public:
  virtual ~ITimeGraphObserver() = default;
  virtual void on_arrived(Cycle now, TaskId task, GroupId group, Cycle predicted) = 0;
  virtual void on_suspended(Cycle now, TaskId task, GroupId group) = 0;  // its reserve does not afford it (any more)
  virtual void on_submitted(Cycle now, TaskId task, GroupId group, Cycle predicted) = 0;
  // `charged`: what has been taken from the reserve for this group, in all.
  virtual void on_completed(Cycle now, TaskId task, GroupId group, Cycle charged) = 0;
  virtual void on_replenished(Cycle now, ReserveId reserve, std::int64_t budget) = 0;
};

// Events come in order of time; in one cycle completions first, then replenish(), then arrivals, then dispatch(). A
// task has one waiting group at most: who submits sleeps (reading 2).
class TimeGraph {
 public:
  explicit TimeGraph(const TimeGraphParameters& parameters, ITimeGraphObserver* observer = nullptr);

  ReserveId add_reserve(const ReserveParameters& parameters);
  TaskId add_task(const TaskParameters& parameters);
  void set_foreground(std::optional<TaskId> task);

  GroupId arrive(Cycle now, TaskId task, const GroupKey& key, std::uint8_t engines = kComputeEngine);
  // A group that is online is done. `measured`: what it used, with Accounting::kMeasured only.
  void complete(Cycle now, GroupId group, Cycle measured = 0);
  // Whatever is due at or before `now`.
  void replenish(Cycle now);
  Cycle next_replenishment() const;  // kNever: there is no reserve

  // The groups that are submitted now, in this order; call after every cycle with events.
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
  // ...
};

}  // namespace tessera::command_scheduling
