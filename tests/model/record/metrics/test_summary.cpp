// SPDX-License-Identifier: Apache-2.0
// summary.json: the metrics of Eyerman and Eeckhout, and what is null.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/record/metrics/summary.h"
#include "tests/model/record/metrics/summary_input.h"

namespace tessera::record {
namespace {

using test::two_processes;

TEST(Summary, MetricsFollowEyermanAndEeckhout) {
  const auto summary = make_summary(two_processes());
  const double ntt0 = 2000.0 / 1000.0;
  const double ntt1 = 5000.0 / 4000.0;
  EXPECT_DOUBLE_EQ(summary["processes"][0]["ntt"].get<double>(), ntt0);
  EXPECT_DOUBLE_EQ(summary["processes"][1]["ntt"].get<double>(), ntt1);
  EXPECT_DOUBLE_EQ(summary["antt"].get<double>(), (ntt0 + ntt1) / 2);
  EXPECT_DOUBLE_EQ(summary["stp"].get<double>(), 1 / ntt0 + 1 / ntt1);
  EXPECT_DOUBLE_EQ(summary["fairness"].get<double>(), (1 / ntt0) / (1 / ntt1));
}

TEST(Summary, TimesAreMeansInMicroseconds) {
  const auto summary = make_summary(two_processes());
  EXPECT_DOUBLE_EQ(summary["processes"][0]["turnaround_us"].get<double>(), 2000.0 / 2);
  EXPECT_DOUBLE_EQ(summary["processes"][1]["alone_us"].get<double>(), 4000.0 / 2);
}

TEST(Summary, AProcessWithoutACompletedRunMadeNoProgress) {
  SummaryInput input = two_processes();
  input.shared.processes[1] = {};
  const auto summary = make_summary(input);
  EXPECT_EQ(summary["processes"][1]["runs"], 0);
  EXPECT_TRUE(summary["processes"][1]["turnaround_us"].is_null());
  EXPECT_TRUE(summary["processes"][1]["ntt"].is_null());
  EXPECT_TRUE(summary["antt"].is_null());
  EXPECT_DOUBLE_EQ(summary["stp"].get<double>(), 1000.0 / 2000.0);
  EXPECT_EQ(summary["fairness"].get<double>(), 0.0);
}

TEST(Summary, WhereNobodyMadeProgressFairnessIsNotKnown) {
  SummaryInput input = two_processes();
  input.shared.processes = {{}, {}};
  const auto summary = make_summary(input);
  EXPECT_EQ(summary["stp"].get<double>(), 0.0);
  EXPECT_TRUE(summary["fairness"].is_null());
}

TEST(Summary, OnlyAProcessThatHasADeadlineSaysWhatBecameOfIt) {
  SummaryInput input = two_processes();
  input.processes[1].deadline = 12'500'000;
  input.shared.processes[1].deadline_kernels = 7;
  input.shared.processes[1].deadline_misses = 2;
  input.shared.processes[1].worst_response_cycles = 31;  // two cycles are a microsecond
  input.baseline = input.shared;
  input.baseline->processes[1].deadline_kernels = 0;
  const auto summary = make_summary(input);
  EXPECT_FALSE(summary["processes"][0].contains("deadline"));
  EXPECT_EQ(summary["processes"][1]["deadline"].dump(),
            R"({"us":12.5,"kernels":7,"missed":2,"worst_response_us":15.5})");
  EXPECT_TRUE(summary["baseline"]["processes"][1]["deadline"]["worst_response_us"].is_null());
}

TEST(Summary, BackgroundProcessesAreListedButNotInTheMetrics) {
  SummaryInput input = two_processes();
  input.processes[1].is_background = true;
  const auto summary = make_summary(input);
  EXPECT_EQ(summary["processes"][1]["background"], true);
  EXPECT_DOUBLE_EQ(summary["processes"][1]["ntt"].get<double>(), 5000.0 / 4000.0);
  EXPECT_DOUBLE_EQ(summary["antt"].get<double>(), 2000.0 / 1000.0);
  EXPECT_DOUBLE_EQ(summary["stp"].get<double>(), 1000.0 / 2000.0);
  EXPECT_EQ(summary["fairness"].get<double>(), 1.0);
}

TEST(Summary, WithoutARunAloneNothingIsNormalised) {
  SummaryInput input = two_processes();
  input.processes[0].alone = {};
  const auto summary = make_summary(input);
  EXPECT_TRUE(summary["processes"][0]["alone_us"].is_null());
  EXPECT_TRUE(summary["processes"][0]["ntt"].is_null());
  EXPECT_TRUE(summary["antt"].is_null());
  EXPECT_TRUE(summary["stp"].is_null());
  EXPECT_TRUE(summary["fairness"].is_null());
}

TEST(Summary, TheBaselineHasTheSameFour) {
  SummaryInput input = two_processes();
  input.baseline = input.shared;
  input.baseline->processes = {{3, 12000}, {3, 15000}};
  const auto summary = make_summary(input);
  std::vector<std::string> keys;
  for (const auto& [key, value] : summary["baseline"].items()) keys.push_back(key);
  EXPECT_THAT(keys, testing::UnorderedElementsAre("processes", "antt", "stp", "fairness"));
  EXPECT_DOUBLE_EQ(summary["baseline"]["processes"][0]["ntt"].get<double>(), 4000.0 / 1000.0);
  EXPECT_DOUBLE_EQ(summary["processes"][0]["ntt"].get<double>(), 2000.0 / 1000.0);
  EXPECT_TRUE(make_summary(two_processes())["baseline"].is_null());
}

TEST(Summary, AnInterruptedBaselineMakesTheExperimentIncomplete) {
  SummaryInput input = two_processes();
  EXPECT_EQ(make_summary(input)["complete"], true);
  input.baseline = input.shared;
  input.baseline->complete = false;
  input.baseline->stop_reason = "interrupted";
  EXPECT_EQ(make_summary(input)["complete"], false);
  EXPECT_EQ(make_summary(input)["stop_reason"], "interrupted");
}

TEST(Summary, UtilisationIsTheBusyShareOfAllSmCycles) {
  SummaryInput input = two_processes();
  input.shared.busy_sm_cycles = 75;
  input.shared.cycles = 150;
  EXPECT_DOUBLE_EQ(make_summary(input)["sm_utilisation"].get<double>(), 75.0 / (2 * 150));
}

TEST(Summary, SlotsAreToldInSharesWhateverHoldsThemBack) {
  SummaryInput input = two_processes();
  input.shared.slots = {};
  EXPECT_TRUE(make_summary(input)["sm_slots"].is_null());  // no kernel had any SM
  input.shared.slots = {200, 50, 30, 20};
  const nlohmann::json slots = make_summary(input)["sm_slots"];
  EXPECT_DOUBLE_EQ(slots["occupancy"].get<double>(), 0.25);
  EXPECT_DOUBLE_EQ(slots["held_back"]["issue"].get<double>(), 0.5);
  EXPECT_DOUBLE_EQ(slots["held_back"]["demand"].get<double>(), 0.1);
  EXPECT_DOUBLE_EQ(slots["held_back"]["preemption"].get<double>(), 0.15);
}

TEST(Summary, TellsSmsThatAreIdleByRuleIfThereWereAny) {
  SummaryInput input = two_processes();
  input.shared.cycles = 150;
  EXPECT_FALSE(make_summary(input).contains("sm_idle_by_rule"));
  input.shared.withheld_sm_cycles = 60;
  EXPECT_DOUBLE_EQ(make_summary(input)["sm_idle_by_rule"].get<double>(), 60.0 / (2 * 150));
}

TEST(Summary, TellsOfMemoryWhereItAnswersLaterUnderLoad) {
  SummaryInput input = two_processes();
  input.clock_hz = 1'000'000'000;
  input.shared.cycles = 200;
  EXPECT_FALSE(make_summary(input).contains("memory"));
  input.shared.memory = {5000, 1'500'000};
  EXPECT_EQ(make_summary(input)["memory"].dump(), R"({"bytes":5000,"mean_gbps":25.0,"largest_latency":1.5})");
  input.shared.cycles = 0;
  EXPECT_TRUE(make_summary(input)["memory"]["mean_gbps"].is_null());
}

TEST(Summary, CountsAreTakenOver) {
  const SummaryInput input = two_processes();
  const auto summary = make_summary(input);
  EXPECT_EQ(summary["simulated_cycles"], input.shared.cycles);
  EXPECT_EQ(summary["tbs_completed"], input.shared.tbs_completed);
  EXPECT_EQ(summary["preemptions"]["count"], 2);
  const auto& context_switch = summary["preemptions"]["by_technique"]["context_switch"];
  EXPECT_EQ(context_switch["count"], 1);
  EXPECT_EQ(context_switch["latency_cycles"]["mean"].get<double>(), 24.0);
  EXPECT_EQ(summary["policy"]["invocations"], 1);
  EXPECT_EQ(summary["policy"]["decision_histogram"].dump(), R"([{"from":2,"to":2,"count":1}])");
  EXPECT_EQ(summary["policy"]["first_decision_histogram"].dump(), "[]");
  EXPECT_EQ(summary["spec"], input.spec);
}

TEST(Summary, OfNoPreemptionsThereIsNoLatency) {
  SummaryInput input = two_processes();
  input.shared.preemptions["drain"] = {};
  EXPECT_TRUE(make_summary(input)["preemptions"]["by_technique"]["drain"]["latency_cycles"]["p99"].is_null());
}

TEST(Summary, IsTheSameToTheByteAfterAWorkerProcess) {
  SummaryInput input = two_processes();
  const std::string text = make_summary(input).dump(2);
  input.shared = nlohmann::json::parse(nlohmann::json(input.shared).dump()).get<RunResult>();
  EXPECT_EQ(make_summary(input).dump(2), text);
}

}  // namespace
}  // namespace tessera::record
