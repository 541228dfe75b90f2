// SPDX-License-Identifier: Apache-2.0
// The parts of a preemption's latency, on logs that are worked out by hand. A cycle moves 10 bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/record/trace/preemption.h"
#include "tests/model/record/support.h"

namespace tessera::record {
namespace {

using test::at;

constexpr double kBytesPerCycle = 10;

std::vector<Preemption> split(const std::vector<Record>& log) {
  PreemptionSplitter splitter(2, kBytesPerCycle);
  std::vector<Preemption> preemptions;
  for (const Record& record : log) {
    if (const std::optional<Preemption> done = splitter.consume(record)) preemptions.push_back(*done);
  }
  return preemptions;
}

Record invoked(Cycle cycle) { return at(cycle, Kind::kPolicyInvoked); }
Record decided(Cycle cycle) { return at(cycle, Kind::kPolicyDecided); }
Record requested(Cycle cycle, Technique technique, std::uint16_t sm = 0) {
  return at(cycle, Kind::kPreemptionRequested).on(sm).launched(3).value(7).by(technique);
}
Record done(Cycle cycle, Technique technique, std::uint64_t bytes, Cycle latency, std::uint16_t sm = 0) {
  return at(cycle, Kind::kPreemptionDone).on(sm).launched(3).bytes(bytes).cycles(latency).by(technique);
}

TEST(PreemptionSplitter, ASwitchIsDecisionTrapMovementAndChannel) {
  // Invoked at 100, requested at 113; the save of 2001 bytes starts 320 cycles later and takes 900, of which the bytes
  // alone would need 201.
  const auto list = split({invoked(100), requested(113, Technique::kContextSwitch), decided(126),
                           at(433, Kind::kSaveStarted).on(0).launched(3).bytes(2001),
                           done(1333, Technique::kContextSwitch, 2001, 1220)});
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0].requested, 113U);
  EXPECT_EQ(list[0].decision, 13U);
  EXPECT_EQ(list[0].wait, 320U);
  EXPECT_EQ(list[0].movement, 201U);
  EXPECT_EQ(list[0].channel, 699U);
  EXPECT_EQ(list[0].victim, 3U);
  EXPECT_EQ(list[0].beneficiary, 7U);
  EXPECT_EQ(list[0].bytes, 2001U);
}

TEST(PreemptionSplitter, ADrainAndASwitchWithNothingToSaveOnlyWait) {
  const auto list =
      split({invoked(10), requested(20, Technique::kDrain), requested(21, Technique::kContextSwitch, 1), decided(30),
             done(41, Technique::kContextSwitch, 0, 20, 1), done(520, Technique::kDrain, 0, 500)});
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].wait, 20U);
  EXPECT_EQ(list[1].wait, 500U);
  for (const Preemption& each : list) EXPECT_EQ(each.movement + each.channel, 0U);
}

TEST(PreemptionSplitter, ARequestBelongsToTheDecisionThatIsUnderWay) {
  // The policy is invoked again at 105, and decides that in its turn, after 120.
  const auto list = split({invoked(100), invoked(105), requested(113, Technique::kDrain), decided(120),
                           requested(133, Technique::kDrain, 1), decided(140), done(200, Technique::kDrain, 0, 87),
                           done(201, Technique::kDrain, 0, 68, 1)});
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].decision, 13U);
  EXPECT_EQ(list[1].decision, 28U);
}

TEST(PreemptionSplitter, AMoveInTheCycleInWhichTheDecisionEndsBelongsToIt) {
  const auto list = split({invoked(100), invoked(110), decided(113), requested(113, Technique::kDrain), decided(130),
                           done(200, Technique::kDrain, 0, 87)});
  EXPECT_EQ(list.at(0).decision, 13U);
}

TEST(PreemptionSplitter, ARetargetedPreemptionIsForWhomItEndsUpWith) {
  const auto list = split({invoked(0), requested(13, Technique::kDrain), decided(26),
                           at(50, Kind::kPreemptionRetargeted).on(0).launched(3).value(9).by(Technique::kDrain),
                           done(100, Technique::kDrain, 0, 87)});
  EXPECT_EQ(list.at(0).beneficiary, 9U);
}

TEST(PreemptionSplitter, ALogThatStartsInTheMiddleTellsNoDecision) {
  const auto list = split({done(100, Technique::kContextSwitch, 50, 60)});
  ASSERT_EQ(list.size(), 1U);
  EXPECT_FALSE(list[0].decision);
  EXPECT_EQ(list[0].wait + list[0].movement + list[0].channel, 60U);
}

}  // namespace
}  // namespace tessera::record
