// SPDX-License-Identifier: Apache-2.0
// What depends on the machine that simulated stands in a file of its own.
#include "apps/tessera/run_files.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "apps/tessera/run_report.h"
#include "model/spec/json_text.h"

namespace tessera::app {
namespace {

nlohmann::ordered_json timing_json(const std::vector<platform::SimulationTiming>& timing) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const platform::SimulationTiming& one : timing) {
    json.push_back({{"simulation", one.name}, {"seconds", one.seconds}, {"tbs", one.tbs}});
  }
  return {{"simulations", json}};
}

}  // namespace

void write_run_files(const platform::ExperimentResult& result, const std::string& summary, ResultsFolder& results) {
  results.write("summary.json", summary);
  results.write("timing.json", spec::json_text(timing_json(result.timing), 2) + "\n");
  results.write("processes.csv", processes_csv(result.summary));
}

}  // namespace tessera::app
