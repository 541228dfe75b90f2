// SPDX-License-Identifier: Apache-2.0
// The policy's search, cycle by cycle: what is found, after how many walks, and what an event or a write of the OS in
// the middle of a decision does. Cycle 0 is the one with the event that invokes the policy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rtl_model/search_bench.h"

namespace tessera::rtl_model::test {
namespace {

using spec::PolicyKind;
using testing::ElementsAre;
using testing::IsEmpty;

spec::Spec with_tokens_by_process(spec::Spec spec) {
  spec.scheduler.token_scope = spec::TokenScope::kProcess;
  return spec;
}
spec::Spec exclusive(spec::Spec spec, spec::ExclusiveScope scope = spec::ExclusiveScope::kNeeded) {
  spec.scheduler.access = spec::Access::kExclusive;
  spec.scheduler.exclusive_scope = scope;
  return spec;
}

// ---- how long a decision takes ------------------------------------------------------------------------------

// 13 SMs as in [T14]; a step is a cycle, or three.
class Walk : public testing::TestWithParam<std::uint32_t> {
 protected:
  static spec::Spec spec_of(std::uint32_t cycles_a_step) {
    spec::Spec spec = machine(13, 3, PolicyKind::kDss);
    spec.scheduler.search_width = GetParam();
    spec.gpu.framework.search_entry_cycles = cycles_a_step;
    return spec;
  }
  static Cycle walk() { return (13 + GetParam() - 1) / GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Widths, Walk, testing::Values(1, 2, 4, 13));

TEST_P(Walk, AKernelThatNeedsTwoSmsGetsOneAWalk) {
  SearchBench bench(spec_of(1));
  const std::uint32_t k = bench.kernel(0, 0, 2, 5);
  bench.decide();
  EXPECT_THAT(bench.invoked, ElementsAre(0));
  EXPECT_THAT(bench.moved_at(), ElementsAre(walk(), 2 * walk()));
  EXPECT_THAT(bench.moved_sms(), ElementsAre(0, 1));
  EXPECT_THAT(bench.decided, ElementsAre(3 * walk()));  // the last one finds nothing to do
  EXPECT_EQ(bench.row(k).owned, 2U);
}

TEST_P(Walk, AStepLastsItsCycles) {
  SearchBench bench(spec_of(3));
  bench.kernel(0, 0, 2, 5);
  bench.decide();
  EXPECT_THAT(bench.moved_at(), ElementsAre(3 * walk(), 6 * walk()));
  EXPECT_THAT(bench.decided, ElementsAre(9 * walk()));
}

TEST_P(Walk, AVictimTakesASecondOne) {
  SearchBench bench(spec_of(1));
  const std::uint32_t rich = bench.kernel(0, 0, 0, 6);
  const std::uint32_t poor = bench.kernel(1, 0, 2, 6);
  for (std::uint32_t sm = 0; sm < 13; ++sm) bench.runs(sm, rich);
  bench.decide();
  EXPECT_THAT(bench.moved_at(), ElementsAre(2 * walk(), 4 * walk()));
  EXPECT_THAT(bench.moved_sms(), ElementsAre(0, 1));
  EXPECT_THAT(bench.decided, ElementsAre(5 * walk()));
  EXPECT_EQ(bench.row(poor).reserved, 2U);
  EXPECT_EQ(bench.row(rich).owned, 11U);
}

TEST_P(Walk, TheLastSmOfTheTableIsSeenToo) {
  SearchBench bench(spec_of(1));
  const std::uint32_t k = bench.kernel(0, 0, 1, 6);
  for (std::uint32_t sm = 0; sm < 12; ++sm) bench.runs(sm, k);
  bench.decide();
  EXPECT_THAT(bench.moved_sms(), ElementsAre(12));
}

TEST_P(Walk, TheLastKernelOfTheQueueIsSeenToo) {
  spec::Spec spec = spec_of(1);
  spec.gpu.framework.num_ksrs = 30;  // more than SMs: several pass in a step
  SearchBench bench(spec);
  for (std::uint32_t i = 0; i < 29; ++i) bench.kernel(0, 0, 0, 5);
  const std::uint32_t last = bench.kernel(0, 0, 1, 5);
  bench.decide();
  ASSERT_EQ(bench.moves.size(), 1U);
  EXPECT_EQ(bench.moves[0].ksr, last);
  EXPECT_THAT(bench.moved_at(), ElementsAre(walk()));
}

TEST_P(Walk, WithNothingToDoIsTheOnlyOne) {
  SearchBench bench(spec_of(1));
  bench.decide();
  EXPECT_THAT(bench.decided, ElementsAre(walk()));
}

// ---- commands -----------------------------------------------------------------------------------------------

// Three SMs and a walk of three cycles; an activation takes four.
constexpr Cycle kWalk = 3;

TEST(Activation, ComesBeforeTheWalk) {
  SearchBench bench(machine(3, 3, PolicyKind::kDss));
  bench.command(1, 2, 5, 1);
  bench.decide();
  ASSERT_EQ(bench.activations.size(), 1U);
  EXPECT_EQ(bench.activations[0].at, kActivation);
  EXPECT_EQ(bench.activations[0].buffer, 1U);
  EXPECT_EQ(bench.row(0).context, 2U);
  EXPECT_EQ(bench.row(0).priority, 5U);
  EXPECT_EQ(bench.row(0).remaining, 1U);
  EXPECT_THAT(bench.moved_at(), ElementsAre(kActivation + kWalk));
  EXPECT_THAT(bench.decided, ElementsAre(kActivation + 2 * kWalk));
}

TEST(Activation, AllThatWaitEnterBeforeTheWalk) {
  SearchBench bench(machine(3, 3, PolicyKind::kDss));
  bench.command(2, 0);
  bench.command(1, 1);
  bench.decide();
  ASSERT_EQ(bench.activations.size(), 2U);
  EXPECT_EQ(bench.activations[0].buffer, 1U);  // in turn
  EXPECT_EQ(bench.activations[1].buffer, 2U);
  EXPECT_EQ(bench.activations[1].at, 2 * kActivation);
  EXPECT_THAT(bench.decided, ElementsAre(2 * kActivation + 3 * kWalk));
}

TEST(Activation, WaitsForARowOfTheTable) {
  SearchBench bench(machine(3, 3, PolicyKind::kDss));
  for (std::uint32_t i = 0; i < 4; ++i) bench.kernel(0, 0, 0);
  bench.command(0, 1);
  bench.decide();
  EXPECT_THAT(bench.activations, IsEmpty());
  EXPECT_THAT(bench.decided, ElementsAre(kWalk));
}

TEST(Activation, ACommandInsideADecisionEntersAfterTheWalkUnderWay) {
  SearchBench bench(machine(3, 3, PolicyKind::kDss));
  bench.invoke();
  bench.run_to(2);
  bench.command(0, 1);
  bench.decide();
  EXPECT_EQ(bench.activations[0].at, kWalk + kActivation);
  EXPECT_EQ(bench.invoked.size(), 1U);
}

// A code without an engine would leave the policy as it is, and another one would run under its name.
TEST(Policies, ThoseThatTheTableGivesToTheClockedCoresHaveAnEngineAndOthersAreRefused) {
  for (const spec::PolicyInfo& policy : spec::kPolicies) {
    const spec::Spec spec = machine(3, 3, policy.kind);
    if (includes(policy.cores, spec::Cores::kClocked)) {
      EXPECT_EQ(SearchBench(spec).search.policy() & kPolicyCodeMask, policy.code) << policy.name;
    } else {
      EXPECT_THROW(SearchBench{spec}, std::invalid_argument) << policy.name;
    }
  }
}

TEST(OneContext, KeepsOthersOutUntilTheQueueIsEmpty) {
  for (const PolicyKind policy : {PolicyKind::kFcfs, PolicyKind::kNpq}) {
    SearchBench bench(machine(3, 3, policy));
    bench.kernel(0, 0, 0);
    bench.command(0, 1);
    bench.decide();
    EXPECT_THAT(bench.activations, IsEmpty());
    bench.tables.active_queue.remove(0);
    bench.tables.ksrt.free(0);
    bench.run_to(bench.now + 1);
    bench.decide();
    EXPECT_EQ(bench.activations.size(), 1U);
  }
}

TEST(OneContext, TheFirstInOrderBlocksThoseBehind) {
  SearchBench fcfs(machine(3, 3, PolicyKind::kFcfs));
  fcfs.kernel(0, 0, 0);
  fcfs.command(0, 1);
  fcfs.command(1, 0, 9);  // of the engine's context, but it came later
  fcfs.decide();
  EXPECT_THAT(fcfs.activations, IsEmpty());
}

TEST(OneContext, NpqLetsTheUrgentOneOvertake) {
  SearchBench npq(machine(3, 3, PolicyKind::kNpq));
  npq.kernel(0, 0, 0);
  npq.command(0, 1);
  npq.command(1, 0, 9);
  npq.decide();
  ASSERT_EQ(npq.activations.size(), 1U);
  EXPECT_EQ(npq.activations[0].buffer, 1U);
}

TEST(OneContext, SmsGoToTheFirstKernelThatNeedsOneAndAreNeverTaken) {
  SearchBench bench(machine(3, 3, PolicyKind::kFcfs));
  const std::uint32_t a = bench.kernel(0, 0, 0);
  const std::uint32_t b = bench.kernel(0, 0, 2);
  const std::uint32_t c = bench.kernel(0, 9, 9);
  bench.runs(0, a);
  bench.decide();
  ASSERT_EQ(bench.moves.size(), 2U);
  EXPECT_EQ(bench.moves[0].ksr, b);
  EXPECT_EQ(bench.moves[1].ksr, b);
  EXPECT_EQ(bench.row(c).held(), 0U);
  EXPECT_THAT(bench.decided, ElementsAre(3 * kWalk));
}

// ---- ppq ----------------------------------------------------------------------------------------------------

TEST(Priorities, TheLowestLosesFirstThenAReservedSmThenTheLowestSm) {
  SearchBench bench(machine(5, 3, PolicyKind::kPpq));
  const std::uint32_t low = bench.kernel(0, 0, 0), mid = bench.kernel(0, 1, 0), high = bench.kernel(1, 2, 5);
  bench.runs(0, mid);
  bench.runs(1, low);
  bench.reserved(2, mid, low);
  bench.reserved(3, mid, low);
  bench.reserved(4, low, mid);  // counts against mid
  bench.decide();
  EXPECT_THAT(bench.moved_sms(), ElementsAre(2, 3, 1, 4, 0));
  EXPECT_EQ(bench.moves[0].kind, MoveKind::kRetarget);
  EXPECT_EQ(bench.moves[2].kind, MoveKind::kReserve);
  EXPECT_THAT(bench.moved_at(), ElementsAre(10, 20, 30, 40, 50));  // two walks of five each
  EXPECT_THAT(bench.decided, ElementsAre(55));
  EXPECT_EQ(bench.row(high).reserved, 5U);
}

TEST(Priorities, EqualsLeaveEachOtherAlone) {
  SearchBench bench(machine(3, 3, PolicyKind::kPpq));
  const std::uint32_t a = bench.kernel(0, 1, 0);
  bench.kernel(1, 1, 1);
  for (const std::uint32_t sm : {0U, 1U, 2U}) bench.runs(sm, a);
  bench.decide();
  EXPECT_THAT(bench.moves, IsEmpty());
  EXPECT_THAT(bench.decided, ElementsAre(2 * kWalk));
}

TEST(Priorities, AReservedSmWhoseNextHasFinishedIsLeftAlone) {
  SearchBench bench(machine(1, 3, PolicyKind::kPpq));
  const std::uint32_t low = bench.kernel(0, 0, 0), gone = bench.kernel(0, 0, 0);
  bench.kernel(1, 1, 1);
  bench.reserved(0, low, gone);
  bench.tables.smst.forget(gone);
  bench.tables.smst.seq();
  bench.decide();
  EXPECT_THAT(bench.moves, IsEmpty());
}

TEST(Priorities, ExclusiveLeavesIdleSmsToTheHighest) {
  for (const bool is_exclusive : {true, false}) {
    const spec::Spec spec = machine(3, 3, PolicyKind::kPpq);
    SearchBench bench(is_exclusive ? exclusive(spec) : spec);
    const std::uint32_t high = bench.kernel(0, 1, 0);
    bench.kernel(1, 0, 1);
    bench.runs(0, high);
    bench.decide();
    EXPECT_EQ(bench.moves.size(), is_exclusive ? 0U : 1U);
  }
}

TEST(Priorities, ExclusiveOfAllSmsTakesThoseThatItDoesNotNeed) {
  SearchBench bench(exclusive(machine(3, 3, PolicyKind::kPpq), spec::ExclusiveScope::kAll));
  const std::uint32_t high = bench.kernel(0, 1, 0), low = bench.kernel(1, 0, 1);
  bench.runs(0, high);
  bench.runs(2, low);
  bench.decide();
  EXPECT_THAT(bench.moved_sms(), ElementsAre(2));  // and not the idle one
  EXPECT_EQ(bench.moves[0].ksr, high);
}

// ---- dss ----------------------------------------------------------------------------------------------------

TEST(Tokens, AnIdleSmGoesToTheKernelWithMostLeft) {
  SearchBench bench(machine(3, 3, PolicyKind::kDss));
  bench.kernel(0, 0, 9, 1);
  const std::uint32_t b = bench.kernel(1, 0, 9, 3);
  const std::uint32_t c = bench.kernel(2, 0, 9, 3);
  bench.decide();
  ASSERT_EQ(bench.moves.size(), 3U);
  EXPECT_EQ(bench.moves[0].ksr, b);  // 3 and 3: the earlier one
  EXPECT_EQ(bench.moves[1].ksr, c);  // 2 and 3
  EXPECT_EQ(bench.moves[2].ksr, b);
}

TEST(Tokens, ADifferenceOfOneMovesNothing) {
  for (const std::uint32_t budget : {1U, 2U}) {
    SearchBench bench(machine(1, 3, PolicyKind::kDss));
    const std::uint32_t a = bench.kernel(0, 0, 0, 1);  // none left
    bench.kernel(1, 0, 1, budget);
    bench.runs(0, a);
    bench.decide();
    EXPECT_EQ(bench.moves.size(), budget - 1);
  }
}

TEST(Tokens, DebtIsLessThanNothing) {
  SearchBench bench(machine(3, 3, PolicyKind::kDss));
  const std::uint32_t a = bench.kernel(0, 0, 9, 1), b = bench.kernel(1, 0, 9, 0);
  for (const std::uint32_t sm : {0U, 1U, 2U}) bench.runs(sm, a);  // 1 - 3 = -2, and the other has 0
  bench.decide();
  EXPECT_THAT(bench.moved_sms(), ElementsAre(0));  // then both have -1
  EXPECT_EQ(bench.row(a).owned, 2U);
  EXPECT_EQ(bench.row(b).reserved, 1U);
}

TEST(Tokens, AKernelInDebtMayHaveAnIdleSm) {
  SearchBench bench(machine(3, 3, PolicyKind::kDss));
  const std::uint32_t a = bench.kernel(0, 0, 2, 0);
  bench.runs(0, a);
  bench.decide();
  EXPECT_THAT(bench.moved_sms(), ElementsAre(1, 2));
}

TEST(Tokens, BudgetsAreEqualSharesAndTheFirstTakesTheRest) {
  SearchBench bench(machine(13, 3, PolicyKind::kDss));  // 4 each, and 1
  bench.command(0, 0);
  bench.command(1, 1);
  bench.decide();
  EXPECT_EQ(bench.row(0).tokens, 5U);
  EXPECT_TRUE(bench.row(0).has_pool_token);
  EXPECT_EQ(bench.row(1).tokens, 4U);
  bench.in.pool_step = 1;  // the first kernel leaves
  bench.command(2, 2);
  bench.decide();
  EXPECT_EQ(bench.row(2).tokens, 5U);
}

TEST(Tokens, AProcessTakesOneFromThePoolForAllItsKernels) {
  SearchBench bench(with_tokens_by_process(machine(14, 3, PolicyKind::kDss)));  // 4 each, and 2
  for (const std::uint32_t buffer : {0U, 1U, 2U, 3U}) bench.command(buffer, buffer == 0 ? 0 : buffer - 1);
  bench.decide();
  EXPECT_EQ(bench.row(0).tokens, 5U);
  EXPECT_EQ(bench.row(1).tokens, 5U);  // of the same process
  EXPECT_EQ(bench.row(2).tokens, 5U);
  EXPECT_EQ(bench.row(3).tokens, 4U);
  EXPECT_FALSE(bench.row(0).has_pool_token);
  EXPECT_TRUE(bench.tables.context_table.row(0).has_pool_token);
}

TEST(Tokens, AProcessSharesItsBudgetAmongItsKernels) {
  SearchBench bench(with_tokens_by_process(machine(3, 3, PolicyKind::kDss)));
  const std::uint32_t a = bench.kernel(0, 0, 0, 2);
  bench.kernel(0, 0, 9, 2);
  const std::uint32_t other = bench.kernel(1, 0, 9, 1);
  for (const std::uint32_t sm : {0U, 1U}) bench.runs(sm, a);  // process 0 has none left for its other kernel
  bench.decide();
  ASSERT_EQ(bench.moves.size(), 1U);
  EXPECT_EQ(bench.moves[0].ksr, other);
}

TEST(Tokens, AContextMayHaveABudgetFromTheStart) {
  spec::Spec spec = machine(13, 3, PolicyKind::kDss);
  spec.processes[1].tokens = 7;
  SearchBench bench(spec);
  bench.command(0, 1);
  bench.command(1, 0);
  bench.decide();
  EXPECT_EQ(bench.row(0).tokens, 7U);
  EXPECT_EQ(bench.row(1).tokens, 5U);  // the pool is untouched
}

TEST(Tokens, TheOsBudgetHoldsForKernelsThatComeLater) {
  SearchBench bench(machine(13, 3, PolicyKind::kDss));
  bench.write_tokens(1, 7);
  bench.cycle();
  bench.command(0, 1);
  bench.command(1, 0);
  bench.decide();
  EXPECT_EQ(bench.row(0).tokens, 7U);
  EXPECT_FALSE(bench.row(0).has_pool_token);
  EXPECT_EQ(bench.row(1).tokens, 5U);  // the pool is untouched
}

// ---- time_slice ---------------------------------------------------------------------------------------------

class Slices : public testing::Test {
 protected:
  // Contexts 0 and 2 have a kernel each; the first runs on all SMs. Both could use more.
  void two_kernels() {
    first = bench.kernel(0, 0, 9);
    second = bench.kernel(2, 0, 9);
    for (const std::uint32_t sm : {0U, 1U, 2U}) bench.runs(sm, first);
  }
  SearchBench bench{machine(3, 3, PolicyKind::kTimeSlice)};
  std::uint32_t first = 0, second = 0;
};

TEST_F(Slices, TheTurnBeginsWithContextZero) {
  two_kernels();
  bench.decide();
  EXPECT_THAT(bench.moves, IsEmpty());
}

TEST_F(Slices, ATickPassesTheTurnToTheNextContextWithAKernel) {
  two_kernels();
  bench.tick_slice();
  bench.decide();
  EXPECT_THAT(bench.moved_sms(), ElementsAre(0, 1, 2));
  EXPECT_THAT(bench.moved_at(), ElementsAre(2 * kWalk, 4 * kWalk, 6 * kWalk));
  EXPECT_EQ(bench.row(second).reserved, 3U);
  // The turn is with context 2 now, though it came by way of 1: the next one is 0.
  bench.moves.clear();
  bench.tick_slice();
  bench.decide();
  ASSERT_EQ(bench.moves.size(), 3U);
  EXPECT_EQ(bench.moves[0].ksr, first);
}

TEST_F(Slices, AnIdleSmIsLentToOthers) {
  bench.kernel(0, 0, 0);
  const std::uint32_t other = bench.kernel(1, 0, 1);
  bench.decide();
  ASSERT_EQ(bench.moves.size(), 1U);
  EXPECT_EQ(bench.moves[0].ksr, other);
}

TEST(ExclusiveSlices, LendNothing) {
  SearchBench bench(exclusive(machine(3, 3, PolicyKind::kTimeSlice)));
  bench.kernel(0, 0, 0);
  bench.kernel(1, 0, 1);
  bench.decide();
  EXPECT_THAT(bench.moves, IsEmpty());
}

TEST(SliceTick, DuringAWalkIsNotLost) {
  for (Cycle at = 1; at <= kWalk; ++at) {
    SearchBench b(machine(3, 3, PolicyKind::kTimeSlice));
    b.kernel(0, 0, 9);
    const std::uint32_t other = b.kernel(1, 0, 9);
    for (const std::uint32_t sm : {0U, 1U, 2U}) b.runs(sm, 0);
    b.invoke();
    b.run_to(at);
    b.tick_slice();
    b.decide();
    EXPECT_EQ(b.row(other).reserved, 3U) << "a tick in cycle " << at;
    // The search under way, by the old turn, walks twice in vain: the turn passes behind it.
    EXPECT_EQ(b.moves[0].at, 4 * kWalk) << at;
  }
}

TEST(SliceTick, InTheLastCycleOfAWalkLeavesItsMove) {
  SearchBench bench(machine(3, 3, PolicyKind::kTimeSlice));
  const std::uint32_t first = bench.kernel(0, 0, 1), second = bench.kernel(1, 0, 9);
  bench.invoke();
  bench.run_to(kWalk);
  bench.tick_slice();
  bench.decide();
  ASSERT_EQ(bench.moves.size(), 4U);
  EXPECT_EQ(bench.moves[0].ksr, first);
  EXPECT_EQ(bench.moves[0].at, kWalk);
  EXPECT_EQ(bench.row(second).held(), 3U);  // two idle SMs, and then that of the first
  EXPECT_EQ(bench.moves[1].at, 2 * kWalk);
}

TEST_F(Slices, APolicyWriteBeginsWithContextZeroAgain) {
  two_kernels();
  bench.tick_slice();
  bench.cycle();
  bench.write_policy(bench.params.scheduler);
  bench.decide();
  EXPECT_THAT(bench.moves, IsEmpty());
}

// Found by lockstep with the Verilog core: only a policy write drops a tick (3.9 rule 6).
TEST_F(Slices, ATickDuringADistributionOutlivesAWriteThatBeginsItAfresh) {
  two_kernels();
  bench.write_policy(bench.params.scheduler);
  bench.cycle();
  bench.tick_slice();
  bench.cycle();
  bench.write_priority(0, 0);
  bench.decide();
  EXPECT_EQ(bench.row(second).reserved, 3U);
}

// ---- what overtakes a walk ----------------------------------------------------------------------------------

TEST(Overtaken, AnEventInsideAWalkMakesAnotherFollow) {
  for (Cycle at = 1; at <= kWalk; ++at) {
    SearchBench bench(machine(3, 3, PolicyKind::kDss));
    bench.invoke();
    bench.run_to(at);
    bench.decide();
    EXPECT_THAT(bench.invoked, ElementsAre(0));
    EXPECT_THAT(bench.decided, ElementsAre(2 * kWalk));
  }
}

TEST(Overtaken, AKernelThatIsCoveredMeanwhileGetsNothing) {
  SearchBench bench(machine(3, 3, PolicyKind::kDss));
  const std::uint32_t k = bench.kernel(0, 0, 1, 5);
  bench.invoke();
  bench.run_to(2);  // it has passed
  Ksrt::Step freed;
  freed.ksr = k;
  freed.covered = 1;
  bench.tables.ksrt.step(freed);
  bench.decide();
  EXPECT_THAT(bench.moves, IsEmpty());
}

TEST(Overtaken, AVictimThatChangedHandsMeanwhileIsLookedForAgain) {
  SearchBench bench(machine(3, 3, PolicyKind::kPpq));
  const std::uint32_t low = bench.kernel(0, 0, 0), other = bench.kernel(0, 0, 0);
  bench.kernel(1, 1, 1);
  for (const std::uint32_t sm : {0U, 1U, 2U}) bench.runs(sm, low);
  bench.invoke();
  bench.run_to(kWalk + 2);  // SM 0 has passed in the second walk
  bench.changes_hands(0, other);
  bench.decide();
  EXPECT_THAT(bench.moved_at(), ElementsAre(4 * kWalk));
  EXPECT_THAT(bench.moved_sms(), ElementsAre(0));
}

// ---- writes of the OS ---------------------------------------------------------------------------------------

// Two kernels need the last idle SM of three; context 1's is the more urgent one and has more tokens.
class Write : public testing::TestWithParam<PolicyKind> {
 protected:
  Write() {
    const std::uint32_t none = bench.kernel(2, 3, 0, 2);
    first = bench.kernel(0, 1, 1, 1);
    second = bench.kernel(1, 2, 1, 2);
    bench.runs(0, none);
    bench.runs(1, none);
    bench.invoke();
  }
  void write() {
    if (GetParam() == PolicyKind::kPpq) {
      bench.write_priority(0, 3);
    } else {
      bench.write_tokens(0, 3);
    }
  }
  SearchBench bench{machine(3, 3, GetParam())};
  std::uint32_t first = 0, second = 0;
};
INSTANTIATE_TEST_SUITE_P(Registers, Write, testing::Values(PolicyKind::kPpq, PolicyKind::kDss));

TEST_P(Write, IsWhatLetsTheFirstGoFirst) {
  bench.decide();
  ASSERT_FALSE(bench.moves.empty());
  EXPECT_EQ(bench.moves[0].ksr, second);
}

TEST_P(Write, InTheCycleThatInvokesIsSeenByTheWalk) {
  write();
  bench.decide();
  ASSERT_FALSE(bench.moves.empty());
  EXPECT_EQ(bench.moves[0].at, kWalk);
  EXPECT_EQ(bench.moves[0].ksr, first);
}

TEST_P(Write, InTheLastCycleDropsTheMove) {
  bench.run_to(kWalk);
  write();
  bench.decide();
  ASSERT_FALSE(bench.moves.empty());
  EXPECT_EQ(bench.moves[0].at, 2 * kWalk);
  EXPECT_EQ(bench.moves[0].ksr, first);
  EXPECT_EQ(bench.invoked.size(), 1U);
}

TEST_P(Write, InTheMiddleMakesAnotherWalkFollow) {
  // The move of the walk under way stands: its row had passed.
  bench.run_to(2);
  write();
  bench.decide();
  ASSERT_FALSE(bench.moves.empty());
  EXPECT_EQ(bench.moves[0].at, kWalk);
  EXPECT_EQ(bench.moves[0].ksr, second);
  EXPECT_GE(bench.decided[0], 2 * kWalk);
}

TEST(LastCycleWrite, OfAnActivationBeginsItAfresh) {
  SearchBench bench(machine(3, 3, PolicyKind::kPpq));
  bench.command(0, 0, 1);
  bench.command(1, 1, 2);
  bench.invoke();
  bench.run_to(kActivation);
  bench.tables.command_buffers.set_priority(0, 3);
  bench.write_priority(0, 3);
  bench.decide();
  ASSERT_EQ(bench.activations.size(), 2U);
  EXPECT_EQ(bench.activations[0].at, 2 * kActivation);
  EXPECT_EQ(bench.activations[0].buffer, 0U);
}

TEST(LastCycleWrite, OfASecondWalkDropsTheVictim) {
  SearchBench bench(machine(3, 3, PolicyKind::kPpq));
  const std::uint32_t low = bench.kernel(0, 0, 0);
  bench.kernel(1, 1, 1);
  for (const std::uint32_t sm : {0U, 1U, 2U}) bench.runs(sm, low);
  bench.invoke();
  bench.run_to(2 * kWalk);
  bench.write_priority(0, 1);  // an equal now
  bench.decide();
  EXPECT_THAT(bench.moves, IsEmpty());
  EXPECT_THAT(bench.decided, ElementsAre(4 * kWalk));
}

// A distribution takes a cycle for each kernel and one more.
class PolicyWrite : public testing::TestWithParam<Cycle> {
 protected:
  PolicyWrite() {
    low = bench.kernel(0, 0, 9, 9);  // ppq is for the other, dss for this one
    high = bench.kernel(1, 1, 9, 0);
    ppq.policy = PolicyKind::kPpq;
    ppq.access = spec::Access::kShared;
  }
  SearchBench bench{machine(3, 2, PolicyKind::kDss)};  // a token each, and one
  spec::SchedulerSpec ppq;
  std::uint32_t low = 0, high = 0;
};
INSTANTIATE_TEST_SUITE_P(Cycles, PolicyWrite, testing::Values(0, 1, 2, kWalk));

TEST_P(PolicyWrite, DropsWhatWasBeingDecidedAndDistributesBeforeTheNextWalk) {
  bench.invoke();
  bench.run_to(GetParam());
  bench.write_policy(ppq);
  bench.decide();
  constexpr Cycle kDistribution = 2 + 1;
  ASSERT_EQ(bench.moves.size(), 3U);
  EXPECT_EQ(bench.moves[0].at, GetParam() + kDistribution + kWalk);
  EXPECT_EQ(bench.moves[0].ksr, high);
  EXPECT_EQ(bench.row(low).tokens, 2U);  // in the order of the queue, as if all had just entered
  EXPECT_EQ(bench.row(high).tokens, 1U);
  EXPECT_THAT(bench.invoked, ElementsAre(0));
}

TEST(PolicyWrites, BeginsTheDistributionAfresh) {
  SearchBench bench(machine(5, 3, PolicyKind::kDss));  // a token each, and two
  for (const std::uint32_t context : {0U, 1U, 2U}) bench.kernel(context, 0, 0, 9);
  bench.write_policy(bench.params.scheduler);
  bench.run_to(3);  // two have theirs
  bench.write_tokens(0, 6);
  bench.decide();
  EXPECT_EQ(bench.row(0).tokens, 6U);
  EXPECT_EQ(bench.row(1).tokens, 2U);
  EXPECT_EQ(bench.row(2).tokens, 2U);
  EXPECT_THAT(bench.decided, ElementsAre(3 + 4 + 5));  // the distribution from cycle 4 on, and a walk
}

TEST(PolicyWrites, AReservedCodeLeavesThePolicyAndDistributesAllTheSame) {
  for (const std::uint32_t code : {5U, 6U, 7U}) {
    SearchBench bench(machine(3, 2, PolicyKind::kDss));  // a token each, and one
    const std::uint32_t first = bench.kernel(0, 0, 1, 0);
    bench.kernel(1, 9, 1, 9);  // urgent, but with fewer tokens from now on
    bench.write_policy(bench.params.scheduler);
    bench.in.policy_data = code;
    bench.decide();
    EXPECT_EQ(bench.row(first).tokens, 2U);
    ASSERT_FALSE(bench.moves.empty());
    EXPECT_EQ(bench.moves[0].ksr, first);
    EXPECT_EQ(bench.moves[0].at, 3 + kWalk);
  }
}

TEST(PolicyWrites, DistributesToProcesses) {
  SearchBench bench(machine(14, 3, PolicyKind::kDss));  // four each, and two
  for (const std::uint32_t context : {1U, 1U, 0U, 2U}) bench.kernel(context, 0, 0, 9);
  spec::SchedulerSpec scheduler = with_tokens_by_process(machine(14)).scheduler;
  scheduler.policy = PolicyKind::kDss;
  bench.write_policy(scheduler);
  bench.decide();
  for (const std::uint32_t ksr : {0U, 1U, 2U}) EXPECT_EQ(bench.row(ksr).tokens, 5U) << ksr;
  EXPECT_EQ(bench.row(3).tokens, 4U);
  // Again, when the first process has left: nobody keeps what the last distribution gave.
  for (const std::uint32_t ksr : {0U, 1U}) {
    bench.tables.active_queue.remove(ksr);
    bench.tables.ksrt.free(ksr);
    bench.run_to(bench.now + 1);
  }
  bench.write_policy(scheduler);
  bench.decide();
  EXPECT_FALSE(bench.tables.context_table.row(1).has_pool_token);
  for (const std::uint32_t ksr : {2U, 3U}) EXPECT_EQ(bench.row(ksr).tokens, 5U) << ksr;
}

// ---- a pipelined search (docs/timing.md 5.8) ----------------------------------------------------------------

constexpr Cycle kPipeline = 3;

TEST_P(Walk, APipelineMakesEachLonger) {
  for (const std::uint32_t step_cycles : {1U, 3U}) {
    const Cycle length = step_cycles * walk() + kPipeline;
    SearchBench idle(pipelined(spec_of(step_cycles)));
    idle.kernel(0, 0, 2, 5);
    idle.decide();
    EXPECT_THAT(idle.moved_at(), ElementsAre(length, 2 * length));
    EXPECT_THAT(idle.decided, ElementsAre(3 * length));
    SearchBench busy(pipelined(spec_of(step_cycles)));
    const std::uint32_t rich = busy.kernel(0, 0, 0, 6);
    busy.kernel(1, 0, 2, 6);
    for (std::uint32_t sm = 0; sm < 13; ++sm) busy.runs(sm, rich);
    busy.decide();
    EXPECT_THAT(busy.moved_at(), ElementsAre(2 * length, 4 * length));
    EXPECT_THAT(busy.decided, ElementsAre(5 * length));
  }
}

// The last of three rows passes in cycle 3.
TEST(Pipelined, IsCheckingInTheCycleBeforeTheOutcome) {
  SearchBench bench(pipelined(machine(3, 3, PolicyKind::kDss)));
  bench.kernel(0, 0, 1, 5);
  bench.invoke();
  std::vector<Cycle> checking;
  while (bench.moves.empty()) {
    if (bench.search.is_checking()) checking.push_back(bench.now);
    bench.cycle();
  }
  EXPECT_THAT(checking, ElementsAre(kWalk + kPipeline - 1));
  EXPECT_THAT(bench.moved_at(), ElementsAre(kWalk + kPipeline));
}

TEST(Pipelined, TheCandidateHasToBeGoodInTheCycleOfTheCheck) {
  constexpr Cycle kCheck = kWalk + kPipeline - 1;
  for (const Cycle covered_in : {kWalk + 1, kCheck, kCheck + 1}) {
    SearchBench bench(pipelined(machine(3, 3, PolicyKind::kDss)));
    const std::uint32_t k = bench.kernel(0, 0, 1, 5);
    bench.invoke();
    bench.run_to(covered_in - 1);
    Ksrt::Step covered;
    covered.ksr = k;
    covered.covered = 1;
    bench.tables.ksrt.step(covered);
    bench.decide();
    EXPECT_EQ(bench.moves.size(), covered_in > kCheck ? 1U : 0U) << covered_in;
  }
}

TEST(Pipelined, TheVictimHasToBeAsSeenInTheCycleOfTheCheck) {
  constexpr Cycle kSecond = kWalk + kPipeline;  // the second walk begins behind it
  constexpr Cycle kCheck = kSecond + kWalk + kPipeline - 1;
  for (const Cycle changed_in : {kCheck, kCheck + 1}) {
    SearchBench bench(pipelined(machine(3, 3, PolicyKind::kPpq)));
    const std::uint32_t low = bench.kernel(0, 0, 0), other = bench.kernel(0, 0, 0);
    bench.kernel(1, 1, 1);
    for (const std::uint32_t sm : {0U, 1U, 2U}) bench.runs(sm, low);
    bench.invoke();
    bench.run_to(changed_in);
    bench.changes_hands(0, other);
    bench.decide();
    ASSERT_FALSE(bench.moves.empty());
    EXPECT_EQ(bench.moves[0].at, changed_in == kCheck ? 4 * kSecond : 2 * kSecond);
  }
}

TEST(Pipelined, AWriteDropsTheMoveInTheLastCycleOnly) {
  for (const Cycle before_last : {0U, 1U, 2U}) {
    SearchBench bench(pipelined(machine(3, 3, PolicyKind::kDss)));
    bench.kernel(0, 0, 1, 1);
    bench.invoke();
    bench.run_to(kWalk + kPipeline - before_last);
    bench.write_tokens(1, 3);
    bench.decide();
    EXPECT_THAT(bench.moved_at(), ElementsAre((before_last == 0 ? 2 : 1) * (kWalk + kPipeline))) << before_last;
  }
}

TEST(Pipelined, AnEventAfterTheLastRowMakesAnotherWalkFollow) {
  for (Cycle at = kWalk + 1; at <= kWalk + kPipeline; ++at) {
    SearchBench bench(pipelined(machine(3, 3, PolicyKind::kDss)));
    bench.invoke();
    bench.run_to(at);
    bench.decide();
    EXPECT_THAT(bench.decided, ElementsAre(2 * (kWalk + kPipeline)));
  }
}

TEST(Pipelined, TheTurnPassesBehindTheWalk) {
  SearchBench bench(pipelined(machine(3, 3, PolicyKind::kTimeSlice)));
  const std::uint32_t first = bench.kernel(0, 0, 9), other = bench.kernel(1, 0, 9);
  for (const std::uint32_t sm : {0U, 1U, 2U}) bench.runs(sm, first);
  bench.invoke();
  bench.run_to(kWalk + 2);  // the rows have passed
  bench.tick_slice();
  bench.decide();
  EXPECT_EQ(bench.row(other).reserved, 3U);
  EXPECT_EQ(bench.moves[0].at, 4 * (kWalk + kPipeline));  // the two walks under way were by the old turn
}

// ---- its activations

class PipelinedActivation : public testing::Test {
 protected:
  // Two commands: the second is the more urgent one, unless the OS raises the first.
  PipelinedActivation() {
    bench.command(0, 0, 1);
    bench.command(1, 1, 2);
    bench.invoke();
  }
  // To be seen from `cycle` on.
  void raise_the_first(Cycle cycle) {
    bench.run_to(cycle - 1);
    bench.tables.command_buffers.set_priority(0, 3);
    bench.run_to(cycle);
  }
  SearchBench bench{pipelined(machine(3, 3, PolicyKind::kPpq))};
};

TEST_F(PipelinedActivation, TakesTheCommandOfTheCycleBeforeTheLast) {
  raise_the_first(kActivation);
  bench.decide();
  ASSERT_EQ(bench.activations.size(), 2U);
  EXPECT_EQ(bench.activations[0].at, kActivation);
  EXPECT_EQ(bench.activations[0].buffer, 1U);
}

TEST_F(PipelinedActivation, SelectsUntilThen) {
  raise_the_first(kActivation - 1);
  bench.decide();
  ASSERT_EQ(bench.activations.size(), 2U);
  EXPECT_EQ(bench.activations[0].buffer, 0U);
}

TEST_F(PipelinedActivation, SelectsAnewWhenItsLastCycleIsRepeated) {
  raise_the_first(kActivation);
  bench.in.kernel_finished = true;
  bench.decide();
  ASSERT_EQ(bench.activations.size(), 2U);
  EXPECT_EQ(bench.activations[0].at, kActivation + 1);
  EXPECT_EQ(bench.activations[0].buffer, 0U);
}

TEST(PipelinedActivations, NothingHappensIfNoneMightBeActivatedInTheCycleBefore) {
  SearchBench bench(pipelined(machine(3, 3, PolicyKind::kFcfs)));
  bench.command(0, 1);
  bench.invoke();
  bench.run_to(kActivation - 1);
  const std::uint32_t other = bench.kernel(0, 0, 0);  // of another context: in the queue for this cycle
  bench.tables.active_queue.remove(other);
  bench.tables.ksrt.free(other);
  bench.decide();
  ASSERT_EQ(bench.activations.size(), 1U);
  EXPECT_EQ(bench.activations[0].at, 2 * kActivation);
}

TEST(PipelinedActivations, TakeTwoCyclesAtLeast) {
  for (const std::uint32_t cycles : {0U, 1U, 2U}) {
    spec::Spec spec = machine(3, 3, PolicyKind::kDss);
    spec.gpu.framework.kernel_activation_cycles = cycles;
    SearchBench plain(spec);
    SearchBench bench(pipelined(spec));
    for (SearchBench* each : {&plain, &bench}) {
      each->command(0, 1);
      each->decide();
    }
    EXPECT_EQ(plain.activations[0].at, std::max(1U, cycles));
    EXPECT_EQ(bench.activations[0].at, 2U);
    EXPECT_THAT(bench.decided, ElementsAre(2 + 2 * (kWalk + kPipeline)));
  }
}

// A run that skips the cycles of a mere walk ends where one that does not skip ends.
TEST(Pipelined, TheCyclesOfAMereWalkEndBeforeItsLast) {
  SearchBench bench(pipelined(machine(3, 3, PolicyKind::kDss)));
  bench.kernel(0, 0, 1, 5);
  bench.invoke();
  bench.run_to(2);
  EXPECT_EQ(bench.search.cycles_of_mere_walk(), kWalk + kPipeline - 2);
  bench.search.walk_on(kWalk + kPipeline - 2);
  bench.now += kWalk + kPipeline - 2;
  EXPECT_EQ(bench.search.cycles_of_mere_walk(), 0U);
  bench.decide();
  EXPECT_THAT(bench.moved_at(), ElementsAre(kWalk + kPipeline));
}

}  // namespace
}  // namespace tessera::rtl_model::test
