// SPDX-License-Identifier: Apache-2.0
// Runs simulations in separate processes, since SystemC elaborates only once per process. Kernel times that a task fits
// are available here once it has ended, and to tasks started afterwards.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tessera::platform {

// How a task ended.
struct Ending {
  nlohmann::json result;  // what it returned
  std::string error;      // why there is no result: what the task threw, or how its process died; empty: there is a
                          // result
};

// A task's result, and what its process does afterwards, while the next task starts.
struct Work {
  nlohmann::json result;
  std::function<void()> afterwards = {};
};

struct WorkerLimits {  // per task; 0: no limit
  double seconds = 0;
  std::uint64_t memory_bytes = 0;  // of address space
};

// Runs task(0) .. task(num_tasks - 1), each in a forked child, at most `num_workers` at a time, and calls `on_end` here
// for each one that has ended, including its `afterwards`. No more are started once `stops` returns true. Throws
// std::system_error if no process can be started.
void run_each(
    std::size_t num_tasks, const std::function<Work(std::size_t)>& task, unsigned num_workers,
    const WorkerLimits& limits, const std::function<void(std::size_t, const Ending&)>& on_end,
    const std::function<bool()>& stops = [] { return false; });

// Runs every task in a forked child, at most `num_workers` at a time, and returns what they returned, in the
// order of the tasks. A task that throws, or whose process dies, makes this throw std::runtime_error with its
// message, once all others have ended. `on_done` is called with the number of tasks that have ended, `on_result` before
// that with a task and its result. No more are started once `stops` returns true; the results of those not started are
// null.
std::vector<nlohmann::json> run_in_workers(
    const std::vector<std::function<nlohmann::json()>>& tasks, unsigned num_workers,
    const std::function<void(std::size_t)>& on_done = {},
    const std::function<void(std::size_t, const nlohmann::json&)>& on_result = {},
    const std::function<bool()>& stops = [] { return false; });

}  // namespace tessera::platform
