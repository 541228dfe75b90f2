// SPDX-License-Identifier: Apache-2.0
// What a core that does one job at a time does not have is a mistake where a clocked model is to run, and none where
// the transaction-level one runs alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/spec/loader.h"
#include "tests/model/test_spec_support.h"

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

// Six core cycles, in SM cycles of `tbs_per_cycle`: docs/timing.md 7.
TEST_F(SpecCoreLimits, TheIssueLatencyIsAtLeastWhatTheCoreTakes) {
  const std::vector<std::pair<int, int>> least_at_ratio = {{1, 6}, {2, 3}, {3, 2}, {4, 2}};
  for (const auto& [ratio, least] : least_at_ratio) {
    const auto with_latency = [ratio = ratio](int cycles) {
      return std::vector<std::string>{"scheduler.tbs_per_cycle=" + std::to_string(ratio),
                                      "gpu.framework.tb_issue_cycles=" + std::to_string(cycles)};
    };
    EXPECT_THAT(mistakes(Cores::kBoth, with_latency(least)), IsEmpty());
    EXPECT_THAT(mistakes(Cores::kTlm, with_latency(least - 1)), IsEmpty());
    for (const Cores cores : {Cores::kClocked, Cores::kBoth})
      EXPECT_THAT(mistakes(cores, with_latency(least - 1)), SizeIs(1)) << ratio;
  }
}

TEST_F(SpecCoreLimits, AnIssueLatencyThatIsTooShortIsReportedWhereItStands) {
  files_.replace("parts/gpu.yaml", "  sm_setup_cycles: 9", "  tb_issue_cycles: 3");
  const auto found = mistakes(Cores::kClocked);
  ASSERT_THAT(found, SizeIs(1));
  expect_at(found[0], "parts/gpu.yaml", "3\n");
  EXPECT_EQ(found[0].key, "gpu.framework.tb_issue_cycles");
  EXPECT_THAT(to_string(found[0]), HasSubstr("at least 6"));
}

// By default it is 1: the mistake is the GPU's, which does not say otherwise.
TEST_F(SpecCoreLimits, AnIssueLatencyThatIsNotGivenIsReportedForTheGpu) {
  const auto found = mistakes(Cores::kClocked);
  ASSERT_THAT(found, SizeIs(1));
  expect_at(found[0], "parts/gpu.yaml", "schema_version");
}

// The baseline has it from the scheduler: one mistake. With one of its own it is a second.
TEST_F(SpecCoreLimits, ASearchOfThreeEntriesIsReportedWhereItStands) {
  const std::vector<std::string> latency = {"gpu.framework.tb_issue_cycles=6"};
  files_.replace("experiment.yaml", "search_width: 2", "search_width: 3");
  EXPECT_THAT(mistakes(Cores::kTlm, latency), IsEmpty());
  const auto one = mistakes(Cores::kClocked, latency);
  ASSERT_THAT(one, SizeIs(1));
  expect_at(one[0], "experiment.yaml", "3}");
  EXPECT_EQ(one[0].key, "scheduler.search_width");
  files_.replace("experiment.yaml", "baseline: {policy: fcfs}", "baseline: {policy: fcfs, search_width: 3}");
  const auto two = mistakes(Cores::kClocked, latency);
  ASSERT_THAT(two, SizeIs(2));
  EXPECT_EQ(two[1].key, "baseline.search_width");
}

}  // namespace
}  // namespace tessera::spec
