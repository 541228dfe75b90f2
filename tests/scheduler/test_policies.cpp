// SPDX-License-Identifier: Apache-2.0
// The table of policies (docs/hardware/timing.md 5.4): whom each gives SMs to, and whom it takes them from.
#include <gtest/gtest.h>

#include "rtl_model/policy/trackers.h"
#include "tests/scheduler/core_bench.h"

namespace tessera::rtl_model::test {
namespace {

class Walked {
 public:
  explicit Walked(std::uint32_t policy) : trackers(params()) {
    trackers.select(PolicyRegister::of(policy));
    trackers.start_walk();
  }
  // Its tokens left are 4 less than the key.
  Walked& kernel(std::uint32_t ksr, std::uint32_t key, bool is_uncovered, bool holds = true) {
    return of_context(ksr, key, key, is_uncovered, holds);
  }
  Walked& of_context(std::uint32_t ksr, std::uint32_t context, std::uint32_t key, bool is_uncovered,
                     bool holds = true) {
    KernelView view;
    view.ksr = ksr;
    view.context = context;
    view.priority = key;
    view.urgency = {key != 0, key};
    view.distance = trackers.distance(key);
    view.tokens_left = static_cast<std::int32_t>(key) - 4;
    view.is_uncovered = is_uncovered;
    view.holds = holds;
    trackers.show(view);
    return *this;
  }
  // Who would get an SM; with an asterisk: an idle one too; with a plus: one of somebody else's.
  std::string candidate() const {
    const Candidate candidate = trackers.candidate();
    if (!candidate.kernel.exists()) return "none";
    return std::to_string(candidate.kernel.ksr) + (candidate.takes_idle ? "*" : "") + (candidate.takes_away ? "+" : "");
  }
  // Who would lose an SM to the candidate.
  std::uint32_t victim() const {
    const Candidate candidate = trackers.candidate();
    return candidate.takes_away && trackers.is_victim(candidate.kernel) ? trackers.v().ksr : kNone;
  }
  std::uint32_t limit() const { return trackers.limit(); }
  static CoreParams params() {
    CoreParams params;
    params.num_contexts = 10;
    return params;
  }

