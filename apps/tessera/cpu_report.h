// SPDX-License-Identifier: Apache-2.0
// What a person reads after a run on a host with cores, made from the summary.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tessera::app {

// A table of what processes have of the cores; empty where the host has none.
std::string cpu_table(const nlohmann::ordered_json& summary);

}  // namespace tessera::app
