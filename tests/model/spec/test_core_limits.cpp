// SPDX-License-Identifier: Apache-2.0
// What the serialised engine does not have is a mistake wherever it runs, and what its clocked models do not have where
// these are to run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/spec/loader.h"
#include "tests/model/spec/support.h"

namespace tessera::spec {
namespace {

using test::Files;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class SpecCoreLimits : public testing::Test {
 protected:
  std::vector<Diagnostic> mistakes(Cores cores, const std::vector<std::string>& overrides = {}) const {
    try {
      load_experiment(files_.path("experiment.yaml"), overrides, cores);
    } catch (const InputError& error) {
      return error.diagnostics();
    }
    return {};
  }
  void expect_at(const Diagnostic& mistake, const std::string& file, const std::string& token) const {
    EXPECT_EQ(mistake.file, files_.path(file));
    EXPECT_EQ(std::pair(mistake.line, mistake.column), files_.position_of(file, token));
  }

  Files files_;
};

constexpr Cores kAllCores[] = {Cores::kTlm, Cores::kClocked, Cores::kBoth};
const std::string kIdeal = "gpu.framework.engine=ideal";

std::string at_ratio(int ratio) { return "scheduler.tbs_per_cycle=" + std::to_string(ratio); }
std::string with_latency(int cycles) { return "gpu.framework.tb_issue_cycles=" + std::to_string(cycles); }

// Six core cycles, in SM cycles of `tbs_per_cycle`: docs/hardware/timing.md 7.
TEST_F(SpecCoreLimits, TheIssueLatencyIsAtLeastWhatTheCoreTakes) {
  const std::vector<std::pair<int, int>> least_at_ratio = {{1, 6}, {2, 3}, {3, 2}, {4, 2}};
  for (const auto& [ratio, least] : least_at_ratio) {
    for (const Cores cores : kAllCores) {
      EXPECT_THAT(mistakes(cores, {at_ratio(ratio), with_latency(least)}), IsEmpty());
      const auto found = mistakes(cores, {at_ratio(ratio), with_latency(least - 1)});
      ASSERT_THAT(found, SizeIs(1)) << ratio;
      EXPECT_EQ(found[0].key, "gpu.framework.tb_issue_cycles");
      EXPECT_THAT(found[0].allowed, HasSubstr("framework.engine: ideal"));
    }
  }
}

TEST_F(SpecCoreLimits, AnIssueLatencyThatIsTooShortIsReportedWhereItStands) {
  files_.replace("parts/gpu.yaml", "  sm_setup_cycles: 9", "  tb_issue_cycles: 3");
  const auto found = mistakes(Cores::kClocked);
  ASSERT_THAT(found, SizeIs(1));
  expect_at(found[0], "parts/gpu.yaml", "3\n");
  EXPECT_EQ(found[0].key, "framework.tb_issue_cycles");
  EXPECT_THAT(to_string(found[0]), HasSubstr("at least 6"));
}

TEST_F(SpecCoreLimits, AnIssueLatencyThatIsNotGivenIsTheLeastThatTheEngineCanDo) {
  const auto latency = [this](const std::vector<std::string>& overrides) {
    return files_.load(overrides).gpu.framework.tb_issue_cycles;
  };
  EXPECT_EQ(latency({}), 6U);
  EXPECT_EQ(latency({at_ratio(4)}), 2U);
  EXPECT_EQ(latency({at_ratio(4), "baseline.tbs_per_cycle=1"}), 6U) << "the GPU has one, for both";
  EXPECT_EQ(latency({kIdeal}), 1U);
  EXPECT_EQ(latency({kIdeal, with_latency(6)}), 6U);
}

TEST_F(SpecCoreLimits, ABaselineWithASlowerCoreNeedsALongerIssueLatency) {
  const auto found = mistakes(Cores::kTlm, {at_ratio(4), "baseline.tbs_per_cycle=2", with_latency(2)});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(to_string(found[0]), HasSubstr("tbs_per_cycle: 2 (2; at least 3"));
}

TEST_F(SpecCoreLimits, OnlyTheIdealEngineMayIssueSlowerThanItsDriver) {
  const auto at = [](const char* mhz) { return std::string("gpu.framework.tb_issue_mhz=") + mhz; };
  const Spec spec = files_.load({kIdeal, at("0.25")});
  EXPECT_EQ(spec.gpu.framework.tb_issue_hz, 250'000U);
  EXPECT_THAT(mistakes(Cores::kTlm, {at("0")}), IsEmpty()) << "as many as tbs_per_cycle says";
  auto found = mistakes(Cores::kTlm, {at("0.25")});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].key, "gpu.framework.tb_issue_mhz");
  EXPECT_THAT(to_string(found[0]), HasSubstr("issues as fast as its core (0.25; 0, or framework.engine: ideal"));
  const std::uint64_t twice_mhz = 2 * spec.gpu.clock_hz / 1'000'000;
  ASSERT_EQ(twice_mhz * 1'000'000, 2 * spec.gpu.clock_hz);
  const auto twice = std::to_string(twice_mhz), more = twice + ".000001";
  EXPECT_THAT(mistakes(Cores::kTlm, {kIdeal, at_ratio(2), "baseline.tbs_per_cycle=2", at(twice.c_str())}), IsEmpty());
  found = mistakes(Cores::kTlm, {kIdeal, at_ratio(2), "baseline.tbs_per_cycle=2", at(more.c_str())});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(to_string(found[0]), HasSubstr("tbs_per_cycle: 2 allows (" + more + "; at most " + twice));
}

// ---- the engine --------------------------------------------------------------------------------------------------

TEST_F(SpecCoreLimits, TheEngineIsTheSerialisedOneUnlessTheMachineSaysOtherwise) {
  EXPECT_EQ(files_.load().gpu.framework.engine, Engine::kSerialised);
  EXPECT_EQ(files_.load({kIdeal}).gpu.framework.engine, Engine::kIdeal);
  EXPECT_EQ(files_.load({kIdeal, with_latency(1)}).gpu.framework.tb_issue_cycles, 1U);
}

TEST_F(SpecCoreLimits, AnExperimentSaysTheFrameworkOverItsGpuFile) {
  files_.replace("experiment.yaml", "stop:", "framework: {engine: ideal, num_ksrs: 3}\nstop:");
  const FrameworkSpec framework = files_.load().gpu.framework;
  EXPECT_EQ(framework.engine, Engine::kIdeal);
  EXPECT_EQ(framework.num_ksrs, 3U);
  EXPECT_EQ(framework.sm_setup_cycles, 9U) << "the GPU's own";
  EXPECT_EQ(files_.load({"gpu.framework.engine=serialised"}).gpu.framework.engine, Engine::kSerialised);
  EXPECT_EQ(files_.load({"framework.engine=serialised"}).gpu.framework.engine, Engine::kSerialised);
  files_.replace("parts/gpu.yaml", "framework:\n  sm_setup_cycles: 9\n", "");
  EXPECT_EQ(files_.load().gpu.framework.engine, Engine::kIdeal) << "of which the GPU file says nothing";
}

TEST_F(SpecCoreLimits, MistakesInTheExperimentsFrameworkAreReportedThere) {
  files_.replace("experiment.yaml", "stop:", "framework: {engine: idle}\nstop:");
  auto found = mistakes(Cores::kTlm);
  ASSERT_THAT(found, SizeIs(1));
  expect_at(found[0], "experiment.yaml", "idle");
  EXPECT_THAT(to_string(found[0]), HasSubstr("serialised, ideal"));
  files_.replace("experiment.yaml", "{engine: idle}", "{engines: ideal}");
  found = mistakes(Cores::kTlm);
  ASSERT_THAT(found, SizeIs(1));
  expect_at(found[0], "experiment.yaml", "engines");
  files_.replace("experiment.yaml", "{engines: ideal}", "ideal");
  found = mistakes(Cores::kTlm);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(to_string(found[0]), HasSubstr("framework: must be a mapping"));
}

TEST_F(SpecCoreLimits, TheSerialisedEngineHasNoTechniqueThatChoosesVictims) {
  for (const std::string key : {"scheduler.technique", "baseline.technique"}) {
    for (const std::string technique : {"chimera", "dual_kernel"}) {
      const std::string override = key + "=" + technique;
      const auto found = mistakes(Cores::kTlm, {override});
      ASSERT_THAT(found, SizeIs(1)) << override;
      EXPECT_EQ(found[0].key, key);
      EXPECT_EQ(found[0].value, technique);
      EXPECT_THAT(found[0].allowed, HasSubstr("framework.engine: ideal"));
      EXPECT_THAT(mistakes(Cores::kTlm, {override, kIdeal}), IsEmpty());
    }
  }
}

TEST_F(SpecCoreLimits, ClockedModelsAreTheSerialisedEngine) {
  for (const Cores cores : {Cores::kClocked, Cores::kBoth}) {
    const auto found = mistakes(cores, {kIdeal});
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].key, "gpu.framework.engine");
    EXPECT_THAT(to_string(found[0]), HasSubstr("abstraction tlm"));
  }
  EXPECT_THAT(mistakes(Cores::kTlm, {kIdeal}), IsEmpty());
}

// The baseline has it from the scheduler: one mistake. With one of its own it is a second.
TEST_F(SpecCoreLimits, ASearchOfThreeEntriesIsReportedWhereItStands) {
  files_.replace("experiment.yaml", "search_width: 2", "search_width: 3");
  EXPECT_THAT(mistakes(Cores::kTlm), IsEmpty());
  const auto one = mistakes(Cores::kClocked);
  ASSERT_THAT(one, SizeIs(1));
  expect_at(one[0], "experiment.yaml", "3}");
  EXPECT_EQ(one[0].key, "scheduler.search_width");
  files_.replace("experiment.yaml", "baseline: {policy: fcfs}", "baseline: {policy: fcfs, search_width: 3}");
  const auto two = mistakes(Cores::kClocked);
  ASSERT_THAT(two, SizeIs(2));
  EXPECT_EQ(two[1].key, "baseline.search_width");
}

}  // namespace
}  // namespace tessera::spec
