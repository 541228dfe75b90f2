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

// The low kernel's first TB starts in 78, as in AKernelIsActivatedAnSmSetUpAndFilledJobByJob. The high one's command
// comes in 301: BEGIN 302, SCAN 303-308, activate PICK 309, WRITE 313. BEGIN 314, WALK 315-316, JUDGE 320 finds no idle
// SM and a victim, take: PICK 321, WRITE of visit A 327, of visit B 331. BEGIN 332, JUDGE 338 finds nothing else to do.
// Its set-up and TB take 52 cycles from the hand-over's WRITE on: PICK 1, WRITE 7, on the pins in 8, done 31 later,
// PICK 39, WRITE 45, issue PICK 46, BURST 52.
struct TakenSm {
  TakenSm(spec::TechniqueKind technique, const Kernel& low_kernel) : bench(ppq_machine(technique)) {
    low = bench.launch(1, low_kernel);
    high = bench.launch(301, {1, 1, {500}, 1, 1});
    bench.run();
    EXPECT_THAT(bench.tb(Kind::kTbIssued, low, 0), ElementsAre(78));
    EXPECT_THAT(bench.kernel(Kind::kKernelActivated, high), ElementsAre(313));
    EXPECT_THAT(bench.sm(Kind::kPreemptionRequested, 0), ElementsAre(331));
  }
  OneJobBench bench;
  std::uint32_t low = 0, high = 0;
};
constexpr Cycle kToFirstTb = 52;
constexpr Cycle kToWrite = 2;  // of an assign, from its record on

// Trap: PICK 332, WRITE 338, on the pins in 339; its TB stands still 43 cycles later, in 382, and the save begins after
// another 11, in 393. 256 bytes at 16 a cycle: *preempted* in 409. PICK 409, visit A WRITE 415, so that the policy is
// invoked in 416; visit B WRITE 419.
TEST(OneJobPreemption, AnSmIsReservedTrappedSavedAndHandedOver) {
  const TakenSm taken(spec::TechniqueKind::kContextSwitch, {0, 1, {1000}, 1, 0});
  const OneJobBench& bench = taken.bench;
  EXPECT_THAT(bench.sm(Kind::kSaveStarted, 0), ElementsAre(393));
  EXPECT_THAT(bench.sm(Kind::kPreemptionDone, 0), ElementsAre(419));
  EXPECT_EQ(bench.records(Kind::kPreemptionDone)[0].cycles, 419U - 331);
  EXPECT_EQ(bench.records(Kind::kPreemptionDone)[0].bytes, 256U);
  EXPECT_THAT(bench.tb(Kind::kTbIssued, taken.high, 0), ElementsAre(419 + kToFirstTb));
  // It ends in 971: PICK 971, WRITE 977. Invoked in 978, BEGIN 979, JUDGE 984, assign PICK 985, BURST 989, WRITE 991.
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, taken.high), ElementsAre(977));
  EXPECT_THAT(bench.kernel(Kind::kSmSetUp, taken.low), ElementsAre(24, 989));
  // The handle is read in 991 + 52 = 1043 and on the pins in 1044; 16 cycles later the context is in, and what is left
  // of 1000 cycles after the 304 from 78 to 382 runs on.
  EXPECT_THAT(bench.sm(Kind::kRestoreStarted, 0), ElementsAre(1044));
  EXPECT_THAT(bench.tb(Kind::kTbRestored, taken.low, 0), ElementsAre(1060));
  EXPECT_THAT(bench.tb(Kind::kTbFinished, taken.low, 0), ElementsAre(1060 + 696));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, taken.low), ElementsAre(1060 + 696 + 6));
  EXPECT_THAT(bench.cycles_of(Kind::kPolicyInvoked), ElementsAre(1, 301, 416, 978, 1060 + 696 + 7));
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
                ElementsAre(set_up + kToWrite + kToFirstTb + 1 + std::max(issue_cycles, 7U) - 7));
  }
}

// Two TBs, 512 bytes: on the SM from 78 and 79, saved from 393 to 425, *preempted* PICK 425, visit B WRITE 435. The
// high kernel's TB: 487 to 987, finish WRITE 993, assign BURST 1005, WRITE 1007. Handles are read in 1059 and 1060, the
// last one is on the pins in 1061. TB 0 has 696 cycles left, TB 1 has 697.
TEST(OneJobPreemption, HandlesAreReadOneACycleAndComeBackInABatch) {
  const TakenSm taken(spec::TechniqueKind::kContextSwitch, {0, 2, {1000}, 2, 0});
  EXPECT_THAT(taken.bench.sm(Kind::kPreemptionDone, 0), ElementsAre(435));
  EXPECT_THAT(taken.bench.kernel(Kind::kSmSetUp, taken.low), ElementsAre(24, 1005));
  EXPECT_THAT(taken.bench.sm(Kind::kRestoreStarted, 0), ElementsAre(1061));
  EXPECT_THAT(taken.bench.kernel(Kind::kTbRestored, taken.low), ElementsAre(1093, 1093));
  EXPECT_THAT(taken.bench.tb(Kind::kTbFinished, taken.low, 0), ElementsAre(1093 + 696));
  EXPECT_THAT(taken.bench.tb(Kind::kTbFinished, taken.low, 1), ElementsAre(1093 + 697));
  // The first one's job: PICK 1789, WRITE 1795. The second waits for it: PICK 1796, WRITE 1802.
  EXPECT_THAT(taken.bench.kernel(Kind::kKernelFinished, taken.low), ElementsAre(1802));
}

// TB 0 ends in the very cycle in which it would stand still: its job, PICK 382, hands the SM over, visit B WRITE 392.
TEST(OneJobPreemption, ATbThatEndsWhenItWouldStandStillLeavesNothingToSave) {
  const TakenSm taken(spec::TechniqueKind::kContextSwitch, {0, 2, {382 - 78, 1000}, 1, 0});
  EXPECT_THAT(taken.bench.sm(Kind::kPreemptionDone, 0), ElementsAre(392));
  EXPECT_THAT(taken.bench.records(Kind::kSaveStarted), IsEmpty());
  EXPECT_THAT(taken.bench.tb(Kind::kTbIssued, taken.high, 0), ElementsAre(392 + kToFirstTb));
}

// TB 0 ends in 1078: PICK 1078, visit A WRITE 1084, visit B WRITE 1088. The high kernel's TB: 1140 to 1640, finish
// WRITE 1646, invoked 1647, BEGIN 1648, JUDGE 1653, assign PICK 1654, BURST 1658, WRITE 1660.
TEST(OneJobPreemption, ADrainedSmIsHandedOverByItsLastTbsJob) {
  const TakenSm taken(spec::TechniqueKind::kDrain, {0, 2, {1000}, 1, 0});
  EXPECT_THAT(taken.bench.sm(Kind::kPreemptionDone, 0), ElementsAre(1088));
  EXPECT_THAT(taken.bench.tb(Kind::kTbIssued, taken.high, 0), ElementsAre(1088 + kToFirstTb));
  EXPECT_THAT(taken.bench.kernel(Kind::kSmSetUp, taken.low), ElementsAre(24, 1658));
  EXPECT_THAT(taken.bench.tb(Kind::kTbIssued, taken.low, 1), ElementsAre(1660 + kToFirstTb));
}

}  // namespace
}  // namespace tessera::tlm_model::test
