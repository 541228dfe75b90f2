// SPDX-License-Identifier: Apache-2.0
// The contract between the clocked cores: in the same machine the Verilog one and the SystemC one do the same, record
// for record, pin for pin.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "model/record/names.h"
#include "model/record/trace/csv_sink.h"
#include "model/spec/loader.h"
#include "model/spec/spec.h"
#include "platform/cosim_experiment.h"
#include "platform/simulation.h"
#include "platform/worker_pool.h"

namespace tessera::platform {
namespace {

// Many preemptions in little time.
constexpr const char* kThrashing = TESSERA_SOURCE_DIR "/configs/experiments/context_switch_thrashing.yaml";

bool never() { return false; }

// Every record, as text; and what the invariants say.
nlohmann::json log_of(const spec::Spec& spec, Abstraction abstraction) {
  std::ostringstream csv;
  record::CsvSink sink(csv, record::make_names(spec));
  MachineOptions options;
  options.abstraction = abstraction;
  const record::RunResult result = simulate(spec, {&sink}, never, options);
  return {{"csv", csv.str()}, {"invariants", result.invariants}};
}

void expect_equal_logs(const spec::Spec& spec) {
  const auto logs = run_in_workers(
      {[&] { return log_of(spec, Abstraction::kRtlModel); }, [&] { return log_of(spec, Abstraction::kRtl); }}, 2);
  EXPECT_TRUE(logs[0].at("csv") == logs[1].at("csv")) << spec.name;
  EXPECT_GT(logs[0].at("csv").get<std::string>().size(), 1000U) << spec.name;
  for (const auto& [name, verdict] : logs[1].at("invariants").items()) EXPECT_EQ(verdict, "ok") << name;
}

// With its first preemptions.
TEST(VerilogCore, WritesTheRecordLogOfVainContextSwitches) {
  expect_equal_logs(spec::load_experiment(kThrashing, {"stop.max_time_us=60000"}));
}

// Launches of one context with priorities that differ, and queues that wait for each other.
TEST(VerilogCore, WritesTheRecordLogsOfStreamsAndOfTheNullStream) {
  for (const char* name : {"tx2_stream_priorities", "tx2_null_stream"}) {
    expect_equal_logs(spec::load_experiment(std::string(TESSERA_SOURCE_DIR "/configs/experiments/") + name + ".yaml"));
  }
}

TEST(VerilogCore, WritesTheRecordLogsOfAllApplications) {
  std::size_t num_applications = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TESSERA_SOURCE_DIR "/configs/applications")) {
    if (entry.path().extension() != ".yaml") continue;
    spec::Spec spec = spec::load_experiment(
        kThrashing,
        {"workload.processes=[{name: alone, application: ../applications/" + entry.path().filename().string() + "}]",
         "stop.min_runs=1", "stop.max_time_us=200000", "baseline.policy=fcfs"});
    spec.name = entry.path().stem().string();
    expect_equal_logs(spec);
    ++num_applications;
  }
  EXPECT_GE(num_applications, 10U);
}

TEST(VerilogCore, RunsAnExperimentInLockstepWithTheSystemCOne) {
  CosimExperimentOptions options;
  options.is_interrupted = never;
  const CosimExperimentResult result =
      cosim_experiment(spec::load_experiment(kThrashing, {"stop.max_time_us=52000"}), options);
  EXPECT_FALSE(result.lockstep.mismatch) << to_text(*result.lockstep.mismatch);
  EXPECT_TRUE(result.run.complete);
  EXPECT_GT(result.lockstep.active_cycles, 10'000U);
  EXPECT_GT(result.lockstep.quiet_points, 1'000U);
}

}  // namespace
}  // namespace tessera::platform
