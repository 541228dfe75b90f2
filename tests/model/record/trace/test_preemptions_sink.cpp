// SPDX-License-Identifier: Apache-2.0
// The table of preemptions: its rows on the sound log, whose cycles are nanoseconds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "model/record/trace/preemptions_sink.h"
#include "tests/model/record/support.h"

namespace tessera::record {
namespace {

using test::at;
using ::testing::ElementsAre;

std::vector<std::string> rows_of(const std::vector<Record>& log, const Names& names) {
  // Of the 24 cycles from request to done 10 are the save's, and the two contexts alone take 8.5 of these.
  const ContextFacts contexts{{{test::kSmallContext}, {test::kSmallContext}}, 400};
  std::ostringstream out;
  PreemptionsSink sink(out, names, contexts);
  test::feed(sink, log, test::kSoundLogEnd);
  std::vector<std::string> rows = test::lines_of(out.str());
  EXPECT_EQ(rows.at(0) + "\n", PreemptionsSink::kHeader);
  rows.erase(rows.begin());
  return rows;
}

TEST(PreemptionsSink, ARowForEachPreemptionThatIsDoneAndNoneForACancelledOne) {
  EXPECT_THAT(rows_of(test::sound_log(), test::small_names()),
              ElementsAre("0,alpha,scan,beta,sort,context_switch,0.036,0.06,0.024,,0.014,0.009,0.001,3400,2",
                          "1,alpha,scan,beta,sort,drain,0.11,0.12,0.01,,0.01,0,0,0,0"));
}

TEST(PreemptionsSink, TheDecisionStandsThereWhereTheLogTellsIt) {
  const auto rows = rows_of({at(10, Kind::kKernelArrived).launched(3).kernel(0, 0).run(0),
                             at(10, Kind::kKernelArrived).launched(4).kernel(1, 0).run(0),
                             at(100, Kind::kPolicyInvoked), at(104, Kind::kPolicyDecided).cycles(4),
                             at(104, Kind::kPreemptionRequested).on(1).launched(3).value(4).by(Technique::kDrain),
                             at(1104, Kind::kPreemptionDone).on(1).launched(3).cycles(1000).by(Technique::kDrain)},
                            test::small_names());
  EXPECT_THAT(rows, ElementsAre("1,alpha,scan,beta,sort,drain,0.104,1.104,1,0.004,1,0,0,0,0"));
}

TEST(PreemptionsSink, AContextThatLosesTheTurnOfTheGpuMakesRoomForNoKernel) {
  const auto rows =
      rows_of({at(10, Kind::kKernelArrived).launched(3).kernel(1, 0).run(0),
               at(20, Kind::kPreemptionRequested).on(0).launched(3).value(kNoNumber).by(Technique::kContextSwitch),
               at(30, Kind::kPreemptionDone).on(0).launched(3).bytes(1700).cycles(10).by(Technique::kContextSwitch)},
              test::small_names());
  EXPECT_THAT(rows, ElementsAre("0,beta,sort,,,context_switch,0.02,0.03,0.01,,0.01,0,0,1700,1"));
}

TEST(PreemptionsSink, NamesWithCommasAreQuoted) {
  Names names = test::small_names();
  names.processes[0] = "a,b";
  EXPECT_THAT(rows_of(test::sound_log(), names).at(1), ::testing::StartsWith("1,\"a,b\",scan,beta,"));
}

TEST(PreemptionsSink, AStreamThatFailsIsReported) {
  std::ostringstream out;
  PreemptionsSink sink(out, test::small_names(), {});
  out.setstate(std::ios::badbit);
  EXPECT_THROW(sink.finish(0), std::runtime_error);
}

}  // namespace
}  // namespace tessera::record
