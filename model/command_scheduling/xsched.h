// SPDX-License-Identifier: Apache-2.0
// XSched's decisions (OSDI 2025) without a machine: which tasks are suspended, and which launches are handed to the
// GPU. Integers only; docs/concepts/drivers.md, XSched.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/base/time.h"
#include "model/command_scheduling/progressive_launching.h"
#include "model/command_scheduling/task.h"
#include "model/command_scheduling/weighted_turns.h"
#include "model/spec/spec_fwd.h"

namespace tessera::command_scheduling {

struct XschedTask {
  std::uint32_t threshold = 8;
  std::uint32_t batch = 4;
  std::uint32_t priority = 0;  // larger is more urgent
  std::uint32_t weight = 1;
};

struct XschedParameters {
  std::vector<XschedTask> tasks;
  Cycle round = 0;  // of the weights; 0: priorities decide
};

// Of a Spec whose driver is xsched; tasks by process.
XschedParameters xsched_parameters(const spec::Spec& spec);

// Called during dispatch(), in the order in which things happen.
class IXschedObserver {
 public:
  virtual ~IXschedObserver() = default;
  virtual void on_ready(TaskId task) = 0;  // it has launches that are not done
  virtual void on_idle(TaskId task) = 0;
  virtual void on_suspended(TaskId task) = 0;
  virtual void on_resumed(TaskId task) = 0;
  virtual void on_handed_over(TaskId task) = 0;  // its oldest launch that was held back
};

// A task is ready while it has launches that are not done, on the GPU or not. By priorities every task is suspended
// that has a lower one than some ready task; by weights every task but the one whose turn it is.
class Xsched {
 public:
  Xsched(const XschedParameters& parameters, IXschedObserver& observer);

  // Events of a cycle, in any order; dispatch() decides.
  void arrive(TaskId task) { launching(task).arrive(); }  // a launch waits in the host
  void complete(TaskId task, std::uint32_t launches) { launching(task).complete(launches); }
  // Suspended by somebody else, whatever the policy says.
  void ask_to_stop(TaskId task, bool is_to_stop) { is_asked_[static_cast<std::size_t>(task)] = is_to_stop; }

  void dispatch(Cycle now);
  Cycle next_due() const {
    return turns_ ? turns_->end() : kNever;
  }  // when dispatch() is to be called without an event

  std::uint32_t in_flight(TaskId task) const { return tasks_[static_cast<std::size_t>(task)].in_flight(); }
  bool is_suspended(TaskId task) const { return is_suspended_[static_cast<std::size_t>(task)]; }

 private:
  ProgressiveLaunching& launching(TaskId task) { return tasks_[static_cast<std::size_t>(task)]; }
  void note_readiness();
  std::vector<bool> stopped_by_policy(Cycle now);

  IXschedObserver& observer_;
  std::vector<ProgressiveLaunching> tasks_;
  std::vector<std::uint32_t> priorities_;
  std::optional<WeightedTurns> turns_;
  std::vector<bool> is_ready_;
  std::vector<bool> is_asked_;
  std::vector<bool> is_suspended_;
};

}  // namespace tessera::command_scheduling
