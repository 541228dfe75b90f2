// SPDX-License-Identifier: Apache-2.0
// What a run comes to: counts, distributions and their error bound, and the way through JSON.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <limits>
#include <numeric>

#include "model/record/metrics/metrics.h"
#include "tests/model/record/support.h"

namespace tessera::record {
namespace {

using test::at;

RunResult metrics_of(const std::vector<Record>& log, std::size_t num_processes = 2, Cycle end = test::kSoundLogEnd) {
  MetricsSink sink(num_processes);
  test::feed(sink, log, end);
  return sink.result();
}

TEST(Histogram, SmallValuesAreExact) {
  Histogram histogram;
  for (Cycle value = 1; value <= 2000; ++value) histogram.add(value);
  EXPECT_EQ(histogram.percentile(99), 1980U);
  EXPECT_EQ(histogram.percentile(50), 1000U);
  EXPECT_EQ(histogram.percentile(1), 20U);
}

TEST(Histogram, NearestRankRoundsUp) {
  Histogram histogram;
  histogram.add(10);
  EXPECT_EQ(histogram.percentile(99), 10U);
  histogram.add(20);
  EXPECT_EQ(histogram.percentile(50), 10U);
  EXPECT_EQ(histogram.percentile(99), 20U);
}

using Ranges = std::vector<std::array<std::uint64_t, 3>>;  // from, to, count

Ranges ranges_of(const Histogram& histogram) {
  Ranges ranges;
  for (const CycleRange& range : histogram.ranges()) ranges.push_back({range.from, range.to, range.count});
  return ranges;
}

TEST(Histogram, FewValuesAreListedOneByOne) {
  Histogram histogram;
  for (const Cycle value : {26, 13, 26, 0, 4097}) histogram.add(value);
  EXPECT_EQ(ranges_of(histogram), (Ranges{{0, 0, 1}, {13, 13, 1}, {26, 26, 2}, {4096, 4099, 1}}));
  EXPECT_EQ(ranges_of(Histogram()), Ranges{});
}

TEST(Histogram, OfManyValuesTheRangesArePowersOfTwo) {
  Histogram histogram;
  for (Cycle value = 0; value < Histogram::kMaxRanges; ++value) histogram.add(value);
  EXPECT_EQ(ranges_of(histogram).size(), Histogram::kMaxRanges);
  histogram.add(5000);
  EXPECT_EQ(ranges_of(histogram),
            (Ranges{{0, 0, 1}, {1, 1, 1}, {2, 3, 2}, {4, 7, 4}, {8, 15, 8}, {16, 31, 16}, {4096, 8191, 1}}));
}

TEST(Histogram, AnEmptyOneIsZero) {
  EXPECT_EQ(Histogram().percentile(99), 0U);
  EXPECT_EQ(Histogram().max(), 0U);
}

TEST(Histogram, APercentileIsNeverTooLowAndAtMostOneInAThousandTwentyFourTooHigh) {
  EXPECT_TRUE(rc::check([] {
    std::vector<Cycle> values = *rc::gen::nonEmpty(rc::gen::container<std::vector<Cycle>>(
        rc::gen::oneOf(rc::gen::inRange<Cycle>(0, 5000), rc::gen::inRange<Cycle>(0, kNever))));
    Histogram histogram;
    for (const Cycle value : values) histogram.add(value);
    std::sort(values.begin(), values.end());
    const auto percent = *rc::gen::inRange<std::uint32_t>(1, 101);
    const Cycle exact = values[(values.size() * percent + 99) / 100 - 1];
    const Cycle reported = histogram.percentile(percent);
    RC_ASSERT(reported >= exact);
    RC_ASSERT(reported - exact <= exact / 1024);
    RC_ASSERT(reported <= histogram.max());
    RC_ASSERT(histogram.min() == values.front() && histogram.max() == values.back());
    RC_ASSERT(histogram.sum() == std::accumulate(values.begin(), values.end(), std::uint64_t{0}));
  }));
}

TEST(MetricsSink, TurnaroundsOfCompletedRunsAreAddedUp) {
  const RunResult result = metrics_of(test::sound_log());
  ASSERT_EQ(result.processes.size(), 2U);
  EXPECT_EQ(result.processes[0].runs, 1U);
  EXPECT_EQ(result.processes[0].turnaround_cycles, 120U);
  EXPECT_EQ(result.processes[1].runs, 2U);
  EXPECT_EQ(result.processes[1].turnaround_cycles, 101U + 39U);
}

TEST(MetricsSink, SlotsAreThoseOfSmsWhileKernelsHoldThem) {
  const SlotCycles slots = metrics_of(test::sound_log()).slots;
  EXPECT_EQ(slots.all, 2U * (44 + 41 + 104 + 22 + 20));
  EXPECT_EQ(slots.run, 59U + 72 + 88 + 18 + 16);
  EXPECT_EQ(slots.preempted, 20U + 33);
  EXPECT_EQ(slots.without_demand, 1U + 53 + 6 + 16);
}

TEST(MetricsSink, TotalsEqualThoseOfTheLog) {
  const std::vector<Record> log = test::sound_log();
  std::uint64_t tbs = 0;
  std::uint64_t saved = 0;
  std::uint64_t restored = 0;
  std::uint64_t busy = 0;
  for (const Record& record : log) {
    if (record.kind == Kind::kTbFinished) ++tbs;
    if (record.kind == Kind::kTbSaved) saved += record.bytes;
    if (record.kind == Kind::kTbRestored) restored += record.bytes;
    if (record.kind == Kind::kSmBusy) busy += record.cycles;
  }
  const RunResult result = metrics_of(log);
  EXPECT_EQ(result.cycles, test::kSoundLogEnd);
  EXPECT_EQ(result.tbs_completed, tbs);
  EXPECT_EQ(result.busy_sm_cycles, busy);
  EXPECT_EQ(result.preemptions.at("context_switch").bytes_saved, saved);
  EXPECT_EQ(result.preemptions.at("context_switch").bytes_restored, restored);
  EXPECT_EQ(result.preemptions.at("drain").bytes_saved, 0U);
  EXPECT_EQ(result.policy_invocations, 1U);
  EXPECT_EQ(result.decisions.count, 1U);
  EXPECT_EQ(result.decisions.max, 2U);
  ASSERT_EQ(result.decision_histogram.size(), 1U);
  EXPECT_EQ(result.decision_histogram[0].from, 2U);
  EXPECT_EQ(result.decision_histogram[0].count, 1U);
  EXPECT_EQ(result.first_decisions.count, 0U);  // it moved nothing
  EXPECT_TRUE(result.first_decision_histogram.empty());
}

// Two SMs for 30 cycles, one for 5, none for 10, three until the end 100 cycles later.
TEST(MetricsSink, SmsThatAreIdleByRuleCountFromOneRecordToTheNext) {
  MetricsSink sink(1);
  for (const auto& [cycle, count] : {std::pair<Cycle, std::uint64_t>{50, 2}, {80, 1}, {85, 0}, {95, 3}}) {
    sink.consume(at(cycle, Kind::kSmsWithheld).value(count));
  }
  sink.finish(195);
  EXPECT_EQ(sink.result().withheld_sm_cycles, 2U * 30 + 1 * 5 + 0 * 10 + 3 * 100);
}

TEST(MetricsSink, PreemptionsAreCountedByTechniqueAndOnlyWhenDone) {
  const RunResult result =
      metrics_of({at(1, Kind::kPreemptionRequested).on(0).launched(0).by(Technique::kDrain),
                  at(5, Kind::kPreemptionDone).on(1).launched(0).by(Technique::kContextSwitch).cycles(40).bytes(8),
                  at(6, Kind::kPreemptionDone).on(1).launched(0).by(Technique::kContextSwitch).cycles(20).bytes(8)});
  const PreemptionResult& context_switch = result.preemptions.at("context_switch");
  EXPECT_EQ(context_switch.latency.count, 2U);
  EXPECT_EQ(context_switch.latency.sum, 60U);
  EXPECT_EQ(context_switch.latency.min, 20U);
  EXPECT_EQ(context_switch.latency.max, 40U);
  EXPECT_EQ(context_switch.latency.p99, 40U);
  EXPECT_EQ(context_switch.bytes_saved, 16U);
  EXPECT_EQ(result.preemptions.at("drain").latency.count, 0U);
}

TEST(MetricsSink, KernelsLeftAtTheEndCountTheirFinishedTbsAndOpenSaves) {
  const RunResult result = metrics_of({at(9, Kind::kKernelFinished).launched(0).kernel(0, 0).value(7),
                                       at(9, Kind::kKernelLeft).launched(1).kernel(1, 0).value(3).bytes(1700)});
  EXPECT_EQ(result.tbs_completed, 10U);
  EXPECT_EQ(result.open_saves, 1700U);
}

// ---- deadlines -----------------------------------------------------------------------------------------------------

Record of_kernel(Kind kind, Cycle cycle, std::uint32_t launch, std::uint16_t process) {
  Record record;
  record.cycle = cycle;
  record.kind = kind;
  record.launch = launch;
  record.process = process;
  return record;
}

ProcessResult deadlines_of(const std::vector<Record>& log, Cycle deadline, Cycle end) {
  MetricsSink sink(2, {0, deadline});
  test::feed(sink, log, end);
  EXPECT_EQ(sink.result().processes[0].deadline_kernels, 0U) << "it has none";
  return sink.result().processes[1];
}

TEST(MetricsSink, ADeadlineCountsFromTheArrivalAndIsMissedACycleLater) {
  const std::vector<Record> log = {
      of_kernel(Kind::kKernelArrived, 10, 0, 1),   of_kernel(Kind::kKernelArrived, 20, 1, 0),
      of_kernel(Kind::kKernelArrived, 30, 2, 1),   of_kernel(Kind::kKernelFinished, 110, 0, 1),
      of_kernel(Kind::kKernelFinished, 131, 2, 1), of_kernel(Kind::kKernelFinished, 5000, 1, 0),
  };
  const ProcessResult met = deadlines_of(log, 101, 6000);
  EXPECT_EQ(met.deadline_kernels, 2U);
  EXPECT_EQ(met.deadline_misses, 0U);
  EXPECT_EQ(met.worst_response_cycles, 101U);
  EXPECT_EQ(deadlines_of(log, 100, 6000).deadline_misses, 1U);
  EXPECT_EQ(deadlines_of(log, 99, 6000).deadline_misses, 2U);
}

TEST(MetricsSink, AKernelOpenAtTheEndIsMissedOnceItsDeadlineHasPassed) {
  const std::vector<Record> log = {of_kernel(Kind::kKernelArrived, 10, 0, 1)};
  EXPECT_EQ(deadlines_of(log, 100, 110).deadline_kernels, 0U);
  const ProcessResult late = deadlines_of(log, 100, 111);
  EXPECT_EQ(late.deadline_kernels, 1U);
  EXPECT_EQ(late.deadline_misses, 1U);
  EXPECT_EQ(late.worst_response_cycles, 101U);
}

TEST(MetricsSink, NeedsNoPerTbRecords) {
  std::vector<Record> log = test::sound_log();
  const nlohmann::json with_tbs = metrics_of(log);
  log.erase(std::remove_if(log.begin(), log.end(), [](const Record& r) { return is_per_tb(r.kind); }), log.end());
  EXPECT_FALSE(MetricsSink(2).wants_per_tb());
  EXPECT_EQ(nlohmann::json(metrics_of(log)), with_tbs);
}

TEST(RunResult, SurvivesJsonToTheLastBit) {
  RunResult result = metrics_of(test::sound_log());
  result.complete = true;
  result.stop_reason = "min_runs";
  result.invariants = {{"tokens", "ok"}, {"ptbq", "cycle 3: too full"}};
  result.cycles = std::numeric_limits<std::uint64_t>::max();  // a double would lose its last bits
  result.processes[0].turnaround_cycles = (std::uint64_t{1} << 53) + 1;
  const std::string text = nlohmann::json(result).dump();
  const auto back = nlohmann::json::parse(text).get<RunResult>();
  EXPECT_EQ(back.cycles, result.cycles);
  EXPECT_EQ(back.processes[0].turnaround_cycles, result.processes[0].turnaround_cycles);
  EXPECT_EQ(back.invariants, result.invariants);
  EXPECT_EQ(back.stop_reason, result.stop_reason);
  EXPECT_TRUE(back.complete);
  EXPECT_EQ(nlohmann::json(back).dump(), text);
}

}  // namespace
}  // namespace tessera::record
