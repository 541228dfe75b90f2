// SPDX-License-Identifier: Apache-2.0
// Ratios of CPU times: both sides run in children of one program, in turn, so that what else the machine does
// falls on both.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

namespace tessera::bench {

// CPU time of the calling process so far, in seconds.
double cpu_seconds();

double median(std::vector<double> values);

// Runs `task` in a child of its own and returns its answer; throws std::runtime_error if it failed.
nlohmann::json in_child(const std::function<nlohmann::json()>& task);

}  // namespace tessera::bench
