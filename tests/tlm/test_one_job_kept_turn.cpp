// SPDX-License-Identifier: Apache-2.0
// A kept turn with the engine that does one job at a time, worked out by hand from docs/hardware/timing.md 3.12, 5 and
// 6. One SM and two contexts; slices of 1000 cycles, a switch of 200, or of 150 if nothing ran, of which 30 lie in the
// slice.
#include "tests/tlm/kept_turn_bench.h"

namespace tessera::tlm_model::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

spec::Spec two_contexts() { return kept_turn_machine(spec::Engine::kSerialised, 1, 2); }

// From an assign's WRITE to the first TB: AnSmIsReservedTrappedSavedAndHandedOver.
constexpr Cycle kFromAssignToTb = 52;

// The command of context 0 comes in 1 and is valid in 2: LEAVING 3, SWITCHING 4, where there is nothing to switch, so
// that OWNED begins in 5 and the slice's tick is due in 4 + 1000. The search has gone on: activate WRITE 13, assign
// BURST 24, TB 78. Context 1 comes in 301 and is active in 314.
// The tick of 1004 invokes: BEGIN 1005, WALK 1006-1007, JUDGE 1011. The turn passes in 1005, too late for that BEGIN:
// the next one, in 1012, becomes an eviction. PICK 1013, FIND, ROW, LOAD, CALC, WRITE 1018. Trap: PICK 1019, WRITE
// 1025, on the pins in 1026; its TB stands still in 1069, the save begins in 1080 and ends in 1096: PICK, WRITE 1102.
// The SM is idle in 1103, SWITCHING 1104, the switch is over in 1304. BEGIN 1305, JUDGE 1311, assign PICK 1312, BURST
// 1316, WRITE 1318, TB 1370.
TEST(OneJobKeptTurn, AtTheEndOfASliceAllIsSavedAndTheOtherContextComesAfterTheSwitch) {
  KeptTurnBench bench(two_contexts());
  const auto first = bench.launch(1, {0, 1, {5000}});
  const auto second = bench.launch(301, {1, 1, {300}});
  bench.run();
  EXPECT_THAT(bench.tb(Kind::kTbIssued, first, 0), ElementsAre(78));
  EXPECT_THAT(bench.kernel(Kind::kKernelActivated, second), ElementsAre(313));
  EXPECT_THAT(bench.sm(Kind::kPreemptionRequested, 0), ElementsAre(1018));
  EXPECT_EQ(bench.records(Kind::kPreemptionRequested)[0].value, record::kNoNumber);
  EXPECT_THAT(bench.sm(Kind::kSaveStarted, 0), ElementsAre(1080));
  EXPECT_THAT(bench.sm(Kind::kPreemptionDone, 0), ElementsAre(1102));
  EXPECT_EQ(bench.records(Kind::kPreemptionDone)[0].bytes, 256U);
  EXPECT_THAT(bench.kernel(Kind::kSmSetUp, second), ElementsAre(1316));
  EXPECT_THAT(bench.tb(Kind::kTbIssued, second, 0), ElementsAre(1318 + kFromAssignToTb));
  // It ends in 1670, PICK, WRITE 1676: dry in 1677, LEAVING 1678, SWITCHING 1679. Nothing ran: over in 1829. BEGIN
  // 1830, JUDGE 1835, assign PICK 1836, BURST 1840, WRITE 1842. The handle is read 52 cycles later and on the pins in
  // 1895; the context is in 16 cycles later, and of 5000 cycles 991 are over.
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, second), ElementsAre(1676));
  EXPECT_THAT(bench.kernel(Kind::kSmSetUp, first), ElementsAre(24, 1840));
  EXPECT_THAT(bench.tb(Kind::kTbRestored, first, 0), ElementsAre(1911));
  EXPECT_THAT(bench.tb(Kind::kTbFinished, first, 0), ElementsAre(1911 + 5000 - 991));
  EXPECT_THAT(bench.turn(), ElementsAre(began(4, 0), over(1005, 0), began(1304, 1), dry(1677, 1), began(1829, 0)));
  EXPECT_EQ(bench.records(Kind::kTurnBegan)[0].cycles, 0U);
  EXPECT_EQ(bench.records(Kind::kTurnBegan)[1].cycles, 1304U - 1005);
  EXPECT_THAT(bench.cycles_of(Kind::kPolicyInvoked),
              ElementsAre(1, 301, 1004, 1103, 1304, 1677, 1829, 1829 + kSlice - kInSlice, 5920 + 7));
}

// The owner's TB ends in 78 + its duration, PICK, and WRITE 6 cycles later; the tick of 1004 is seen in 1005.
TEST(OneJobKeptTurn, AKernelThatFinishesInTheCycleOfTheTickLeavesItsOwnerDry) {
  for (const Cycle after : {0, 1}) {
    KeptTurnBench bench(two_contexts());
    bench.launch(1, {0, 1, {1004 - 6 - 78 + after}});
    bench.launch(301, {1, 1, {300}});
    bench.run();
    ASSERT_GE(bench.turn().size(), 2U);
    EXPECT_EQ(bench.turn()[1], after == 0 ? dry(1005, 0) : over(1005, 0));
  }
}

