// SPDX-License-Identifier: Apache-2.0
// What a person reads after a run of a driver that stops tasks, made from the summary.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tessera::app {

// A row for each process that the driver may stop; empty with any other driver.
std::string suspension_table(const nlohmann::ordered_json& summary);

}  // namespace tessera::app
