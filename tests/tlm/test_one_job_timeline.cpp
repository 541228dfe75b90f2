// SPDX-License-Identifier: Apache-2.0
// Timelines of the engine that does one job at a time, worked out by hand from docs/hardware/timing.md 5 and 6: kernels
// enter, SMs are set up, TBs are issued and end. Every comment names phases and the core's cycles they are in.
#include "tests/tlm/one_job_bench.h"

namespace tessera::tlm_model::test {
namespace {

using spec::PolicyKind;
using testing::ElementsAre;

// ---- from the command to the first TBs -----------------------------------------------------------------------

// Command in 1. BEGIN 2, SCAN 3-8, activate: PICK 9, ROW, LOAD, CALC, WRITE 13. BEGIN 14, WALK 15-16, DRAIN 17-19,
// JUDGE 20, assign: PICK 21, FIND, SM, ROW, LOAD, CALC, WRITE 27. BEGIN 28, and JUDGE 34 finds nothing to do. Set-up:
// PICK 28, WRITE 34, on the pins in 35, done 31 cycles later: PICK 66, WRITE 72. Issue: PICK 73, and four of BURST.
TEST(OneJobTimeline, AKernelIsActivatedAnSmSetUpAndFilledJobByJob) {
  OneJobBench bench(one_job_machine(1, 1, PolicyKind::kFcfs));
  const auto k = bench.launch(1, {0, 4, {100}, 4});
  bench.run();
  EXPECT_THAT(bench.kernel(Kind::kKernelActivated, k), ElementsAre(13));
  EXPECT_THAT(bench.sm(Kind::kSmSetUp, 0), ElementsAre(27));
  EXPECT_THAT(bench.sm(Kind::kTbIssued, 0), ElementsAre(79, 80, 81, 82));
  // The TBs end in 179 to 182, and each is a job of 7 cycles: PICK 179, 186, 193, 200. The last one's WRITE, 206,
  // finishes the kernel, which invokes the policy in 207: BEGIN 208, JUDGE 214.
  EXPECT_THAT(bench.sm(Kind::kTbFinished, 0), ElementsAre(179, 180, 181, 182));
  EXPECT_THAT(bench.kernel(Kind::kKernelFinished, k), ElementsAre(206));
  EXPECT_THAT(bench.sm(Kind::kSmReleased, 0), ElementsAre(206));
  EXPECT_THAT(bench.cycles_of(Kind::kPolicyInvoked), ElementsAre(1, 207));
  EXPECT_THAT(bench.cycles_of(Kind::kPolicyDecided), ElementsAre(34, 214));
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

// Four rows pass, `width` in a step of 3 cycles; JUDGE is 4 cycles after the last step, the move's WRITE another 7. The
// third walk finds nothing to do.
TEST(OneJobTimeline, AWalkTakesItsStepsAndFourCycles) {
  for (const std::uint32_t width : {1U, 2U, 4U}) {
    spec::Spec spec = one_job_machine(4, 1, PolicyKind::kFcfs);
    spec.gpu.framework.num_ksrs = 4;
    spec.gpu.framework.search_entry_cycles = 3;
    spec.scheduler.search_width = width;
    OneJobBench bench(spec);
    bench.launch(1, {0, 2, {100}, 1});
    bench.run();
    const Cycle walk = 3 * (4 / width);
    const Cycle first = 14 + walk + 4 + 7;  // from BEGIN, the cycle after the activation's WRITE
    const Cycle second = first + 1 + walk + 4 + 7;
    EXPECT_THAT(bench.cycles_of(Kind::kSmSetUp), ElementsAre(first, second));
    EXPECT_EQ(bench.cycles_of(Kind::kPolicyDecided).front(), second + 1 + walk + 4);
  }
}

// SM 0 as above. The second decision: BEGIN 28, JUDGE 34; its job waits for no one: set-up of SM 0 PICK 28, WRITE 34,
// assign PICK 35, WRITE 41. Set-up of SM 1: PICK 42, WRITE 48, on the pins in 49, done in 80. SM 0: set-up done PICK
// 66, issue PICK 73, TB 0 in 79, WRITE 80. SM 1: set-up done PICK 81, WRITE 87, issue PICK 88, TB 1 in 94.
TEST(OneJobTimeline, AnEventWaitsForTheJobThatIsUnderWay) {
  OneJobBench bench(one_job_machine(2, 1, PolicyKind::kFcfs));
  bench.launch(1, {0, 4, {115, 100, 50, 50}, 1});
  bench.run();
  EXPECT_THAT(bench.cycles_of(Kind::kSmSetUp), ElementsAre(27, 41));
  // TB 0 and TB 1 end in 194: one batch, SM 0 first. PICK 194, TB 2 in 200, WRITE 201; PICK 202, TB 3 in 208.
  EXPECT_THAT(bench.sm(Kind::kTbIssued, 0), ElementsAre(79, 200));
  EXPECT_THAT(bench.sm(Kind::kTbIssued, 1), ElementsAre(94, 208));
  // TB 2 ends in 250, and SM 0 has nothing to run any more: WRITE 256. Invoked in 257, BEGIN 258, JUDGE 264. TB 3 ends
  // in 258 and is the kernel's last: WRITE 264, and the policy is idle again when it is invoked in 265.
  EXPECT_THAT(bench.sm(Kind::kSmReleased, 0), ElementsAre(256));
  EXPECT_THAT(bench.cycles_of(Kind::kKernelFinished), ElementsAre(264));
  EXPECT_THAT(bench.cycles_of(Kind::kPolicyInvoked), ElementsAre(1, 257, 265));
}

// ---- a slot is filled again ----------------------------------------------------------------------------------

// TB 0 starts in 79 + what the latency is above 6, the others behind it one after another.
TEST(OneJobTimeline, AFreeSlotIsFilledAgainAfterTheIssueLatency) {
  for (const std::uint32_t issue_cycles : {6U, 7U, 15U}) {
    spec::Spec spec = one_job_machine(1, 1, PolicyKind::kFcfs);
    spec.gpu.framework.tb_issue_cycles = issue_cycles;
    OneJobBench bench(spec);
    const auto k = bench.launch(1, {0, 3, {100}, 1});
    bench.run();
    const Cycle first = 73 + issue_cycles;
    const Cycle every = 100 + issue_cycles;
    EXPECT_THAT(bench.kernel(Kind::kTbIssued, k), ElementsAre(first, first + every, first + 2 * every));
  }
}

// TB 0 and TB 1 end in 180. PICK 180, BURST 186, WRITE 187; PICK 188, BURST 194.
TEST(OneJobTimeline, OfTwoThatEndTogetherTheSecondSlotIsFilledEightCyclesLater) {
  OneJobBench bench(one_job_machine(1, 1, PolicyKind::kFcfs));
  const auto k = bench.launch(1, {0, 4, {101, 100, 50, 50}, 2});
  bench.run();
  EXPECT_THAT(bench.kernel(Kind::kTbIssued, k), ElementsAre(79, 80, 186, 194));
  EXPECT_EQ(bench.records(Kind::kTbIssued)[2].slot, 0);
  EXPECT_EQ(bench.records(Kind::kTbIssued)[3].slot, 1);
}

// ---- the carry -----------------------------------------------------------------------------------------------

std::vector<Cycle> durations(std::size_t num_tbs, std::vector<Cycle> first) {
  first.resize(num_tbs, 50);
  return first;
}

// 258 TBs: of TB 2 on `remaining` is 256, which carries: BURST 79, 80, 81, a cycle for nothing, 83.
TEST(OneJobTimeline, ACarryIntoTheUpperBitsCostsACycleOfABurst) {
  OneJobBench bench(one_job_machine(1, 1, PolicyKind::kFcfs));
  bench.launch(1, {0, 258, durations(258, {}), 4});
  bench.run_and_stop(120);
  EXPECT_THAT(bench.sm(Kind::kTbIssued, 0), ElementsAre(79, 80, 81, 83));
}

// TB 0 and TB 1 end in 180. TB 2 is chosen in its BURST, 186, the carry's cycle is 187, WRITE 188; PICK 189, BURST 195.
TEST(OneJobTimeline, ACarryHoldsBackTheJobBehindARefill) {
  OneJobBench bench(one_job_machine(1, 1, PolicyKind::kFcfs));
  bench.launch(1, {0, 258, durations(258, {101, 100}), 2});
  bench.run_and_stop(220);
  EXPECT_THAT(bench.sm(Kind::kTbIssued, 0), ElementsAre(79, 80, 186, 195));
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

// Ratio 4; core cycles: command 4, BEGIN 5, activate offered from 5 + 20 - 5, PICK 20, WRITE 24. BEGIN 25, WALK 26-33
// (a step is 4), JUDGE 37, assign PICK 38, WRITE 44. Set-up: PICK 45, WRITE 51, on the pins in 52, which is SM cycle
// 13, done in 44. PICK 176, WRITE 182, issue PICK 183, BURST 189 and 190: decided in 183 and 184, SM cycles 45 and 46.
TEST(OneJobClockRatio, CoreCyclesFallIntoSmCycles) {
  spec::Spec spec = one_job_machine(1, 1, PolicyKind::kFcfs);
  spec.scheduler.tbs_per_cycle = 4;
  spec.gpu.framework.tb_issue_cycles = 2;
  OneJobBench bench(spec);
  const auto k = bench.launch(1, {0, 4, {100, 99, 50, 50}, 2});
  bench.run();
  EXPECT_THAT(bench.kernel(Kind::kKernelActivated, k), ElementsAre(6));
  EXPECT_THAT(bench.sm(Kind::kSmSetUp, 0), ElementsAre(11));
  // Both end in SM cycle 147: PICK 588, decided there, and PICK 596, SM cycle 149.
  EXPECT_THAT(bench.kernel(Kind::kTbIssued, k), ElementsAre(47, 48, 149, 151));
}

// Ratio 16, breadth first: rounds. Core cycles: command 16, BEGIN 17, activate offered from 17 + 16 - 5, PICK 28,
// WRITE 32. BEGIN 33, WALK 34-35, JUDGE 39, assign PICK 40, WRITE 46. Set-up: PICK 47, WRITE 53, on the pins in 54, SM
// cycle 3, done in 34. Its event serves the SM in 34, and jobs in 35 and 36 give it a TB each, which counts as decided
// in the SM cycle before. TB 0 ends in 136, whose event serves the SM: the slot is filled by a job in 137.
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