TEST(OneJobKeptTurn, ASwitchTakesWhatItCostsAndACycleAtLeast) {
  for (const Cycle cost : {0, 1, 2, 199, 200}) {
    spec::Spec spec = two_contexts();
    spec.gpu.framework.gpu_switch.preempted = cost * 1000;
    KeptTurnBench bench(spec);
    bench.launch(1, {0, 1, {5000}});
    bench.launch(301, {1, 1, {300}});
    bench.run();
    ASSERT_GE(bench.turn().size(), 3U);
    EXPECT_EQ(bench.turn()[2], began(1104 + std::max<Cycle>(cost, 1), 1));
  }
}

// In the slice of context 1, which begins in 1304, of which 30 cycles are over by then.
TEST(OneJobKeptTurn, ASliceIsOfItsContextAndPartOfTheSwitchLiesInIt) {
  for (const Cycle slice : {499, 500}) {
    spec::Spec spec = two_contexts();
    spec.processes[1].time_slice = slice * 1000;
    KeptTurnBench bench(spec);
    bench.launch(1, {0, 1, {5000}});
    bench.launch(301, {1, 1, {3000}});
    bench.run();
    ASSERT_GE(bench.turn().size(), 4U);
    EXPECT_EQ(bench.turn()[3], over(1304 + slice - kInSlice + 1, 1));
  }
}

// Two kernels of context 0 hold an SM each: the eviction visits both.
TEST(OneJobKeptTurn, AnEvictionVisitsEachKernelThatHoldsAnSmAndTakesAllAtOnce) {
  KeptTurnBench bench(kept_turn_machine(spec::Engine::kSerialised, 2, 2));
  bench.launch(1, {0, 1, {5000}});
  bench.launch(2, {0, 1, {5000}});
  bench.launch(301, {1, 1, {300}});
  bench.run();
  // Tick 1004, pass 1005, BEGIN 1012, PICK 1013, WRITE 1018 and 1023. Both KSRs are taken: context 1 waits in its
  // buffer.
  const std::vector<Record> requests = bench.records(Kind::kPreemptionRequested);
  ASSERT_GE(requests.size(), 2U);
  EXPECT_EQ(requests[0].cycle, 1023U);
  EXPECT_EQ(requests[1].cycle, 1023U);
  // Traps one by one: PICK 1024, WRITE 1030; PICK 1031, WRITE 1037. 43 + 11 cycles later the saves begin.
  EXPECT_THAT(bench.sm(Kind::kSaveStarted, 0), testing::Contains(1030U + 1 + 43 + 11));
  EXPECT_THAT(bench.sm(Kind::kSaveStarted, 1), testing::Contains(1037U + 1 + 43 + 11));
}

// On the pins in 401, in its register in 402: the turn passes in 402 to nobody. BEGIN 403 becomes an eviction: PICK
// 404, WRITE 409, trap PICK 410, WRITE 416, on the pins in 417, saved from 417 + 54 on in 16 cycles: 487, PICK, WRITE
// 493, idle in 494: NOBODY 495. It comes back in 601: NOBODY sees it in 602, LEAVING 603, SWITCHING 604, where nothing
// is switched.
TEST(OneJobKeptTurn, AContextThatIsTakenOffTheRunListIsSavedAndComesBackWithoutASwitch) {
  KeptTurnBench bench(two_contexts());
  const auto launch = bench.launch(1, {0, 1, {2000}});
  bench.set_listed(401, 0, false);
  bench.set_listed(601, 0, true);
  bench.run();
  EXPECT_THAT(bench.turn(), ElementsAre(began(4, 0), unlisted(402, 0), began(604, 0)));
  EXPECT_THAT(bench.sm(Kind::kPreemptionDone, 0), ElementsAre(493));
  // BEGIN 605, JUDGE 610, assign PICK 611, BURST 615.
  EXPECT_THAT(bench.kernel(Kind::kSmSetUp, launch), ElementsAre(24, 615));
}

// It runs from 79 to 379. Its launch is no longer on its way in 701, in its register in 702: LEAVING 703, SWITCHING
// 704.
TEST(OneJobKeptTurn, AnOwnerWithALaunchOnItsWayIsNotDry) {
  KeptTurnBench bench(two_contexts());
  bench.set_waiting(200, 0, true);
  bench.launch(1, {0, 1, {300}});
  bench.launch(301, {1, 1, {300}});
  bench.set_waiting(701, 0, false);
  bench.run();
  EXPECT_THAT(bench.turn(), ElementsAre(began(4, 0), dry(702, 0), began(704 + kDrySwitch, 1)));
}

}  // namespace
}  // namespace tessera::tlm_model::test
