// SPDX-License-Identifier: Apache-2.0
// The waiting groups: a queue per reserve, and the order of those that are ready ([K11] 4; docs/concepts/readings.md,
// TimeGraph).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/base/time.h"
#include "model/command_scheduling/cost_history.h"
#include "model/command_scheduling/group_key.h"
#include "model/command_scheduling/task.h"

namespace tessera::command_scheduling {

// A task's one waiting group.
struct Waiter {
  GroupId group = 0;
  Cycle arrival = 0;
  Cycle ready_since = 0;  // valid while it is ready
  std::uint8_t lists = 0;
  bool is_waiting = false;
  bool is_ready = false;
  bool is_suspended = false;  // the observer has been notified
  CostHistory::Prediction prediction;
  GroupKey key;  // kept only if costs are predicted
};

class WaitQueue {
 public:
  void add_reserve() { queues_.emplace_back(); }
  void add_task(const TaskParameters& parameters);
  void set_foreground(std::optional<TaskId> task) { foreground_ = task; }

  // Adds the task's waiter, which the caller fills in. Without a reserve it is ready at once.
  Waiter& add(Cycle now, TaskId task, GroupId group);
  void remove(TaskId task);
  Waiter& of(TaskId task) { return waiters_[slot(task)]; }
  const Waiter& of(TaskId task) const { return waiters_[slot(task)]; }

  // The first of a reserve's waiters: by priority, then arrival, then task. The others wait behind it (reading 11).
  std::optional<TaskId> head(ReserveId id) const;
  // Only the head of a reserve's queue can be ready.
  void set_head_ready(Cycle now, ReserveId id, bool is_ready);

  std::size_t num_ready() const { return ready_.size(); }
  // Promotion of the foreground task among the ready: it moves from `from` to `to`, which is not later.
  struct Promotion {
    std::size_t from = 0;
    std::size_t to = 0;
  };
  Promotion promotion() const;
  // The nth task in turn: by priority, then longest ready, then task; with the promotion applied.
  TaskId in_turn(std::size_t nth, const Promotion& promotion) const;
  const TaskParameters& parameters(TaskId task) const { return parameters_[slot(task)]; }

 private:
  struct Queue {
    std::vector<TaskId> waiting;
    std::optional<TaskId> ready;
  };
  static std::size_t slot(TaskId task) { return static_cast<std::size_t>(task); }
  Queue& queue(ReserveId id) { return queues_[static_cast<std::size_t>(id)]; }
  void make_ready(Cycle now, TaskId task);
  void make_unready(TaskId task);

  std::vector<TaskParameters> parameters_;
  std::vector<Waiter> waiters_;  // by task
  std::vector<Queue> queues_;    // by reserve
  std::vector<TaskId> ready_;    // in the order of turns, without promotion
  std::optional<TaskId> foreground_;
};

}  // namespace tessera::command_scheduling
