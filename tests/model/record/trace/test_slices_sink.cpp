// SPDX-License-Identifier: Apache-2.0
// The table of what SMs do: its rows on the sound log, whose cycles are nanoseconds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "model/record/trace/slices_sink.h"
#include "tests/model/record/support.h"

namespace tessera::record {
namespace {

using test::at;
using ::testing::ElementsAre;

std::vector<std::string> slices_of(const std::vector<Record>& log) {
  std::ostringstream out;
  SlicesSink sink(out, test::small_names());
  test::feed(sink, log, test::kSoundLogEnd);
  std::vector<std::string> rows = test::lines_of(out.str());
  EXPECT_EQ(rows.at(0) + "\n", SlicesSink::kHeader);
  rows.erase(rows.begin());
  return rows;
}

TEST(SlicesSink, ARowForEachPhaseOfEachSmInTheOrderOfTheirEnds) {
  EXPECT_THAT(slices_of(test::sound_log()),
              ElementsAre("0,0,1,0.016,0.02,set-up,alpha,scan", "1,0,1,0.016,0.022,set-up,alpha,scan",
                          "0,0,1,0.02,0.036,running,alpha,scan", "0,0,1,0.036,0.05,reserved,alpha,scan",
                          "0,0,1,0.05,0.06,saving,alpha,scan", "0,0,1,0.06,0.064,set-up,beta,sort",
                          "1,0,1,0.022,0.07,running,alpha,scan", "1,0,1,0.07,0.075,restoring,alpha,scan",
                          "1,0,1,0.075,0.08,running,alpha,scan", "1,0,1,0.08,0.085,draining,alpha,scan",
                          "1,0,1,0.085,0.091,running,alpha,scan", "1,0,1,0.091,0.095,restoring,alpha,scan",
                          "0,0,1,0.064,0.101,running,beta,sort", "1,0,1,0.095,0.11,running,alpha,scan",
                          "0,0,1,0.108,0.112,set-up,beta,sort", "1,0,1,0.11,0.12,draining,alpha,scan",
                          "1,0,1,0.12,0.124,set-up,beta,sort", "0,0,1,0.112,0.13,running,beta,sort",
                          "1,0,1,0.124,0.14,running,beta,sort"));
}

TEST(SlicesSink, AnSmThatIsIdleByRuleBelongsToNobody) {
  EXPECT_THAT(slices_of({at(20, Kind::kSmsWithheld).value(1), at(60, Kind::kSmsWithheld).value(0)}),
              ElementsAre("0,0,1,0.02,0.06,idle by rule,,", "1,0,1,0.02,0.06,idle by rule,,"));
}

TEST(SlicesSink, AKernelThatHoldsAQuarterOfASharedSmHasTwoOfItsEightParts) {
  EXPECT_THAT(slices_of({at(5, Kind::kKernelArrived).launched(3).kernel(1, 0).run(0),
                         at(10, Kind::kSmHeld).on(1).launched(3).value(4).bytes(250'000),
                         at(30, Kind::kSmHeld).on(1).launched(3).value(0).bytes(0)}),
              ElementsAre("1,0,8,0.01,0.03,running,beta,sort", "1,1,8,0.01,0.03,running,beta,sort"));
}

TEST(SlicesSink, WhatIsOpenEndsWithTheRun) {
  EXPECT_THAT(slices_of({at(5, Kind::kKernelArrived).launched(0).kernel(0, 0).run(0),
                         at(10, Kind::kSmSetUp).on(0).launched(0).kernel(0, 0)}),
              ElementsAre("0,0,1,0.01,0.15,set-up,alpha,scan"));
}

}  // namespace
}  // namespace tessera::record
