// SPDX-License-Identifier: Apache-2.0
// Simulations in processes of their own, since SystemC elaborates only once in a process.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

namespace tessera::platform {

// Runs every task in a forked child, at most `num_workers` at a time, and returns what they returned, in the
// order of the tasks. A task that throws, or whose process dies, makes this throw std::runtime_error with its
// message, once all others have ended. `on_done` is called with the number of tasks that have ended, `on_result` before
// that with a task and what it returned.
std::vector<nlohmann::json> run_in_workers(
    const std::vector<std::function<nlohmann::json()>>& tasks, unsigned num_workers,
    const std::function<void(std::size_t)>& on_done = {},
    const std::function<void(std::size_t, const nlohmann::json&)>& on_result = {});

}  // namespace tessera::platform
