// SPDX-License-Identifier: Apache-2.0
// What a person reads at the end of a run's tables: decisions, the use of the machine, checks; made from the summary.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tessera::app {

// A line each.
std::string machine_lines(const nlohmann::ordered_json& summary);

}  // namespace tessera::app
