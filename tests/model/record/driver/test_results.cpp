// SPDX-License-Identifier: Apache-2.0
// What a driver that holds groups back comes to, counted by hand from the timelines of the readings, and how it is
// drawn.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/record/checks/driver_monitor.h"
#include "model/record/metrics/metrics.h"
#include "tests/model/record/driver/support.h"
#include "tests/model/record/metrics/summary_input.h"
#include "tests/model/record/trace/perfetto_reader.h"

namespace tessera::record {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

RunResult driver_run(const std::vector<Record>& log, const DriverFacts& facts, Cycle end = 400) {
  MetricsSink sink(facts.plan.tasks.size(), {}, 0, {}, facts);
  feed(sink, in_order(log), end);
  return sink.result();
}

TEST(DriverResults, AreTheSumsOfGroupsByProcess) {
  const DriverResult result = driver_run(prt_log(), three_tasks(cs::Dispatch::kPrt)).driver;
  ASSERT_EQ(result.processes.size(), 3U);
  EXPECT_EQ(result.processes[1].groups, 2U);
  EXPECT_EQ(result.processes[1].gpu_cycles, 5U + 5U);
  EXPECT_EQ(result.processes[1].wait.sum, 0U + 12U);  // its second one arrives at 1 and is submitted at 13
  EXPECT_EQ(result.processes[1].wait.max, 12U);
  EXPECT_EQ(result.processes[1].suspensions, 0U);
  EXPECT_EQ(result.processes[2].wait.max, 12U);  // 6 .. 18
}

TEST(DriverResults, SayWhatAReserveGaveAndKept) {
  const DriverResult result = driver_run(pe_log(), one_reserve(false)).driver;
  ASSERT_EQ(result.reserves.size(), 1U);
  EXPECT_EQ(result.reserves[0].used_cycles, 20U + 50U + 5U + 38U);
  EXPECT_EQ(result.reserves[0].replenishments, 3U);
  EXPECT_EQ(result.reserves[0].overruns, 2U);  // -30 and -33
  EXPECT_EQ(result.reserves[0].worst_debt, 33U);
  // Submitted at 0, 30, 100, 105: 0 to 99 holds 70, 30 to 129 holds 93.
  EXPECT_EQ(result.reserves[0].worst_window, 50U + 5U + 38U);
  EXPECT_EQ(result.processes[0].suspensions, 1U);
  EXPECT_EQ(result.processes[1].groups, 0U);
}

TEST(DriverResults, TakeABudgetOfZeroForNoOverrun) {
  const DriverResult result = driver_run(ae_log(), one_reserve(true)).driver;  // 0 at 150
  EXPECT_EQ(result.reserves[0].overruns, 0U);
  EXPECT_EQ(result.reserves[0].worst_debt, 0U);
}

TEST(DriverResults, CompareChargesWithPredictions) {
  // Of 50 cycles 10 off, which is a fifth, and of 5 two.
  std::vector<Record> log = with(ae_log(), submitted(101, 0, 1, 50), submitted(101, 0, 1, 40));
  log = with(log, submitted(201, 0, 2, 5), submitted(201, 0, 2, 7));
  const DriverProcessResult result = driver_run(log, one_reserve(true)).driver.processes[0];
  EXPECT_EQ(result.predicted_groups, 4U);
  EXPECT_EQ(result.predicted_charged, 20U + 50U + 5U + 38U);
  EXPECT_EQ(result.prediction_error, 10U + 2U);
  EXPECT_EQ(result.well_predicted, 3U);
  EXPECT_EQ(driver_run(pe_log(), one_reserve(false)).driver.processes[0].predicted_groups, 0U);
}

TEST(DriverResults, CountInvocationsByCauseAndTheirTime) {
  std::vector<Record> log;
  for (const std::uint64_t cause : {0, 1, 1, 2, 3})
    log.push_back(at(5 + cause, Kind::kDriverInvoked).value(cause).cycles(10));
  const DriverResult result = driver_run(log, one_reserve(false)).driver;
  EXPECT_THAT(result.invocations, ElementsAre(1, 2, 1, 1));
  EXPECT_EQ(result.cpu_cycles, 50U);
}

TEST(DriverResults, SurviveJsonAndAreEmptyWithoutSuchADriver) {
  const RunResult result = driver_run(pe_log(), one_reserve(false));
  const nlohmann::json json = result;
  EXPECT_EQ(nlohmann::json(json.get<RunResult>()), json);
  EXPECT_EQ(json.get<RunResult>().driver.reserves[0].worst_debt, 33U);
  MetricsSink plain(2);
  feed(plain, sound_log(), kSoundLogEnd);
  EXPECT_TRUE(plain.result().driver.is_empty());
}

TEST(DriverResults, OfAWindowLeaveOutGroupsThatDoNotEnd) {
  ChargeWindow window(100);
  window.submitted(0, 0);
  window.submitted(1, 10);
  window.submitted(2, 110);
  window.done(1, 7);
  window.done(2, 8);
  window.finish();
  EXPECT_EQ(window.worst(), 8U);  // 10 and 110 are not within 100 cycles
}

TEST(DriverSummaries, StandBesideEachProcessAndByReserve) {
  SummaryInput input = two_processes();  // two cycles a microsecond
  EXPECT_FALSE(make_summary(input).contains("driver"));
  EXPECT_FALSE(make_summary(input)["processes"][0].contains("gpu"));
  input.driver = one_reserve(false);
  input.shared.driver = driver_run(pe_log(), input.driver).driver;
  input.shared.cycles = 452;
  const auto summary = make_summary(input);
  EXPECT_EQ(summary["driver"]["kind"], "timegraph");
  const auto& reserve = summary["driver"]["reserves"][0];
  EXPECT_EQ(reserve["capacity_us"], 20);
  EXPECT_EQ(reserve["period_us"], 50);
  EXPECT_EQ(reserve["used_us"], 56.5);
  EXPECT_EQ(reserve["used_share"], 0.25);
  EXPECT_EQ(reserve["worst_debt_us"], 16.5);
  EXPECT_EQ(reserve["worst_window_us"], 46.5);
  EXPECT_EQ(reserve["members"], nlohmann::ordered_json({"interactive"}));
  const auto& first = summary["processes"][0]["gpu"];
  EXPECT_EQ(first["groups"], 4);
  EXPECT_EQ(first["wait_us"]["max"], 5);  // of 90 to 100
  EXPECT_EQ(first["reserve"], "alpha");
  EXPECT_EQ(first["prediction"], nullptr);
  const auto& second = summary["processes"][1]["gpu"];
  EXPECT_EQ(second["reserve"], nullptr);
  EXPECT_EQ(second["wait_us"]["mean"], nullptr);
}

TEST(DriverSummaries, SayHowWellCostsWerePredicted) {
  SummaryInput input = two_processes();
  input.driver = one_reserve(true);
  const std::vector<Record> log = with(ae_log(), submitted(101, 0, 1, 50), submitted(101, 0, 1, 30));
  input.shared.driver = driver_run(log, input.driver).driver;
  const auto prediction = make_summary(input)["processes"][0]["gpu"]["prediction"];
  EXPECT_EQ(prediction["groups"], 4);
  EXPECT_EQ(prediction["error_share"], 20.0 / 113.0);
  EXPECT_EQ(prediction["within_20_percent"], 0.75);
}

TEST(DriverSummaries, AreOfTheBaselinesDriverInTheBaseline) {
  SummaryInput input = two_processes();
  input.baseline = input.shared;
  input.baseline_driver = one_reserve(false);
  input.baseline->driver = driver_run(pe_log(), input.baseline_driver).driver;
  const auto summary = make_summary(input);
  EXPECT_FALSE(summary.contains("driver"));
  EXPECT_EQ(summary["baseline"]["driver"]["reserves"][0]["overruns"], 2);
  EXPECT_EQ(summary["baseline"]["processes"][0]["gpu"]["groups"], 4);
}

TEST(DriverMonitor, NamesTheFirstViolationOfEachInvariant) {
  const auto verdicts = [](const std::vector<Record>& log) {
    DriverMonitor monitor(one_reserve(false));
    feed(monitor, in_order(log), 400);
    return monitor.verdicts();
  };
  EXPECT_THAT(verdicts(pe_log()),
              ElementsAre(Pair("driver_groups", "ok"), Pair("driver_budgets", "ok"), Pair("driver_order", "ok")));
  const std::vector<Record> log = and_also(with(pe_log(), replenished(301, 0, 40), replenished(301, 0, 39)),
                                           {replenished(310, 0, 1), done(320, 1, 9, 3), arrived(330, 1, 4)});
  EXPECT_THAT(
      verdicts(log),
      ElementsAre(Pair("driver_groups", "cycle 320: group_done process 1: group 9 is not online"),
                  Pair("driver_budgets", "cycle 301: budget_replenished: reserve 0 has 39 cycles, it should be 40"),
                  Pair("driver_order", HasSubstr("nothing is online, and process 1 is ready"))));
}

// ---- Perfetto ------------------------------------------------------------------------------------------------------

// A cycle of the logs is a microsecond.
Trace drawing_of(const std::vector<Record>& log, const DriverFacts& facts, Cycle end) {
  Names names = small_names();
  names.clock_hz = 1'000'000;
  names.driver = facts;
  return read(in_order(log), names, end);
}

TEST(DriverTracks, ShowWhatGroupsWaitForAndWhenTheyHaveTheGpu) {
  const Trace trace = drawing_of(pe_log(), one_reserve(false), 400);
  EXPECT_THAT(trace.faults, testing::IsEmpty());
  EXPECT_THAT(trace.slices.at("Driver/alpha waiting"), ElementsAre("for budget 91000-101000", "waiting 104000-106000"));
  EXPECT_THAT(trace.slices.at("Driver/alpha on GPU"),
              ElementsAre("on GPU 1000-21000", "on GPU 31000-81000", "on GPU 101000-106000", "on GPU 106000-144000"));
}

TEST(DriverTracks, ShowBudgetsInDebtAndWhatAPeriodCharges) {
  const Trace trace = drawing_of(pe_log(), one_reserve(false), 400);
  EXPECT_THAT(
      trace.counters.at("Driver/alpha budget in us"),
      ElementsAre("0 40", "21000 20", "81000 -30", "101000 10", "106000 5", "144000 -33", "201000 7", "301000 40"));
  EXPECT_THAT(trace.counters.at("Driver/alpha charged a period in us"),
              ElementsAre("0 70", "101000 43", "201000 0", "301000 0"));
}

TEST(DriverTracks, DrawAChainWithoutOverlapAndEndWhatIsOpen) {
  DriverFacts facts = one_reserve(false);
  facts.plan.tasks[0].parameters.dispatch = cs::Dispatch::kHt;
  const Trace trace = drawing_of(
      {arrived(1, 0, 0), submitted(1, 0, 0), arrived(2, 0, 1), submitted(2, 0, 1), arrived(3, 1, 2), done(6, 0, 0, 5)},
      facts, 9);
  EXPECT_THAT(trace.faults, testing::IsEmpty());
  EXPECT_THAT(trace.slices.at("Driver/alpha on GPU"), ElementsAre("on GPU 1000-6000", "on GPU 6000-9000"));
  EXPECT_THAT(trace.slices.at("Driver/beta waiting"), ElementsAre("waiting 3000-9000"));
}

TEST(DriverTracks, AreMissingWhereTheDriverHoldsNothingBack) {
  for (const auto& [uuid, name] : read(sound_log()).tracks) EXPECT_THAT(name, Not(HasSubstr("Driver")));
}

}  // namespace
}  // namespace tessera::record
