// SPDX-License-Identifier: Apache-2.0
// The resolved Spec as JSON says everything, exactly, and loads back to itself.
// Its hash is stable and depends on every value.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "model/spec/json_text.h"
#include "model/spec/spec_json.h"
#include "tests/model/spec/support.h"

namespace tessera::spec {
namespace {

using test::Files;

// The JSON with each application in the process that names it: an experiment file again, since JSON is YAML.
std::string as_experiment(nlohmann::ordered_json json) {
  for (auto& process : json["workload"]["processes"]) {
    for (const auto& application : json["applications"]) {
      if (application["name"] == process["application"]) {
        process["application"] = application;
        break;
      }
    }
  }
  json.erase("applications");
  return json_text(json, 2);
}

TEST(SpecJson, LoadsBackToTheSameSpec) {
  Files files;
  const Spec first = files.load();
  files.write("experiment.yaml", as_experiment(to_json(first)));
  const Spec second = files.load();
  EXPECT_EQ(to_json(first), to_json(second));
  EXPECT_EQ(content_hash(first), content_hash(second));
}

TEST(SpecJson, NumbersAreTheDecimalsOfTheFiles) {
  const std::string text = json_text(to_json(Files().load()));
  for (const char* expected : {R"("kernel_time_us":2905.81,)", R"("tb_time_us":2.42,)", R"("tb_time_spread":0.1})",
                               R"("clock_mhz":706.5,)", R"("memory_bandwidth_gbps":208.25,)", R"("start_us":1.5})",
                               R"("max_time_us":5000})", R"("cpu":{"time_us":100})"}) {
    EXPECT_THAT(text, testing::HasSubstr(expected));
  }
}

TEST(SpecJson, QuotaOfAKernelIsThereWhereItHasOne) {
  Files files;
  EXPECT_THAT(json_text(to_json(files.load())), testing::Not(testing::HasSubstr("max_tbs_per_sm\":0")));
  files.replace("parts/app.yaml", "persistent: true", "persistent: true, max_tbs_per_sm: 3");
  const Spec spec = files.load();
  EXPECT_EQ(spec.applications[0].kernels[2].max_tbs_per_sm, 3U);
  files.write("experiment.yaml", as_experiment(to_json(spec)));
  EXPECT_EQ(files.load().applications[0].kernels[2].max_tbs_per_sm, 3U);
}

// A summary without the keys keeps its bytes.
TEST(SpecJson, SpreadsOfProgressAreThereWhereTheyAreNotNothing) {
  Files files;
  const Spec plain = files.load();
  files.write("parts/app.yaml", std::regex_replace(files.text("parts/app.yaml"), std::regex("tb_time_spread: 0.1"),
                                                   "tb_time_spread: 0.1\n    work_share: 0.125\n"
                                                   "    segment_cpi_spread: 0.25\n    neighbour_cpi_spread: 0.9"));
  const Spec spec = files.load();
  EXPECT_THAT(json_text(to_json(spec)),
              testing::HasSubstr(R"("work_share":0.125,"segment_cpi_spread":0.25,"neighbour_cpi_spread":0.9})"));
  EXPECT_THAT(json_text(to_json(plain)), testing::Not(testing::HasSubstr("cpi_spread")));
  files.write("experiment.yaml", as_experiment(to_json(spec)));
  EXPECT_EQ(to_json(files.load()), to_json(spec));
}

TEST(SpecJson, DefaultsAreSpeltOut) {
  const auto json = to_json(Files().load());
  EXPECT_EQ(json["gpu"]["framework"]["num_ksrs"], 4);
  EXPECT_EQ(json["scheduler"]["tbs_per_cycle"], SchedulerSpec{}.tbs_per_cycle);
  EXPECT_EQ(json["workload"]["processes"][1]["priority"], 0);
}

TEST(SpecHash, IsTwelveHexDigitsAndTheSameEveryTime) {
  const Files files;
  const std::string hash = content_hash(files.load());
  EXPECT_THAT(hash, testing::MatchesRegex("[0-9a-f]+"));
  EXPECT_EQ(hash.size(), 12U);
  EXPECT_EQ(hash, content_hash(files.load()));
  EXPECT_EQ(hash, content_hash(Files().load()));  // the folder has no part in it
}

TEST(SpecHash, DiffersWhereAnyPartOfTheSpecDoes) {
  const Files files;
  std::set<std::string> hashes = {content_hash(files.load())};
  const std::vector<std::string> changes = {
      "seed=8",
      "name=other",
      "gpu.num_sms=5",
      "gpu.framework.trap_entry_cycles=21",
      "gpu.pcie.latency_us=0.6",
      "host.interrupt_us=3.000001",
      "scheduler.debt=gap",
      "scheduler.remainder=once",
      "baseline.technique=context_switch",
      "dma.policy=fcfs",
      "memory_channel.sharing=static",
      "workload.time_base=kernel_time",  // says what the file says: no difference
      "workload.processes.1.start_us=1",
      "workload.processes.1.tokens=0",
      "workload.processes.1.deadline_us=0.5",
      "gpu.framework.gpu_switch.dry_us=1",
      "stop.min_runs=3",
      "checks.enable_invariants=true",
  };
  for (const std::string& change : changes) hashes.insert(content_hash(files.load({change})));
  EXPECT_EQ(hashes.size(), changes.size());
}

}  // namespace
}  // namespace tessera::spec
