// SPDX-License-Identifier: Apache-2.0
// What depends on the machine that simulated stands in a file of its own.
#include "apps/tessera/run_files.h"

#include <nlohmann/json.hpp>

#include "apps/tessera/report_units.h"
#include "apps/tessera/run_report.h"
#include "model/spec/json_text.h"

namespace tessera::app {
namespace {

nlohmann::ordered_json timing_json(const platform::ExperimentResult& result) {
  nlohmann::ordered_json simulations = nlohmann::ordered_json::array();
  for (const platform::SimulationTiming& one : result.timing) {
    simulations.push_back({{"simulation", one.name}, {"seconds", one.seconds}, {"tbs", one.tbs}});
  }
  nlohmann::ordered_json cuts = nlohmann::ordered_json::array();
  for (const platform::TraceCut& cut : result.trace_cuts) {
    cuts.push_back({{"file", cut.file}, {"end_us", cycles_to_us(result.summary, cut.at)}});
  }
  return {{"simulations", simulations}, {"trace_cuts", cuts}};
}

}  // namespace

void write_run_files(const platform::ExperimentResult& result, const std::string& summary, ResultsFolder& results) {
  results.write("summary.json", summary);
  results.write("timing.json", spec::json_text(timing_json(result), 2) + "\n");
  results.write("processes.csv", processes_csv(result.summary));
}

}  // namespace tessera::app
