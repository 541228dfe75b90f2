// SPDX-License-Identifier: Apache-2.0
// Timelines of the engine that does one job at a time, worked out by hand from docs/hardware/timing.md 5 and 6: kernels
// enter, SMs are set up, TBs are issued and end. Every comment names phases and the core's cycles they are in.
#include "tests/tlm/one_job_bench.h"

namespace tessera::tlm_model::test {
namespace {

using spec::PolicyKind;
using testing::ElementsAre;

// ---- from the command to the first TBs -----------------------------------------------------------------------

// Command in 1. BEGIN 2, SCAN 3-8, activate: PICK 9, ROW, LOAD, CALC, WRITE 13. BEGIN 14, WALK 15, DRAIN 16-18, JUDGE
// 19, assign: PICK 20, ROW, LOAD, CALC, BURST 24 gives SM 0 and 25 none, WRITE 26. BEGIN 27, and JUDGE 32 finds nothing
// to do. Set-up: PICK 27, WRITE 33, on the pins in 34, done 31 cycles later: PICK 65, WRITE 71. Issue: PICK 72, and
// four of BURST.
TEST(OneJobTimeline, AKernelIsActivatedAnSmSetUpAndFilledJobByJob) {
  OneJobBench bench(one_job_machine(1, 1, PolicyKind::kFcfs));
  const auto k = bench.launch(1, {0, 4, {100}, 4});
  bench.run();
  EXPECT_THAT(bench.kernel(Kind::kKernelActivated, k), ElementsAre(13));
  EXPECT_THAT(bench.sm(Kind::kSmSetUp, 0), ElementsAre(24));
  EXPECT_THAT(bench.sm(Kind::kTbIssued, 0), ElementsAre(78, 79, 80, 81));
  // The TBs end in 178 to 181, and each is a job of 7 cycles: PICK 178, 185, 192, 199. The last one's WRITE, 205,
  // finishes the kernel, which invokes the policy in 206: BEGIN 207, a step over an empty queue, JUDGE 212.
  EXPECT_THAT(bench.sm(Kind::kTbFinished, 0), ElementsAre(178, 179, 180, 181));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, k), ElementsAre(205));
  EXPECT_THAT(bench.sm(Kind::kSmReleased, 0), ElementsAre(205));
  EXPECT_THAT(bench.cycles_of(Kind::kPolicyInvoked), ElementsAre(1, 206));
  EXPECT_THAT(bench.cycles_of(Kind::kPolicyDecided), ElementsAre(32, 212));
}

// A is 20: the job is offered in 2 + 20 - 5, so that its WRITE is the twentieth cycle from BEGIN (2) on.
TEST(OneJobTimeline, AnActivationTakesWhatTheGpuSaysIfThatIsMore) {
  spec::Spec spec = one_job_machine(1, 1, PolicyKind::kFcfs);
  spec.gpu.framework.kernel_activation_cycles = 20;
  OneJobBench bench(spec);
  const auto k = bench.launch(1, {0, 1, {100}, 1});
  bench.run();
  EXPECT_THAT(bench.kernel(Kind::kKernelActivated, k), ElementsAre(21));
}

// Three kernels are activated in 13, 25 and 37, and each gets an SM. `width` entries pass in a step of 3 cycles; JUDGE
// is 4 cycles after the last step, its SM is given 5 later, and the next search begins 3 after that.
TEST(OneJobTimeline, AWalkTakesTheStepsOfTheQueueAndFourCycles) {
  for (const std::uint32_t width : {1U, 2U, 4U}) {
    spec::Spec spec = one_job_machine(4, 3, PolicyKind::kPpq);
    spec.gpu.framework.num_ksrs = 4;
    spec.gpu.framework.search_entry_cycles = 3;
    spec.scheduler.search_width = width;
    OneJobBench bench(spec);
    for (std::uint16_t process = 0; process < 3; ++process) bench.launch(1, {process, 1, {100}, 1});
    bench.run();
    const Cycle walk = 3 * ((3 + width - 1) / width);
    const Cycle first = 38 + walk + 4 + 5;
    const Cycle every = 3 + walk + 4 + 5;
    EXPECT_THAT(bench.cycles_of(Kind::kSmSetUp), ElementsAre(first, first + every, first + 2 * every));
    EXPECT_EQ(bench.cycles_of(Kind::kPolicyDecided).front(), first + 2 * every + 3 + walk + 4);
  }
}

