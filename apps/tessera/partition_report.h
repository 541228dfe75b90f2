// SPDX-License-Identifier: Apache-2.0
// What a person reads after a run of an experiment with static partitions, made from the summary.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tessera::app {

// A row for each task, those of the baseline with its name behind them, and one for each partition. Empty without
// partitions.
std::string partition_tables(const nlohmann::ordered_json& summary, const std::string& baseline_name);

}  // namespace tessera::app
