// SPDX-License-Identifier: Apache-2.0
// A kept turn in the full-log check: a log with a fault planted in it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/model/record/turn_log.h"
#include "tests/verification/log_check/support.h"

namespace tessera::verification {
namespace {

using namespace record;
using test::at;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

LogFacts gpu_machine() {
  LogFacts facts = test::small_machine();
  facts.switches_gpu = true;
  return facts;
}

// Of the sound log with the first record of this cycle and kind changed.
std::vector<std::string> turn_violations_if(Cycle cycle, Kind kind, const std::function<void(Record&)>& change,
                                            const LogFacts& facts = gpu_machine()) {
  std::vector<Record> log = test::turn_log();
  const auto found =
      std::find_if(log.begin(), log.end(), [&](const Record& r) { return r.cycle == cycle && r.kind == kind; });
  EXPECT_NE(found, log.end());
  if (found != log.end()) change(*found);
  return test::violations(log, facts);
}

std::vector<std::string> turn_violations_without(Cycle cycle, Kind kind) {
  std::vector<Record> log = test::turn_log();
  const auto found =
      std::find_if(log.begin(), log.end(), [&](const Record& r) { return r.cycle == cycle && r.kind == kind; });
  EXPECT_NE(found, log.end());
  if (found != log.end()) log.erase(found);
  return test::violations(log, gpu_machine());
}

TEST(TurnLog, ASoundOneHasNoViolations) {
  EXPECT_THAT(test::violations(test::turn_log(), gpu_machine()), IsEmpty());
  EXPECT_THAT(test::violations(test::turn_log()), IsEmpty()) << "where SMs change hands one by one";
}

TEST(TurnLog, TurnsAlternateWithSwitches) {
  EXPECT_THAT(turn_violations_without(38, Kind::kTurnPassed), Contains(HasSubstr("process 0 has the turn")));
  EXPECT_THAT(turn_violations_without(70, Kind::kTurnBegan), Contains(HasSubstr("the process does not have the turn")));
}

TEST(TurnLog, TheTurnIsPassedByWhoHasItAndForAReason) {
  EXPECT_THAT(turn_violations_if(38, Kind::kTurnPassed, [](Record& r) { r.process = 1; }),
              Contains(HasSubstr("the process does not have the turn")));
  EXPECT_THAT(turn_violations_if(38, Kind::kTurnPassed, [](Record& r) { r.value = 3; }),
              Contains(HasSubstr("without a cause")));
}

TEST(TurnLog, ATurnSaysHowLongItWasOnItsWay) {
  EXPECT_THAT(turn_violations_if(70, Kind::kTurnBegan, [](Record& r) { r.cycles = 31; }),
              Contains(HasSubstr("reports 31 cycles, the turn passed 32 ago")));
  EXPECT_THAT(turn_violations_if(10, Kind::kTurnBegan, [](Record& r) { r.cycles = 10; }),
              Contains(HasSubstr("reports 10 cycles, the turn passed 0 ago")));
}

TEST(TurnLog, NoThreadBlockOfAnotherContextStarts) {
  const auto during_switch = [](Record& r) { r.cycle = 69; };
  EXPECT_THAT(turn_violations_if(75, Kind::kTbIssued, during_switch), Contains(HasSubstr("nobody has the turn")));
  EXPECT_THAT(turn_violations_if(71, Kind::kSmSetUp, during_switch), Contains(HasSubstr("nobody has the turn")));
  EXPECT_THAT(turn_violations_if(115, Kind::kTbRestored, [](Record& r) { r.cycle = 85; }),
              Contains(HasSubstr("process 1 has the turn")));
}

TEST(TurnLog, AContextThatLosesItsTurnMayStartWhatIsOnItsWay) {
  EXPECT_THAT(turn_violations_if(21, Kind::kTbIssued, [](Record& r) { r.cycle = 39; }), IsEmpty());
}

TEST(TurnLog, NothingIsLeftWhenTheNextTurnBegins) {
  EXPECT_THAT(turn_violations_if(91, Kind::kTbFinished, [](Record& r) { r.cycle = 101; }),
              Contains(HasSubstr("TB 1 of launch 1 is still resident")));
}

TEST(TurnLog, OfSmsThatChangeHandsOneByOneNothingOfThatIsAsked) {
  EXPECT_THAT(turn_violations_if(
                  75, Kind::kTbIssued, [](Record& r) { r.cycle = 74; }, test::small_machine()),
              IsEmpty());
  EXPECT_THAT(turn_violations_if(
                  71, Kind::kSmSetUp, [](Record& r) { r.cycle = 69; }, test::small_machine()),
              IsEmpty());
}

TEST(TurnLog, AnSmThatNoKernelGetsIsSavedWhole) {
  EXPECT_THAT(turn_violations_without(55, Kind::kTbSaved), Not(IsEmpty()));
  EXPECT_THAT(turn_violations_without(115, Kind::kTbRestored), Not(IsEmpty()));
}

}  // namespace
}  // namespace tessera::verification