// It needs three of four: JUDGE 19, PICK 20, BURST 24 to 27, WRITE 28. BEGIN 29, JUDGE 34.
TEST(OneJobTimeline, AnAssignGivesAnSmPerCycleUntilTheKernelNeedsNoMore) {
  OneJobBench bench(one_job_machine(4, 1, PolicyKind::kFcfs));
  bench.launch(1, {0, 5, {100}, 2});
  bench.run();
  EXPECT_THAT(bench.cycles_of(Kind::kSmSetUp), ElementsAre(24, 25, 26));
  EXPECT_EQ(bench.cycles_of(Kind::kPolicyDecided).front(), 34U);
}

// The same one: where the run ends, what comes later has not happened, and no SM is used that was not given yet.
TEST(OneJobTimeline, ARunThatEndsWithinAnAssignHasOnlyTheSetUpsBeforeItsEnd) {
  for (Cycle end = 20; end < 30; ++end) {
    OneJobBench bench(one_job_machine(4, 1, PolicyKind::kFcfs));
    bench.launch(1, {0, 5, {100}, 2});
    bench.run_and_stop(end);
    std::vector<Cycle> set_up;
    for (const Cycle given : {24, 25, 26}) {
      if (given < end) set_up.push_back(given);
    }
    EXPECT_EQ(bench.cycles_of(Kind::kSmSetUp), set_up) << end;
    EXPECT_EQ(bench.cycles_of(Kind::kSmSlots), std::vector<Cycle>(set_up.size(), end)) << end;
  }
}

// TBs that have been sent and do not run yet have run for nothing: also where their durations depend on who runs beside
// them, so that their ends do not tell when they begin.
TEST(OneJobTimeline, ATbThatBeginsAfterTheEndOfTheRunHasRunForNoCycle) {
  for (const bool is_contended : {false, true}) {
    spec::Spec spec = one_job_machine(1, 1, PolicyKind::kFcfs);
    if (is_contended) spec.contention.model = spec::ContentionModel::kCoRunning;
    Cycle start = 0;
    {
      OneJobBench bench(spec);
      bench.launch(1, {0, 1, {100}, 1});
      bench.run();
      start = bench.cycles_of(Kind::kTbIssued).front();
    }
    for (Cycle end = start - 6; end < start + 3; ++end) {
      OneJobBench bench(spec);
      bench.launch(1, {0, 1, {100}, 1});
      bench.run_and_stop(end);
      const std::vector<Record> slots = bench.records(Kind::kSmSlots);
      ASSERT_EQ(slots.size(), 1U);
      EXPECT_EQ(record::number::slots_ran(slots.front()), end > start ? end - start : 0) << end << is_contended;
    }
  }
}

// The SMs count as used from the assign's WRITE on, and until the finish.
TEST(OneJobTimeline, SmsOfAnAssignAreUsedFromItsWriteOn) {
  OneJobBench bench(one_job_machine(2, 1, PolicyKind::kFcfs));
  bench.launch(1, {0, 2, {1000}, 1});
  bench.run_and_stop(100);
  EXPECT_EQ(bench.sm_cycles(0, 100), 2U * (100 - 27 - bench.usage_delays().to_pins));
}

// JUDGE 19, PICK 20, SM 0 in 24, SM 1 in 25, WRITE 27. BEGIN 28. Set-up of SM 0: PICK 28, WRITE 34, on the pins in 35,
// done in 66; of SM 1: PICK 35, WRITE 41, on the pins in 42, done in 73. SM 0: set-up done PICK 66, issue PICK 73, TB 0
// in 79, WRITE 80. SM 1: set-up done PICK 81, WRITE 87, issue PICK 88, TB 1 in 94.
TEST(OneJobTimeline, AnEventWaitsForTheJobThatIsUnderWay) {
  OneJobBench bench(one_job_machine(2, 1, PolicyKind::kFcfs));
  bench.launch(1, {0, 4, {115, 100, 50, 50}, 1});
  bench.run();
  EXPECT_THAT(bench.cycles_of(Kind::kSmSetUp), ElementsAre(24, 25));
  // TB 0 and TB 1 end in 194: one batch, SM 0 first. PICK 194, TB 2 in 200, WRITE 201; PICK 202, TB 3 in 208.
  EXPECT_THAT(bench.sm(Kind::kTbIssued, 0), ElementsAre(79, 200));
  EXPECT_THAT(bench.sm(Kind::kTbIssued, 1), ElementsAre(94, 208));
  // TB 2 ends in 250, and SM 0 has nothing to run any more: WRITE 256. Invoked in 257, BEGIN 258, JUDGE 263. TB 3 ends
  // in 258 and is the kernel's last: WRITE 264, and the policy is idle again when it is invoked in 265.
  EXPECT_THAT(bench.sm(Kind::kSmReleased, 0), ElementsAre(256));
  EXPECT_THAT(bench.cycles_of(Kind::kKernelFinished), ElementsAre(264));
  EXPECT_THAT(bench.cycles_of(Kind::kPolicyInvoked), ElementsAre(1, 257, 265));
}

