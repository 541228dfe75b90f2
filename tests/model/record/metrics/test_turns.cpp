// SPDX-License-Identifier: Apache-2.0
// A kept turn in the results: how often it passed, who had it, how long nobody.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/record/metrics/summary_input.h"
#include "tests/model/record/turn_log.h"

namespace tessera::record {
namespace {

using test::at;
using testing::ElementsAre;

TurnResult turns_of(const std::vector<Record>& log, Cycle end) {
  MetricsSink sink(2);
  test::feed(sink, log, end);
  return sink.result().turns;
}

TEST(TurnResults, CountWhyTheTurnPassedAndForHowLongItWasWhose) {
  const TurnResult turns = turns_of(test::turn_log(), test::kTurnLogEnd);
  EXPECT_THAT(turns.passed, ElementsAre(2U, 1U, 0U));
  EXPECT_EQ(turns.unowned_cycles, (70U - 38) + (100 - 92) + (test::kTurnLogEnd - 180));
  ASSERT_EQ(turns.processes.size(), 2U);
  EXPECT_EQ(turns.processes[0].turns, 2U);
  EXPECT_EQ(turns.processes[0].owned_cycles, (38U - 10) + (180 - 100));
  EXPECT_EQ(turns.processes[1].turns, 1U);
  EXPECT_EQ(turns.processes[1].owned_cycles, 92U - 70);
}

TEST(TurnResults, TheLastTurnLastsUntilTheEnd) {
  const TurnResult turns = turns_of({at(10, Kind::kTurnBegan).process(1)}, 25);
  EXPECT_EQ(turns.processes.at(1).owned_cycles, 15U);
  EXPECT_EQ(turns.unowned_cycles, 0U) << "before the first turn nobody waits";
}

TEST(TurnResults, AreInTheSummaryWhereTurnsAreKept) {
  SummaryInput input = test::two_processes();  // two cycles are a microsecond
  EXPECT_FALSE(make_summary(input).contains("gpu_switches"));
  input.shared.turns = turns_of(test::turn_log(), test::kTurnLogEnd);
  input.baseline = input.shared;
  const auto summary = make_summary(input);
  EXPECT_EQ(summary["gpu_switches"].dump(),
            R"({"count":3,"by_cause":{"dry":2,"slice_over":1,"off_run_list":0},"no_owner_us":30.0,"processes":[)"
            R"({"name":"interactive","turns":2,"owned_us":54.0},{"name":"batch","turns":1,"owned_us":11.0}]})");
  EXPECT_EQ(summary["baseline"]["gpu_switches"], summary["gpu_switches"]);
}

TEST(TurnResults, SurviveJson) {
  RunResult result;
  result.turns = turns_of(test::turn_log(), test::kTurnLogEnd);
  const nlohmann::json json = result;
  EXPECT_EQ(nlohmann::json(json.get<RunResult>()), json);
}

}  // namespace
}  // namespace tessera::record
