// SPDX-License-Identifier: Apache-2.0
// Preemption by the engine that does one job at a time, worked out by hand from docs/hardware/timing.md 5 to 7:
// reserve, trap, save, hand-over, handles, restore; and drains. One SM, taken from a kernel of low priority by one of
// high.
#include "tests/tlm/one_job_bench.h"

namespace tessera::tlm_model::test {
namespace {

using spec::PolicyKind;
using testing::ElementsAre;
using testing::IsEmpty;

spec::Spec ppq_machine(spec::TechniqueKind technique) {
  spec::Spec spec = one_job_machine(1, 2, PolicyKind::kPpq);
  spec.scheduler.technique = technique;
  return spec;
}

// The low kernel's first TB starts in 79, as in AKernelIsActivatedAnSmSetUpAndFilledJobByJob. The high one's command
// comes in 301: BEGIN 302, SCAN 303-308, activate PICK 309, WRITE 313. BEGIN 314, WALK 315-316, JUDGE 320 finds no idle
// SM, second WALK 321-322, JUDGE 326, reserve: PICK 327, WRITE of visit A 333, of visit B 337. BEGIN 338, JUDGE 344
// finds nothing else to do. Its set-up and TB take 52 cycles from the hand-over's WRITE on: PICK 1, WRITE 7, on the
// pins in 8, done 31 later, PICK 39, WRITE 45, issue PICK 46, BURST 52.
struct TakenSm {
  TakenSm(spec::TechniqueKind technique, const Kernel& low_kernel) : bench(ppq_machine(technique)) {
    low = bench.launch(1, low_kernel);
    high = bench.launch(301, {1, 1, {500}, 1, 1});
    bench.run();
    EXPECT_THAT(bench.tb(Kind::kTbIssued, low, 0), ElementsAre(79));
    EXPECT_THAT(bench.kernel(Kind::kKernelActivated, high), ElementsAre(313));
    EXPECT_THAT(bench.sm(Kind::kPreemptionRequested, 0), ElementsAre(337));
  }
  OneJobBench bench;
  std::uint32_t low = 0, high = 0;
};
constexpr Cycle kToFirstTb = 52;

// Trap: PICK 338, WRITE 344, on the pins in 345; its TB stands still 43 cycles later, in 388, and the save begins after
// another 11, in 399. 256 bytes at 16 a cycle: *preempted* in 415. PICK 415, visit A WRITE 421, so that the policy is
// invoked in 422; visit B WRITE 425.
TEST(OneJobPreemption, AnSmIsReservedTrappedSavedAndHandedOver) {
  const TakenSm taken(spec::TechniqueKind::kContextSwitch, {0, 1, {1000}, 1, 0});
  const OneJobBench& bench = taken.bench;
  EXPECT_THAT(bench.sm(Kind::kSaveStarted, 0), ElementsAre(399));
  EXPECT_THAT(bench.sm(Kind::kPreemptionDone, 0), ElementsAre(425));
  EXPECT_EQ(bench.records(Kind::kPreemptionDone)[0].cycles, 425U - 337);
  EXPECT_EQ(bench.records(Kind::kPreemptionDone)[0].bytes, 256U);
  EXPECT_THAT(bench.tb(Kind::kTbIssued, taken.high, 0), ElementsAre(425 + kToFirstTb));
  // It ends in 977: PICK 977, WRITE 983. Invoked in 984, BEGIN 985, JUDGE 991, assign PICK 992, WRITE 998.
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, taken.high), ElementsAre(983));
  EXPECT_THAT(bench.kernel(Kind::kSmSetUp, taken.low), ElementsAre(27, 998));
  // The handle is read in 998 + 52 = 1050 and on the pins in 1051; 16 cycles later the context is in, and what is left
  // of 1000 cycles after the 309 from 79 to 388 runs on.
  EXPECT_THAT(bench.sm(Kind::kRestoreStarted, 0), ElementsAre(1051));
  EXPECT_THAT(bench.tb(Kind::kTbRestored, taken.low, 0), ElementsAre(1067));
  EXPECT_THAT(bench.tb(Kind::kTbFinished, taken.low, 0), ElementsAre(1067 + 691));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, taken.low), ElementsAre(1067 + 691 + 6));
  EXPECT_THAT(bench.cycles_of(Kind::kPolicyInvoked), ElementsAre(1, 301, 422, 984, 1067 + 691 + 7));
}

