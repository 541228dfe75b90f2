// SPDX-License-Identifier: Apache-2.0
// What a person reads after a run, made from the summary.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platform/experiment.h"

namespace tessera::app {

// The table on the terminal.
std::string report_text(const nlohmann::ordered_json& summary);
// A row per SM, as record::Timeline draws it, with its legend; empty when nothing ran.
std::string timeline_text(const record::Timeline& timeline, const nlohmann::ordered_json& summary);
// One line about the simulator's own speed.
std::string timing_text(const std::vector<platform::SimulationTiming>& timing);
// processes.csv: a row a process.
std::string processes_csv(const nlohmann::ordered_json& summary);

}  // namespace tessera::app
