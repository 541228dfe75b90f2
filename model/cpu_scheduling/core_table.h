// SPDX-License-Identifier: Apache-2.0
// Which process has which core of the host: preemptive fixed priorities, first come first served among equals, as
// Linux's SCHED_FIFO (docs/concepts/host_cores.md). Pure decisions, without time.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

namespace tessera::cpu_scheduling {

enum class CoreId : std::uint32_t {};  // a hardware thread
enum class TaskId : std::uint32_t {};  // a process

struct Task {
  std::uint32_t priority = 0;   // the larger goes first
  std::vector<CoreId> cores{};  // that it may run on, ascending; at least one
};

class CoreTable {
 public:
  CoreTable(std::uint32_t num_cores, std::vector<Task> tasks);

  // From now on the task wants a core: it is the last of its priority. It must not want one already.
  void add(TaskId task);
  // It wants none any more, and gives up its own.
  void remove(TaskId task);
  bool wants_core(TaskId task) const;
  std::optional<CoreId> core_of(TaskId task) const;

  // Gives cores to the tasks that want one, in order of priority: a free one (the task's last, else the lowest), else
  // that of the least urgent task below its own priority. Who loses a core so goes first among its equals, and may take
  // another. Afterwards no core is free or has a less urgent task while a task that may run there waits.
  void place();

 private:
  struct State {
    Task task;
    std::optional<CoreId> core;
    std::optional<CoreId> last_core;
    std::int64_t order = 0;  // among waiting tasks of its priority
    bool is_waiting = false;
  };
  using WaitKey = std::tuple<std::int64_t, std::int64_t, TaskId>;  // less urgent last: -priority, order

  State& state(TaskId task) { return states_[static_cast<std::size_t>(task)]; }
  const State& state(TaskId task) const { return states_[static_cast<std::size_t>(task)]; }
  std::optional<TaskId>& holder(CoreId core) { return holders_[static_cast<std::size_t>(core)]; }
  WaitKey key_of(TaskId task) const;
  void enqueue(TaskId task, std::int64_t order);
  void dequeue(TaskId task);
  std::optional<CoreId> core_for(const State& waiting);
  void take(TaskId task, CoreId core);

  std::vector<State> states_;                   // by task
  std::vector<std::optional<TaskId>> holders_;  // by core
  std::set<WaitKey> waiting_;
  std::int64_t first_order_ = 0;  // less than that of any waiting task
  std::int64_t last_order_ = 0;   // greater
};

}  // namespace tessera::cpu_scheduling
