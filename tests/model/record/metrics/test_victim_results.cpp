// SPDX-License-Identifier: Apache-2.0
// What techniques that choose victims come to, counted by hand, and how an SM of theirs is drawn.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "model/record/metrics/metrics.h"
#include "model/record/trace/csv_sink.h"
#include "model/record/trace/csv_source.h"
#include "model/record/trace/perfetto_sink.h"
#include "model/record/trace/sm_phase.h"
#include "model/record/trace/timeline.h"
#include "tests/model/record/shared_log.h"

namespace tessera::record {
namespace {

using test::at;
using testing::ElementsAre;
using testing::HasSubstr;
using K = Kind;

RunResult result_of(const std::vector<Record>& log, Cycle limit) {
  MetricsSink sink(2, {}, limit);
  test::feed(sink, test::in_order(log), 200);
  return sink.result();
}

std::vector<Record> without_tbs(std::vector<Record> log) {
  log.erase(std::remove_if(log.begin(), log.end(), [](const Record& r) { return is_per_tb(r.kind); }), log.end());
  return log;
}

TEST(VictimResults, CountWaysOutAndWhatTheyWaste) {
  const VictimResult victims = result_of(test::shared_log(), 20).victims;
  EXPECT_EQ(victims.flushed, 1U);
  EXPECT_EQ(victims.switched, 1U);
  EXPECT_EQ(victims.drained, 0U);
  EXPECT_EQ(victims.instructions_executed, 17U + 16U);
  EXPECT_EQ(victims.instructions_wasted, 17U + 10U);
}

TEST(VictimResults, JudgePlacesByTheLimitToTheCycle) {
  const VictimResult at_limit = result_of(test::shared_log(), 30).victims;
  EXPECT_EQ(at_limit.positions, 2U);
  EXPECT_EQ(at_limit.position_latency.min, 7U);
  EXPECT_EQ(at_limit.position_latency.max, 30U);
  EXPECT_EQ(at_limit.last_position_latency.count, 1U);
  EXPECT_EQ(at_limit.last_position_latency.max, 30U);
  EXPECT_EQ(at_limit.requests.late + at_limit.sms.late + at_limit.tbs.late, 0U);
  const VictimResult beyond = result_of(test::shared_log(), 29).victims;
  EXPECT_EQ(beyond.requests.count, 1U);
  EXPECT_EQ(beyond.requests.late, 1U);
  EXPECT_EQ(beyond.sms.count, 1U);
  EXPECT_EQ(beyond.sms.late, 1U);
  EXPECT_EQ(beyond.tbs.count, 2U);
  EXPECT_EQ(beyond.tbs.late, 1U);
}

TEST(VictimResults, CompareEstimatesWithDrainsThatHadOne) {
  std::vector<Record> log = test::before_sharing();
  const auto chosen = [](std::uint16_t slot, Cycle estimate) {
    return at(37, K::kVictimChosen).on(0, slot).launched(0).tb(slot).by(Technique::kDrain).bytes(5).cycles(estimate);
  };
  const auto left = [](std::uint16_t slot, Cycle since) {
    return at(37 + since, K::kVictimLeft).on(0, slot).launched(0).tb(slot).by(Technique::kDrain).cycles(since);
  };
  for (const Record& record : std::vector<Record>{chosen(0, 30), chosen(1, kNever), left(0, 36), left(1, 50)})
    log.push_back(record);
  const VictimResult victims = result_of(log, 20).victims;
  EXPECT_EQ(victims.drained, 2U);
  EXPECT_EQ(victims.estimated_drains, 1U);
  EXPECT_EQ(victims.drain_error_cycles, 6U);
}

TEST(VictimResults, CountOneThatIsChosenAgainOnceAsChosenLast) {
  std::vector<Record> log = test::before_sharing();
  log.push_back(at(37, K::kVictimChosen).on(0, 0).launched(0).tb(0).by(Technique::kDrain).bytes(5));
  log.push_back(at(50, K::kVictimChosen).on(0, 0).launched(0).tb(0).by(Technique::kFlush).bytes(18).value(18));
  const VictimResult victims = result_of(log, 20).victims;
  EXPECT_EQ(victims.drained, 0U);
  EXPECT_EQ(victims.flushed, 1U);
  EXPECT_EQ(victims.instructions_executed, 18U);
  EXPECT_EQ(victims.instructions_wasted, 18U);
}

TEST(VictimResults, CountContextsAndDroppedTbsUnderTheTechniqueInUse) {
  const RunResult result = result_of(test::shared_log(), 20);
  const PreemptionResult& dual = result.preemptions.at("dual_kernel");
  EXPECT_EQ(dual.latency.count, 1U);
  EXPECT_EQ(dual.bytes_saved, test::kSmallContext);
  EXPECT_EQ(dual.bytes_restored, test::kSmallContext);
  EXPECT_EQ(dual.tbs_flushed, 1U);
  EXPECT_EQ(dual.cycles_flushed, 17U);
  EXPECT_EQ(result.preemptions.at("context_switch").bytes_restored, 0U);
  EXPECT_EQ(result.preemptions.count("flush"), 0U);
}

TEST(VictimResults, CountASaveThatOutlivesItsRequest) {
  std::vector<Record> log = test::before_sharing();
  log.push_back(at(42, K::kPreemptionRetargeted).on(0).launched(0).value(0).by(Technique::kDualKernel));
  log.push_back(at(60, K::kVictimLeft).on(0, 1).launched(0).tb(1).by(Technique::kContextSwitch).bytes(1700));
  EXPECT_EQ(result_of(log, 20).preemptions.at("dual_kernel").bytes_saved, 1700U);
}

TEST(VictimResults, AreEmptyWithoutVictimsAndSurviveJson) {
  EXPECT_TRUE(result_of(test::sound_log(), 20).victims.is_empty());
  const RunResult result = result_of(test::shared_log(), 20);
  const nlohmann::json json = result;
  EXPECT_EQ(nlohmann::json(json.get<RunResult>()), json);
}

TEST(SharedSms, AreDrawnInTheTerminalAsTheirGuestsFromItsFirstPlaceOn) {
  TimelineSink sink(1, 8, 10);
  test::feed(sink, without_tbs(test::shared_log()), 130);
  EXPECT_EQ(sink.timeline().from, 36U);
  EXPECT_THAT(sink.timeline().rows, ElementsAre("ABBBBB.a"));  // 36, 46 .. 86, 96; at 106 launch 0 is restored
}

TEST(SharedSms, FallBackToTheirOwnerWhenTheRequestIsCancelled) {
  SmState state;
  for (const Record& record : test::before_sharing()) {
    if (record.sm == 0) state.apply(record);
  }
  EXPECT_EQ(state.phase(), SmPhase::kReserved);
  state.apply(at(37, K::kPositionGranted).on(0, 0).launched(1).value(1));
  EXPECT_EQ(state.phase(), SmPhase::kShared);
  EXPECT_EQ(state.guest(), 1U);
  state.apply(at(50, K::kPreemptionRetargeted).on(0).launched(0).value(0).by(Technique::kDualKernel));
  EXPECT_EQ(state.phase(), SmPhase::kRunning);
  EXPECT_EQ(state.launch(), 0U);
}

TEST(SharedSms, NameBothKernelsInPerfetto) {
  std::ostringstream out;
  const Names names = test::small_names();
  PerfettoSink sink(out, names);
  test::feed(sink, test::shared_log(), 200);
  EXPECT_THAT(out.str(), HasSubstr("shared alpha/scan + beta/sort"));
  EXPECT_THAT(out.str(), HasSubstr("running beta/sort"));
}

TEST(SharedSms, GoThroughCsvUnchanged) {
  std::vector<Record> log = test::shared_log();
  log.push_back(at(190, K::kPositionGranted).on(0).launched(1).value(2).cycles(9));  // of all of the SM
  const Names names = test::small_names();
  std::stringstream text;
  CsvSink sink(text, names);
  test::feed(sink, log, 200);
  EXPECT_THAT(text.str(), HasSubstr("190,position_granted,beta,sort,1,,0,,,,,9,2\n"));
  CsvSource source(text, names);
  Record record;
  for (const Record& expected : log) {
    ASSERT_TRUE(source.next(record));
    EXPECT_TRUE(!canonical_less(record, expected) && !canonical_less(expected, record)) << to_string(expected.kind);
  }
}

}  // namespace
}  // namespace tessera::record
