// SPDX-License-Identifier: Apache-2.0
// Every cycle of a slot is one of four: a TB runs, or preemption, demand or issue holds it back.
#include <gtest/gtest.h>

#include "model/record/sm_meter.h"

namespace tessera::record {
namespace {

// An SM of two slots that a kernel has from cycle 100 on; while `none_waits_from` is kNever, TBs wait.
struct MeterBench {
  Cycle none_waits_from = kNever;
  SmMeter meter;

  MeterBench() { meter.set_up(2, none_waits_from, 100); }
  Record read(Cycle now, Cycle to_come = 0) { return meter.take_slots(now, to_come).value(); }
};

TEST(SmMeter, ASlotRunsFromTheStartOfItsTbToItsEnd) {
  MeterBench bench;
  bench.meter.started(104, 110);  // it has been on its way for six cycles when it runs
  bench.meter.started(104, 111);
  bench.meter.stopped(1, 130);
  const Record slots = bench.read(140);
  EXPECT_EQ(slots.slot, 2U);
  EXPECT_EQ(slots.cycles, 20U + 29U);
  EXPECT_EQ(slots.bytes + slots.value, 0U);  // all the rest is issue
}

TEST(SmMeter, WhatIsStillRunningCountsUpToTheReadingAndFromThereOn) {
  MeterBench bench;
  bench.meter.started(100, 110);
  EXPECT_EQ(bench.read(150).cycles, 40U);
  bench.meter.stopped(1, 175);
  EXPECT_EQ(bench.read(200).cycles, 25U);
}

TEST(SmMeter, ATbThatIsOnItsWayWhenTheSimulationEndsHasNotRun) {
  MeterBench bench;
  bench.meter.started(100, 110);
  EXPECT_EQ(bench.read(104, 110 - 104).cycles, 0U);
}

TEST(SmMeter, ARefillIsAnEndAndAStart) {
  MeterBench bench;
  bench.meter.started(100, 110);
  bench.meter.refilled(130, 136);
  bench.meter.stopped(1, 150);
  EXPECT_EQ(bench.read(150).cycles, 20U + 14U);
  EXPECT_EQ(bench.meter.take_busy_cycles(150), 40U);  // of sm_busy, which does not look at refills
}

TEST(SmMeter, FreeSlotsWaitForDemandOnceNoTbWaits) {
  MeterBench bench;
  bench.meter.started(100, 110);
  bench.none_waits_from = 110;
  bench.meter.stopped(1, 150);
  EXPECT_EQ(bench.read(160).value, 40U + 2 * 10U);
}

// TBs that were saved elsewhere wait for a slot from 130 on, and find one at 140.
TEST(SmMeter, DemandComesBackWithSavedTbs) {
  MeterBench bench;
  bench.meter.started(100, 110);
  bench.none_waits_from = 110;
  bench.meter.count_until(130);
  bench.none_waits_from = kNever;
  bench.meter.started(136, 140);
  bench.none_waits_from = 140;
  EXPECT_EQ(bench.read(160).value, 20U);
}

TEST(SmMeter, PreemptionHoldsBackWhatNobodyUsesUntilItIsOver) {
  MeterBench bench;
  bench.meter.started(100, 110);
  bench.meter.started(100, 111);
  bench.none_waits_from = 111;
  bench.meter.preemption_begins(120);
  bench.meter.stopped(2, 130);  // they stand still, and are saved
  bench.meter.preemption_ends(150);
  const Record slots = bench.read(150);
  EXPECT_EQ(slots.cycles, 20U + 19U);
  EXPECT_EQ(slots.bytes, 2 * 20U);
  EXPECT_EQ(slots.value, 0U);
}

TEST(SmMeter, ARequestThatIsCancelledWhileContextsComeInLeavesTheseToTheirEnd) {
  MeterBench bench;
  bench.meter.preemption_begins(110);
  bench.meter.preemption_begins(120);
  bench.meter.preemption_ends(125);
  bench.meter.preemption_ends(130);
  EXPECT_EQ(bench.read(140).bytes, 2 * 20U);
}

TEST(SmMeter, AnIdleSmHasNoSlots) {
  MeterBench bench;
  EXPECT_TRUE(bench.meter.take_slots(120));
  bench.meter.released();
  EXPECT_FALSE(bench.meter.take_slots(150));
}

TEST(SmMeter, IsReadOnceACycle) {
  MeterBench bench;
  EXPECT_TRUE(bench.meter.take_slots(120));
  EXPECT_FALSE(bench.meter.take_slots(120));
}

}  // namespace
}  // namespace tessera::record