// ---- a slot is filled again ----------------------------------------------------------------------------------

// TB 0 starts in 78 + what the latency is above 6, the others behind it one after another.
TEST(OneJobTimeline, AFreeSlotIsFilledAgainAfterTheIssueLatency) {
  for (const std::uint32_t issue_cycles : {6U, 7U, 15U}) {
    spec::Spec spec = one_job_machine(1, 1, PolicyKind::kFcfs);
    spec.gpu.framework.tb_issue_cycles = issue_cycles;
    OneJobBench bench(spec);
    const auto k = bench.launch(1, {0, 3, {100}, 1});
    bench.run();
    const Cycle first = 72 + issue_cycles;
    const Cycle every = 100 + issue_cycles;
    EXPECT_THAT(bench.kernel(Kind::kTbIssued, k), ElementsAre(first, first + every, first + 2 * every));
  }
}

// TB 0 and TB 1 end in 179. PICK 179, BURST 185, WRITE 186; PICK 187, BURST 193.
TEST(OneJobTimeline, OfTwoThatEndTogetherTheSecondSlotIsFilledEightCyclesLater) {
  OneJobBench bench(one_job_machine(1, 1, PolicyKind::kFcfs));
  const auto k = bench.launch(1, {0, 4, {101, 100, 50, 50}, 2});
  bench.run();
  EXPECT_THAT(bench.kernel(Kind::kTbIssued, k), ElementsAre(78, 79, 185, 193));
  EXPECT_EQ(bench.records(Kind::kTbIssued)[2].slot, 0);
  EXPECT_EQ(bench.records(Kind::kTbIssued)[3].slot, 1);
}

// ---- the carry -----------------------------------------------------------------------------------------------

std::vector<Cycle> durations(std::size_t num_tbs, std::vector<Cycle> first) {
  first.resize(num_tbs, 50);
  return first;
}

// 258 TBs: of TB 2 on `remaining` is 256, which carries: BURST 78, 79, 80, a cycle for nothing, 82.
TEST(OneJobTimeline, ACarryIntoTheUpperBitsCostsACycleOfABurst) {
  OneJobBench bench(one_job_machine(1, 1, PolicyKind::kFcfs));
  bench.launch(1, {0, 258, durations(258, {}), 4});
  bench.run_and_stop(120);
  EXPECT_THAT(bench.sm(Kind::kTbIssued, 0), ElementsAre(78, 79, 80, 82));
}

// TB 0 and TB 1 end in 179. TB 2 is chosen in its BURST, 185, the carry's cycle is 186, WRITE 187; PICK 188, BURST 194.
TEST(OneJobTimeline, ACarryHoldsBackTheJobBehindARefill) {
  OneJobBench bench(one_job_machine(1, 1, PolicyKind::kFcfs));
  bench.launch(1, {0, 258, durations(258, {101, 100}), 2});
  bench.run_and_stop(220);
  EXPECT_THAT(bench.sm(Kind::kTbIssued, 0), ElementsAre(78, 79, 185, 194));
}

// ---- breadth first -------------------------------------------------------------------------------------------

// SMs are set up as depth first. Issue SM 0: PICK 73, BURST 79, WRITE 80. Set-up done of SM 1: PICK 81, WRITE 87. Then
// in turn: SM 1 PICK 88, BURST 94, WRITE 95; SM 0 PICK 96, BURST 102, WRITE 103; SM 1 PICK 104, BURST 110.
TEST(OneJobBreadthFirst, AJobIssuesOneTbAndSmsTakeTurns) {
  spec::Spec spec = one_job_machine(2, 1, PolicyKind::kFcfs);
  spec.scheduler.fill = spec::Fill::kBreadthFirst;
  OneJobBench bench(spec);
  bench.launch(1, {0, 4, {100}, 2});
  bench.run();
  EXPECT_THAT(bench.sm(Kind::kTbIssued, 0), ElementsAre(79, 102));
  EXPECT_THAT(bench.sm(Kind::kTbIssued, 1), ElementsAre(94, 110));
}