  Trackers trackers;
};

TEST(Policy, FcfsServesTheFirstThatNeedsAnSm) {
  EXPECT_EQ(Walked(kFcfs).kernel(0, 1, false).kernel(1, 1, true).kernel(2, 9, true).candidate(), "1*");
  EXPECT_EQ(Walked(kFcfs).kernel(0, 1, false).candidate(), "none");
}

TEST(Policy, PpqServesTheHighestAndInExclusiveModeNobodyElse) {
  const auto walk = [](std::uint32_t mode) {
    return Walked(kPpq | mode).kernel(0, 3, true).kernel(1, 5, false).kernel(2, 3, true);
  };
  EXPECT_EQ(walk(0).candidate(), "none");
  EXPECT_EQ(walk(kAll).candidate(), "1+");  // takes no idle SM
  EXPECT_EQ(walk(kShared).candidate(), "0*+");
  EXPECT_EQ(walk(kShared | kAll).candidate(), "0*+");
  EXPECT_EQ(Walked(kPpq | kShared | kAll).kernel(1, 5, false).candidate(), "none");  // a scope of exclusive access
  EXPECT_EQ(Walked(kPpq).kernel(0, 5, false).kernel(1, 5, true).candidate(), "1*+");
}

TEST(Policy, PpqTakesFromTheFirstOfTheLowestThatHolds) {
  EXPECT_EQ(Walked(kPpq).kernel(0, 2, false).kernel(1, 1, false).kernel(2, 1, false).kernel(3, 2, true).victim(), 1U);
  EXPECT_EQ(Walked(kPpq).kernel(0, 1, false, false).kernel(1, 1, false).kernel(2, 2, true).victim(), 1U);
  EXPECT_EQ(Walked(kPpq).kernel(0, 2, false).kernel(1, 2, true).victim(), kNone);              // nobody below
  EXPECT_EQ(Walked(kPpq).kernel(0, 1, false, false).kernel(1, 2, true).victim(), kNone);       // who holds nothing
  EXPECT_EQ(Walked(kPpq | kAll).kernel(0, 1, false).kernel(1, 2, false, false).victim(), 0U);  // for B
  EXPECT_EQ(Walked(kPpq | kShared).kernel(0, 5, false).kernel(1, 3, true).kernel(2, 2, false).victim(), 2U);
}

TEST(Policy, EdfTakesFromTheLeastUrgent) {
  const auto walk = [] {
    return Walked(kEdf | kShared).kernel(1, 7, false).kernel(2, 0xFFFFFFF0, true).kernel(3, 9, false);
  };
  EXPECT_EQ(walk().candidate(), "2*+");
  EXPECT_EQ(walk().victim(), 3U);
  EXPECT_EQ(walk().kernel(0, 0, false).victim(), 0U);                                 // not due at all
  EXPECT_EQ(Walked(kEdf).kernel(0, 0, false).kernel(1, 0, true).candidate(), "1*+");  // two that are not due are equal
  EXPECT_EQ(Walked(kEdf).kernel(0, 0, false).kernel(1, 0, true).victim(), kNone);
  EXPECT_EQ(Walked(kEdf).kernel(0, 8, true).kernel(1, 7, false).candidate(), "none");
}

TEST(Policy, NpEdfServesTheFirstThatNeedsAnSmAndTakesNoneAway) {
  const auto walk = [] { return Walked(kNpEdf).kernel(0, 9, false).kernel(1, 0, true).kernel(2, 3, true); };
  EXPECT_EQ(walk().candidate(), "1*");  // though another is due
  EXPECT_EQ(walk().victim(), kNone);
}

TEST(Policy, DssTakesWhileTheGapIsTwoOrMore) {
  EXPECT_EQ(Walked(kDss).kernel(0, 3, false).kernel(1, 5, true).candidate(), "1*+");
  EXPECT_EQ(Walked(kDss).kernel(0, 4, false).kernel(1, 5, true).candidate(), "1*");
  EXPECT_EQ(Walked(kDss).kernel(0, 0, false, false).kernel(1, 5, true, false).candidate(), "1*");  // nobody holds any
  Walked walk = Walked(kDss).kernel(0, 2, false).kernel(1, 1, false).kernel(2, 1, false).kernel(3, 9, true);
  EXPECT_EQ(walk.victim(), 1U);  // the first of the poorest
  EXPECT_EQ(Walked(kDss).kernel(0, 4, false).kernel(1, 5, true).victim(), kNone);
}

// Debt of dss: always, without the bits.
constexpr std::uint32_t kDebtGap = 1 << 10, kDebtLone = 2 << 10, kDebtNever = 3 << 10;

// Where a kernel goes into debt no further than by one SM: what is left to A, or that one.
TEST(Policy, DssLimitsAnAssignByTheTokensThatAreLeft) {
  const auto never = [] { return Walked(kDss | kDebtNever); };
  EXPECT_EQ(never().kernel(0, 9, true).limit(), 5U);
  EXPECT_EQ(never().kernel(0, 4, true).limit(), 1U);
  EXPECT_EQ(never().kernel(0, 9, true).kernel(1, 8, false).limit(), 5U);  // who needs none is no runner-up
  EXPECT_EQ(never().kernel(0, 9, true).kernel(1, 3, true).limit(), 5U);   // the tokens end before the lead
  EXPECT_EQ(Walked(kDss | kDebtGap).kernel(0, 3, true).kernel(1, 0, true).limit(), 1U);
  EXPECT_EQ(Walked(kPpq | kDebtNever).kernel(0, 9, true).limit(), kNone);
  EXPECT_EQ(Walked(kSliced | kDebtNever).kernel(0, 9, true).kernel(1, 8, true).limit(), kNone);
}

// Each SM more would be as much in debt as the first: always, or as long as A is alone.
TEST(Policy, DssLimitsNoAssignWhoseDebtGoesOn) {
  for (const std::uint32_t debt : {0U, kDebtGap, kDebtLone}) {
    EXPECT_EQ(Walked(kDss | debt).kernel(0, 9, true).limit(), kNone);
    EXPECT_EQ(Walked(kDss | debt).kernel(0, 1, true).limit(), kNone);
    const bool is_always = debt == 0;
    EXPECT_EQ(Walked(kDss | debt).kernel(0, 9, true).kernel(1, 8, false).limit(), is_always ? kNone : 5U);
    EXPECT_EQ(Walked(kDss | debt).kernel(0, 9, true).kernel(1, 3, true).limit(), is_always ? 7U : 5U);
  }
  EXPECT_EQ(Walked(kDss).kernel(0, 3, true).kernel(1, 0, true).limit(), 4U);
}

// As long as the policy would choose A again: of equals the first in the queue.
TEST(Policy, DssLimitsAnAssignByTheRunnerUp) {
  EXPECT_EQ(Walked(kDss).kernel(0, 9, true).kernel(1, 7, true).limit(), 3U);
  EXPECT_EQ(Walked(kDss).kernel(1, 7, true).kernel(0, 9, true).limit(), 2U);
  EXPECT_EQ(Walked(kDss).kernel(0, 9, true).kernel(1, 9, true).limit(), 1U);
  // The first of two runners-up that are equal, before A and behind it.
  EXPECT_EQ(Walked(kDss).kernel(1, 7, true).kernel(0, 9, true).kernel(2, 7, true).limit(), 2U);
  EXPECT_EQ(Walked(kDss).kernel(1, 6, true).kernel(0, 9, true).kernel(2, 7, true).limit(), 3U);
  EXPECT_EQ(Walked(kDss).kernel(1, 7, true).kernel(2, 8, true).kernel(0, 9, true).limit(), 1U);
}

// With token scope process kernels of A's context draw on the same tokens: none of them is a runner-up.
TEST(Policy, DssKnowsNoRunnerUpOfTheSameContext) {
  const std::uint32_t by_process = kDss | kByProcess;
  EXPECT_EQ(Walked(by_process).of_context(0, 2, 9, true).of_context(1, 2, 9, true).limit(), kNone);
  EXPECT_EQ(Walked(kDss).of_context(0, 2, 9, true).of_context(1, 2, 9, true).limit(), 1U);
  EXPECT_EQ(Walked(by_process).of_context(0, 2, 9, true).of_context(1, 2, 9, true).of_context(2, 1, 8, true).limit(),
            2U);
  // Both before A, which has taken the place of another.
  EXPECT_EQ(Walked(by_process).of_context(0, 1, 7, true).of_context(1, 2, 8, true).of_context(2, 3, 9, true).limit(),
            1U);
  EXPECT_EQ(Walked(by_process).of_context(0, 1, 7, true).of_context(1, 3, 8, true).of_context(2, 3, 9, true).limit(),
            2U);
}

TEST(Policy, TimeSliceServesTheContextInTurn) {
  const auto walk = [](std::uint32_t mode, std::uint32_t turn) {
    Walked walked(kSliced | mode);
    while (walked.trackers.turn() != turn) walked.trackers.pass_turn();
    return walked.kernel(0, 1, true).kernel(1, 4, false).kernel(2, 8, true).kernel(3, 8, false);
  };
  EXPECT_EQ(walk(0, 1).candidate(), "0*+");
  EXPECT_EQ(walk(0, 2).candidate(), "none");  // context 4 needs none
  EXPECT_EQ(walk(kShared, 2).candidate(), "2*");
  EXPECT_EQ(walk(0, 5).candidate(), "2*+");
  EXPECT_EQ(walk(0, 9).candidate(), "0*+");  // round
  EXPECT_EQ(walk(0, 5).victim(), 1U);        // whose turn comes last
  EXPECT_EQ(walk(0, 1).victim(), 2U);
  EXPECT_EQ(Walked(kSliced).kernel(0, 1, true).kernel(1, 1, false).victim(), kNone);
}

// With exclusive access and scope all the highest priority empties the engine, though it needs no SM more.
TEST(Ppq, EmptiesTheEngineOfLowerPriorities) {
  CoreBench bench(machine(2, kPpq | kAll));
  bench.launch(0, 0, 1, 1, 1);
  bench.settle();
  bench.launch(0, 1, 5, 1, 1);
  bench.settle();
  ASSERT_EQ(bench.traps().size(), 1U);
  bench.handle(0, 0);
  bench.tick();
  bench.take(0, SmEventKind::kPreempted);
  bench.settle();
  EXPECT_EQ(bench.sm(0).state, SmState::kIdle);
  EXPECT_EQ(bench.sm(1).ksr, 1U);
}

TEST(TimeSlice, ATickPassesTheTurnUnlessAnSmChangesHands) {
  CoreParams params = machine(1, kSliced);
  params.num_ksrs = 2;
  CoreBench bench(params);
  bench.launch(0, 0, 0, 9, 4);
  bench.settle();
  bench.launch(0, 2, 0, 9, 4);
  bench.settle();
  ASSERT_TRUE(bench.out().slice_timer_enable);
  // The turn is with 0. It passes to 1, who has no kernel, and with the walk to 2, who takes the SM.
  const Cycle c = bench.now();
  bench.in.slice_tick = true;
  bench.tick();
  EXPECT_EQ(bench.core.search().trackers().turn(), 1U);
  bench.run(50);
  EXPECT_EQ(bench.core.search().trackers().turn(), 2U);
  EXPECT_EQ(bench.moves(MoveKind::kReserve, c).size(), 1U);
  bench.in.slice_tick = true;  // the SM is reserved
  bench.run(50);
  EXPECT_EQ(bench.core.search().trackers().turn(), 2U);
}

// The command of another context waits until the engine is empty, and holds up what came after it.
TEST(Fcfs, ServesAContextAtATime) {
  CoreParams params = machine(2, kFcfs);
  CoreBench bench(params);
  bench.launch(0, 0, 0, 1, 1);
  bench.settle();
  bench.launch(1, 1, 0, 1, 1);
  bench.tick();
  bench.launch(0, 0, 0, 1, 1);
  bench.run(100);
  EXPECT_EQ(bench.activations().size(), 1U);
  bench.take(0, SmEventKind::kTbDone);
  bench.run(100);
  ASSERT_EQ(bench.activations().size(), 2U);
  EXPECT_EQ(bench.activations()[1].second, 1U);
}

// The command that is due first is another context's: it waits, and holds up the one of the context that runs.
TEST(NpEdf, ServesAContextAtATimeTheEarliestDueFirst) {
  CoreParams params = machine(2, kNpEdf);
  CoreBench bench(params);
  const auto launch_due = [&bench](std::uint32_t buffer, std::uint32_t due) {
    bench.launch(buffer, buffer, 0, 1, 1);
    bench.in.command.has_due = true;
    bench.in.command.due = due;
    bench.tick();
  };
  launch_due(0, 5);
  bench.settle();
  launch_due(1, 0xFFFFFFF0);  // before the wrap
  launch_due(0, 0x10);
  bench.run(100);
  EXPECT_EQ(bench.activations().size(), 1U);
  EXPECT_EQ(bench.sm(1).state, SmState::kIdle);
  for (const std::uint32_t buffer : {1U, 0U}) {
    const Cycle ended = bench.take(0, SmEventKind::kTbDone);
    bench.settle();
    ASSERT_EQ(bench.activations(ended).size(), 1U);
    EXPECT_EQ(bench.activations(ended)[0].second, buffer);
  }
  EXPECT_TRUE(bench.traps().empty());
}

// One token of the pool: the first context has it, until the OS writes its budget.
TEST(Pool, ABudgetOfAContextReturnsItsToken) {
  CoreParams params = machine(1, kDss | kByProcess);
  CoreBench bench(params);
  bench.launch(0, 0, 0, 1, 1);
  bench.settle();
  EXPECT_EQ(bench.core.tables().tokens.pool(), 0U);
  bench.write(ControlRegister::kTokens, 0, 3);
  bench.tick();
  EXPECT_EQ(bench.core.tables().tokens.pool(), 1U);
  bench.settle();
  EXPECT_EQ(bench.tokens_left(0), 2);
}

}  // namespace
}  // namespace tessera::rtl_model::test
