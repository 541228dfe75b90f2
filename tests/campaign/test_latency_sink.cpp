// SPDX-License-Identifier: Apache-2.0
// What the wait for a preempted SM is made of, on record logs written by hand.
#include <gtest/gtest.h>

#include "campaign/latency_sink.h"
#include "model/spec/spec.h"

namespace tessera::campaign {
namespace {

using record::Kind;
using record::Record;
using record::Technique;

constexpr std::uint16_t kProcess = 0;
constexpr std::uint32_t kOurs = 5;     // a launch of the process
constexpr std::uint32_t kTheirs = 6;   // and of another
constexpr Cycle kBytesPerCycle = 208;  // of the whole channel

class LatencySinkTest : public ::testing::Test {
 protected:
  LatencySinkTest() : sink_(spec(), kProcess) {
    add(0, Kind::kKernelArrived, [](Record& r) { r.launch = kOurs, r.process = kProcess; });
    add(0, Kind::kKernelArrived, [](Record& r) { r.launch = kTheirs, r.process = kProcess + 1; });
  }

  static spec::Spec spec() {
    spec::Spec spec;
    spec.gpu.clock_hz = 1'000'000'000;
    spec.gpu.memory_bandwidth_bytes_per_s = kBytesPerCycle * spec.gpu.clock_hz;
    spec.gpu.num_sms = 2;
    return spec;
  }

  template <class Fill>
  void add(Cycle cycle, Kind kind, Fill fill) {
    Record record;
    record.cycle = cycle;
    record.kind = kind;
    fill(record);
    sink_.consume(record);
  }
  void invoke(Cycle cycle) {
    add(cycle, Kind::kPolicyInvoked, [](Record&) {});
  }
  void request(Cycle cycle, std::uint64_t launch) {
    add(cycle, Kind::kPreemptionRequested, [=](Record& r) { r.sm = 1, r.value = launch; });
  }
  void at_sm(Cycle cycle, Kind kind) {
    add(cycle, kind, [](Record& r) { r.sm = 1; });
  }
  void done(Cycle cycle, Technique technique, std::uint64_t bytes = 0) {
    add(cycle, Kind::kPreemptionDone, [=](Record& r) { r.sm = 1, r.technique = technique, r.bytes = bytes; });
  }
  const LatencyResult& result() const { return sink_.result(); }

  LatencySink sink_;
};

TEST_F(LatencySinkTest, ContextSwitchIsDecisionTrapMovementAndChannel) {
  invoke(100);
  request(113, kOurs);
  at_sm(433, Kind::kSaveStarted);
  done(433 + 50, Technique::kContextSwitch, 20 * kBytesPerCycle);
  EXPECT_EQ(result().total.count(), 1U);
  EXPECT_EQ(result().total.sum(), 383U);
  EXPECT_EQ(result().parts.decision, 13U);
  EXPECT_EQ(result().parts.restore, 0U);
  EXPECT_EQ(result().parts.trap, 320U);
  EXPECT_EQ(result().parts.movement, 20U);
  EXPECT_EQ(result().parts.channel, 30U);
}

TEST_F(LatencySinkTest, RestoreThatTheTrapWaitedForIsCountedApart) {
  invoke(100);
  request(113, kOurs);
  at_sm(213, Kind::kRestoreDone);
  at_sm(533, Kind::kSaveStarted);
  done(543, Technique::kContextSwitch, 10 * kBytesPerCycle);
  EXPECT_EQ(result().parts.restore, 100U);
  EXPECT_EQ(result().parts.trap, 320U);
  EXPECT_EQ(result().parts.movement, 10U);
  EXPECT_EQ(result().parts.channel, 0U);
}

TEST_F(LatencySinkTest, SmThatEmptiedBeforeTheSaveMovesNothing) {
  invoke(100);
  request(113, kOurs);
  done(413, Technique::kContextSwitch);
  EXPECT_EQ(result().parts.trap, 300U);
  EXPECT_EQ(result().parts.movement + result().parts.channel, 0U);
}

TEST_F(LatencySinkTest, DrainIsDecisionAndDrain) {
  invoke(100);
  request(126, kOurs);
  done(1126, Technique::kDrain);
  EXPECT_EQ(result().parts.decision, 26U);
  EXPECT_EQ(result().parts.drain, 1000U);
}

TEST_F(LatencySinkTest, OnlyPreemptionsForTheProcessCount) {
  invoke(100);
  request(113, kTheirs);
  done(200, Technique::kDrain);
  EXPECT_EQ(result().total.count(), 0U);
  EXPECT_EQ(result().requested, 0U);
}

TEST_F(LatencySinkTest, KernelThatEndsFirstHasRequestedTheSmAndNotGotIt) {
  invoke(100);
  request(113, kOurs);
  add(150, Kind::kKernelFinished, [](Record& r) { r.launch = kOurs; });
  done(200, Technique::kDrain);
  EXPECT_EQ(result().requested, 1U);
  EXPECT_EQ(result().total.count(), 0U);
}

TEST_F(LatencySinkTest, RetargetedSmCountsForWhomeverGetsIt) {
  invoke(100);
  request(113, kTheirs);
  add(150, Kind::kPreemptionRetargeted, [](Record& r) { r.sm = 1, r.value = kOurs; });
  done(200, Technique::kDrain);
  EXPECT_EQ(result().total.sum(), 100U);
}

TEST_F(LatencySinkTest, SmThatGoesFromOneKernelOfTheProcessToAnotherWasRequestedOnce) {
  constexpr std::uint32_t kNextOfOurs = 9;
  add(50, Kind::kKernelArrived, [=](Record& r) { r.launch = kNextOfOurs, r.process = kProcess; });
  invoke(100);
  request(113, kOurs);
  add(150, Kind::kPreemptionRetargeted, [=](Record& r) { r.sm = 1, r.value = kNextOfOurs; });
  done(200, Technique::kDrain);
  EXPECT_EQ(result().requested, 1U);
  EXPECT_EQ(result().total.count(), 1U);
}

TEST_F(LatencySinkTest, PartsAddUpAndSurviveMergingAndJson) {
  invoke(100);
  request(113, kOurs);
  at_sm(433, Kind::kSaveStarted);
  done(500, Technique::kContextSwitch, 20 * kBytesPerCycle);
  LatencyResult twice = nlohmann::json(result()).get<LatencyResult>();
  twice.merge(result());
  const LatencyParts& parts = twice.parts;
  EXPECT_EQ(parts.decision + parts.restore + parts.trap + parts.movement + parts.channel + parts.drain,
            twice.total.sum());
  EXPECT_EQ(twice.total.count(), 2U);
  EXPECT_EQ(twice.requested, 2U);
  EXPECT_EQ(twice.total.percentile(50), 400U);
}

}  // namespace
}  // namespace tessera::campaign