// ---- several core cycles in an SM cycle ----------------------------------------------------------------------

// Ratio 4; core cycles: command 4, BEGIN 5, activate offered from 5 + 20 - 5, PICK 20, WRITE 24. BEGIN 25, WALK 26-29
// (a step is 4), JUDGE 33, assign PICK 34, BURST 38, WRITE 40. Set-up: PICK 41, WRITE 47, on the pins in 48, which is
// SM cycle 12, done in 43. PICK 172, WRITE 178, issue PICK 179, BURST 185 and 186: decided in 179 and 180, SM cycles 44
// and 45.
TEST(OneJobClockRatio, CoreCyclesFallIntoSmCycles) {
  spec::Spec spec = one_job_machine(1, 1, PolicyKind::kFcfs);
  spec.scheduler.tbs_per_cycle = 4;
  spec.gpu.framework.tb_issue_cycles = 2;
  OneJobBench bench(spec);
  const auto k = bench.launch(1, {0, 4, {100, 99, 50, 50}, 2});
  bench.run();
  EXPECT_THAT(bench.kernel(Kind::kKernelActivated, k), ElementsAre(6));
  EXPECT_THAT(bench.sm(Kind::kSmSetUp, 0), ElementsAre(9));
  // Both end in SM cycle 146: PICK 584, decided there, and PICK 592, SM cycle 148.
  EXPECT_THAT(bench.kernel(Kind::kTbIssued, k), ElementsAre(46, 47, 148, 150));
}

// Ratio 16, breadth first: rounds. Core cycles: command 16, BEGIN 17, activate offered from 17 + 16 - 5, PICK 28,
// WRITE 32. BEGIN 33, WALK 34, JUDGE 38, assign PICK 39, BURST 43, WRITE 45. Set-up: PICK 46, WRITE 52, on the pins in
// 53, SM cycle 3, done in 34. Its event serves the SM in 34, and jobs in 35 and 36 give it a TB each, which counts as
// decided in the SM cycle before. TB 0 ends in 136, whose event serves the SM: the slot is filled by a job in 137.
TEST(OneJobClockRatio, InRoundsAnSmIsServedOnceInAnSmCycle) {
  spec::Spec spec = one_job_machine(1, 1, PolicyKind::kFcfs);
  spec.scheduler.fill = spec::Fill::kBreadthFirst;
  spec.scheduler.tbs_per_cycle = 16;
  spec.gpu.framework.tb_issue_cycles = 2;
  spec.gpu.framework.search_entry_cycles = 0;
  spec.gpu.framework.kernel_activation_cycles = 1;
  OneJobBench bench(spec);
  const auto k = bench.launch(1, {0, 3, {100}, 2});
  bench.run();
  EXPECT_THAT(bench.kernel(Kind::kKernelActivated, k), ElementsAre(2));
  EXPECT_THAT(bench.sm(Kind::kSmSetUp, 0), ElementsAre(2));
  EXPECT_THAT(bench.kernel(Kind::kTbIssued, k), ElementsAre(36, 37, 138));
}

// ---- which engine --------------------------------------------------------------------------------------------

// The Spec says which. On the ideal one, an activation takes 5 cycles, a walk over as many SMs 2, and latencies that
// the core could do make no other engine of it.
TEST(OneJobChoice, TheEngineIsTheOneThatTheSpecNames) {
  spec::Spec spec = one_job_machine(2, 1, PolicyKind::kFcfs);
  spec.gpu.framework.engine = spec::Engine::kIdeal;
  OneJobBench bench(spec);
  const auto k = bench.launch(1, {0, 2, {100}, 2});
  bench.run();
  EXPECT_THAT(bench.kernel(Kind::kKernelActivated, k), ElementsAre(1 + 5));
  EXPECT_THAT(bench.kernel(Kind::kTbIssued, k), ElementsAre(1 + 5 + 2 + 31 + 6, 1 + 5 + 2 + 31 + 6 + 1));
}

}  // namespace
}  // namespace tessera::tlm_model::test