// Of the latency the core has 7 cycles behind it when a handle is on the pins.
TEST(OneJobPreemption, ARestoreStartsSevenCyclesEarlierThanTheIssueLatencySays) {
  for (const std::uint32_t issue_cycles : {6U, 7U, 20U}) {
    spec::Spec spec = ppq_machine(spec::TechniqueKind::kContextSwitch);
    spec.gpu.framework.tb_issue_cycles = issue_cycles;
    OneJobBench bench(spec);
    const auto low = bench.launch(1, {0, 1, {1000}, 1, 0});
    bench.launch(301, {1, 1, {500}, 1, 1});
    bench.run();
    const Cycle set_up = bench.kernel(Kind::kSmSetUp, low).back();
    EXPECT_THAT(bench.sm(Kind::kRestoreStarted, 0),
                ElementsAre(set_up + kToFirstTb + 1 + std::max(issue_cycles, 7U) - 7));
  }
}

// Two TBs, 512 bytes: on the SM from 79 and 80, saved from 399 to 431, *preempted* PICK 431, visit B WRITE 441. The
// high kernel's TB: 493 to 993, finish WRITE 999, assign WRITE 1014. Handles are read in 1066 and 1067, the last one is
// on the pins in 1068. TB 0 has 691 cycles left, TB 1 has 692.
TEST(OneJobPreemption, HandlesAreReadOneACycleAndComeBackInABatch) {
  const TakenSm taken(spec::TechniqueKind::kContextSwitch, {0, 2, {1000}, 2, 0});
  EXPECT_THAT(taken.bench.sm(Kind::kPreemptionDone, 0), ElementsAre(441));
  EXPECT_THAT(taken.bench.kernel(Kind::kSmSetUp, taken.low), ElementsAre(27, 1014));
  EXPECT_THAT(taken.bench.sm(Kind::kRestoreStarted, 0), ElementsAre(1068));
  EXPECT_THAT(taken.bench.kernel(Kind::kTbRestored, taken.low), ElementsAre(1100, 1100));
  EXPECT_THAT(taken.bench.tb(Kind::kTbFinished, taken.low, 0), ElementsAre(1100 + 691));
  EXPECT_THAT(taken.bench.tb(Kind::kTbFinished, taken.low, 1), ElementsAre(1100 + 692));
  // The first one's job: PICK 1791, WRITE 1797. The second waits for it: PICK 1798, WRITE 1804.
  EXPECT_THAT(taken.bench.kernel(Kind::kKernelFinished, taken.low), ElementsAre(1804));
}

// TB 0 ends in the very cycle in which it would stand still: its job, PICK 388, hands the SM over, visit B WRITE 398.
TEST(OneJobPreemption, ATbThatEndsWhenItWouldStandStillLeavesNothingToSave) {
  const TakenSm taken(spec::TechniqueKind::kContextSwitch, {0, 2, {388 - 79, 1000}, 1, 0});
  EXPECT_THAT(taken.bench.sm(Kind::kPreemptionDone, 0), ElementsAre(398));
  EXPECT_THAT(taken.bench.records(Kind::kSaveStarted), IsEmpty());
  EXPECT_THAT(taken.bench.tb(Kind::kTbIssued, taken.high, 0), ElementsAre(398 + kToFirstTb));
}

// TB 0 ends in 1079: PICK 1079, visit A WRITE 1085, visit B WRITE 1089. The high kernel's TB: 1141 to 1641, finish
// WRITE 1647, invoked 1648, BEGIN 1649, JUDGE 1655, assign PICK 1656, WRITE 1662.
TEST(OneJobPreemption, ADrainedSmIsHandedOverByItsLastTbsJob) {
  const TakenSm taken(spec::TechniqueKind::kDrain, {0, 2, {1000}, 1, 0});
  EXPECT_THAT(taken.bench.sm(Kind::kPreemptionDone, 0), ElementsAre(1089));
  EXPECT_THAT(taken.bench.tb(Kind::kTbIssued, taken.high, 0), ElementsAre(1089 + kToFirstTb));
  EXPECT_THAT(taken.bench.kernel(Kind::kSmSetUp, taken.low), ElementsAre(27, 1662));
  EXPECT_THAT(taken.bench.tb(Kind::kTbIssued, taken.low, 1), ElementsAre(1662 + kToFirstTb));
}

}  // namespace
}  // namespace tessera::tlm_model::test
