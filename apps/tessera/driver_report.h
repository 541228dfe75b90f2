// SPDX-License-Identifier: Apache-2.0
// What a person reads after a run of a driver that holds groups of commands back, made from the summary.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tessera::app {

// Whether the driver is such a one.
bool holds_groups(const nlohmann::ordered_json& summary);
// A table of the processes' groups and one of the reserves; empty with any other driver.
std::string driver_tables(const nlohmann::ordered_json& summary);
// Of processes.csv, each with a comma in front: what becomes of a process's groups, and of the reserve that it is in.
std::string driver_columns();
std::string driver_cells(const nlohmann::ordered_json& summary, const nlohmann::ordered_json& process);
// What the driver took of the CPU.
std::string driver_line(const nlohmann::ordered_json& summary);

}  // namespace tessera::app
