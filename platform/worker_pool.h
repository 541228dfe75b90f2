// SPDX-License-Identifier: Apache-2.0
// Simulations in processes of their own, since SystemC elaborates only once in a process. Kernel times that a task fits
// are known here once it has ended, and to the tasks that start afterwards.
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
  std::string error;      // why there is none: what it threw, or how its process died; empty: there is one
};

// What a task comes to: its result, and what its process does afterwards, while the next one starts.
struct Work {
  nlohmann::json result;
  std::function<void()> afterwards = {};
};

struct WorkerLimits {  // of a task; 0: none
  double seconds = 0;
  std::uint64_t memory_bytes = 0;  // of address space
};

// Runs task(0) .. task(num_tasks - 1), each in a forked child, at most `num_workers` at a time, and calls `on_end` here
// as they have ended, `afterwards` too. No more are started once `stops` says so. Throws std::system_error where no
// process can be started.
void run_each(
    std::size_t num_tasks, const std::function<Work(std::size_t)>& task, unsigned num_workers,
    const WorkerLimits& limits, const std::function<void(std::size_t, const Ending&)>& on_end,
    const std::function<bool()>& stops = [] { return false; });

// Runs every task in a forked child, at most `num_workers` at a time, and returns what they returned, in the
// order of the tasks. A task that throws, or whose process dies, makes this throw std::runtime_error with its
// message, once all others have ended. `on_done` is called with the number of tasks that have ended, `on_result` before
// that with a task and what it returned. No more are started once `stops` says so: null stands for what those return.
std::vector<nlohmann::json> run_in_workers(
    const std::vector<std::function<nlohmann::json()>>& tasks, unsigned num_workers,
    const std::function<void(std::size_t)>& on_done = {},
    const std::function<void(std::size_t, const nlohmann::json&)>& on_result = {},
    const std::function<bool()>& stops = [] { return false; });

}  // namespace tessera::platform
