// SPDX-License-Identifier: Apache-2.0
// The rules of a kept turn (docs/hardware/timing.md 3.12) one by one, without time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "model/policy/kept_turn.h"

namespace tessera::policy {
namespace {

using spec::SliceEnd;
using spec::SwitchScope;
using testing::ElementsAre;

// Four contexts; three of them have names.
enum Context : std::uint16_t { kA = 0, kB = 1, kC = 2, kFourContexts = 4 };

spec::SchedulerSpec rules(SwitchScope scope = SwitchScope::kGpu) {
  spec::SchedulerSpec rules;
  rules.policy = spec::PolicyKind::kTimeSlice;
  rules.turn = spec::Turn::kKept;
  rules.switch_scope = scope;
  return rules;
}

// What the rules look at, and a look per `look()`.
class TurnBench {
 public:
  explicit TurnBench(const spec::SchedulerSpec& rules = test_rules()) : turn(rules, kFourContexts) {
    for (std::uint32_t context = 0; context < kFourContexts; ++context) view.listed.set(context);
  }
  static spec::SchedulerSpec test_rules() { return rules(); }

  TurnEvents look() {
    const TurnEvents events = turn.look(view);
    turn.commit();
    return events;
  }
  void tick() {
    turn.tick();
    turn.commit();
  }
  // The owner has an active kernel on an SM, and nothing behind it.
  void runs(Context context, bool is_running = true) {
    view.active.set(context, is_running);
    view.is_any_sm_used = view.active.any();
  }
  // Looks until the turn has an owner; every switch is over at once, and SMs are empty as soon as they shall be.
  void settle() {
    for (int i = 0; i < 20; ++i) {
      if (turn.evicts()) turn.evicted();
      const bool used = view.is_any_sm_used;
      if (turn.state() == TurnState::kLeaving) view.is_any_sm_used = false;
      turn.look(view);
      view.is_any_sm_used = used;
      turn.commit();
      turn.switch_over();
      turn.commit();
    }
  }
  // Context A has come first, with a kernel that runs.
  static TurnBench with_owner(const spec::SchedulerSpec& rules = test_rules()) {
    TurnBench bench(rules);
    bench.runs(kA);
    bench.settle();
    EXPECT_EQ(bench.turn.state(), TurnState::kOwned);
    EXPECT_EQ(bench.turn.owner(), ContextId(kA));
    return bench;
  }

  KeptTurn turn;
  TurnView view;
};

// ---- from nobody -----------------------------------------------------------------------------------------------

TEST(KeptTurn, NobodyHasTheTurnUntilAContextIsPresent) {
  TurnBench bench;
  bench.look();
  EXPECT_EQ(bench.turn.state(), TurnState::kNobody);
  bench.view.queued.set(kC);
  bench.look();
  EXPECT_EQ(bench.turn.state(), TurnState::kLeaving);
  bench.look();
  EXPECT_EQ(bench.turn.state(), TurnState::kSwitching);
  EXPECT_EQ(bench.turn.owner(), ContextId(kC));
  const TurnEvents events = bench.look();
  EXPECT_FALSE(events.switch_starts) << "there is nothing to switch from";
  EXPECT_TRUE(events.began);
  EXPECT_EQ(bench.turn.state(), TurnState::kOwned);
}

TEST(KeptTurn, WithSmsThatChangeHandsOneByOneNobodyLeaves) {
  TurnBench bench(rules(SwitchScope::kSm));
  bench.view.queued.set(kC);
  bench.look();
  EXPECT_EQ(bench.turn.state(), TurnState::kSwitching);
  EXPECT_TRUE(bench.look().began);
}

TEST(KeptTurn, APolicyThatIsWrittenAnewFindsSmsOfOthersAndEvictsThemAsTheTechniqueSays) {
  TurnBench bench = TurnBench::with_owner();
  bench.turn.set_slice_end(ContextId(kA), SliceEnd::kDrain);
  bench.turn.restart(rules());
  bench.turn.commit();
  EXPECT_EQ(bench.turn.state(), TurnState::kNobody);
  bench.look();
  EXPECT_EQ(bench.turn.state(), TurnState::kLeaving);
  EXPECT_TRUE(bench.turn.evicts());
  EXPECT_EQ(bench.turn.eviction(), SliceEnd::kTechnique);
}

// ---- 2., 3. The owner runs dry -----------------------------------------------------------------------------------

TEST(KeptTurn, ADryOwnerPassesTheTurnAtOnceIfOthersWait) {
  TurnBench bench = TurnBench::with_owner();
  bench.view.queued.set(kB);
  EXPECT_FALSE(bench.look().passed) << "it runs";
  bench.runs(kA, false);
  const TurnEvents events = bench.look();
  EXPECT_EQ(events.passed, PassCause::kDry);
  EXPECT_FALSE(bench.turn.runs());
  EXPECT_FALSE(bench.turn.evicts()) << "there is nothing to take away";
  bench.settle();
  EXPECT_EQ(bench.turn.owner(), ContextId(kB));
}

TEST(KeptTurn, AnOwnerWithALaunchOnItsWayIsNotDry) {
  TurnBench bench = TurnBench::with_owner();
  bench.view.queued.set(kA);
  bench.view.queued.set(kB);
  bench.runs(kA, false);
  EXPECT_FALSE(bench.look().passed);
  bench.view.queued.clear(kA);
  EXPECT_EQ(bench.look().passed, PassCause::kDry);
}

TEST(KeptTurn, ADryOwnerKeepsTheTurnWhileNobodyWaitsAndItsTicksDoNothing) {
  TurnBench bench = TurnBench::with_owner();
  bench.runs(kA, false);
  bench.tick();
  EXPECT_FALSE(bench.look().passed);
  EXPECT_FALSE(bench.turn.is_tick_waiting());
  EXPECT_EQ(bench.turn.state(), TurnState::kOwned);
  bench.view.queued.set(kB);
  EXPECT_EQ(bench.look().passed, PassCause::kDry);
}

TEST(KeptTurn, DryWinsOverATickOfTheSameInstant) {
  TurnBench bench = TurnBench::with_owner();
  bench.view.queued.set(kB);
  bench.tick();
  bench.runs(kA, false);
  EXPECT_EQ(bench.look().passed, PassCause::kDry);
}

// ---- 4. The slice is over ----------------------------------------------------------------------------------------

TEST(KeptTurn, AtTheEndOfASliceTheTurnPassesIfOthersWait) {
  TurnBench bench = TurnBench::with_owner();
  bench.view.queued.set(kA);
  bench.view.queued.set(kB);
  EXPECT_FALSE(bench.look().passed);
  bench.tick();
  EXPECT_EQ(bench.look().passed, PassCause::kSliceOver);
  EXPECT_TRUE(bench.turn.runs());
  EXPECT_TRUE(bench.turn.evicts());
}

TEST(KeptTurn, ATickWaitsForSmsThatChangeHands) {
  TurnBench bench = TurnBench::with_owner();
  bench.view.queued.set(kB);
  bench.view.is_any_sm_changing_hands = true;
  bench.tick();
  EXPECT_FALSE(bench.look().passed);
  EXPECT_TRUE(bench.turn.is_tick_waiting());
  bench.view.is_any_sm_changing_hands = false;
  EXPECT_EQ(bench.look().passed, PassCause::kSliceOver);
}

TEST(KeptTurn, ASliceIsRenewedIfCommandsWaitBehindWhatRunsAndItsTimerGoesOn) {
  TurnBench bench = TurnBench::with_owner();
  bench.view.queued.set(kA);
  bench.tick();
  bench.look();
  EXPECT_FALSE(bench.turn.is_tick_waiting());
  EXPECT_TRUE(bench.turn.wants_slice_timer(bench.view));
  bench.view.queued.set(kB);
  EXPECT_FALSE(bench.look().passed) << "who comes now waits for the next tick";
}

TEST(KeptTurn, ASliceStaysOverIfNothingIsBehindWhatRunsAndWhoComesTakesTheTurn) {
  TurnBench bench = TurnBench::with_owner();
  bench.tick();
  bench.look();
  EXPECT_TRUE(bench.turn.is_tick_waiting());
  EXPECT_FALSE(bench.turn.wants_slice_timer(bench.view));
  EXPECT_FALSE(bench.look().passed);
  bench.view.queued.set(kB);
  EXPECT_EQ(bench.look().passed, PassCause::kSliceOver);
}

TEST(KeptTurn, ACommandForAnOwnerWhoseSliceIsOverStartsAnotherOne) {
  TurnBench bench = TurnBench::with_owner();
  bench.tick();
  bench.look();
  bench.view.queued.set(kA);
  bench.look();
  EXPECT_FALSE(bench.turn.is_tick_waiting());
  EXPECT_TRUE(bench.turn.wants_slice_timer(bench.view));
}

TEST(KeptTurn, WorkForAnIdleOwnerStartsASlice) {
  TurnBench bench = TurnBench::with_owner();
  bench.runs(kA, false);
  bench.look();
  EXPECT_FALSE(bench.turn.wants_slice_timer(bench.view));
  bench.view.queued.set(kA);
  EXPECT_TRUE(bench.turn.wants_slice_timer(bench.view));
}

// ---- 5. Who is next ----------------------------------------------------------------------------------------------

// Who has the turn after A, whose last kernel started before `first` came and, later, `second`.
ContextId next_of(TurnBench bench, Context first, Context second) {
  bench.view.queued.set(first);
  bench.look();
  bench.view.queued.set(second);
  bench.look();
  bench.runs(kA, false);
  bench.settle();
  return bench.turn.owner();
}

TEST(KeptTurn, TheFirstToComeBehindTheOwnersLastKernelIsNext) {
  EXPECT_EQ(next_of(TurnBench::with_owner(), kB, kC), ContextId(kB));
  EXPECT_EQ(next_of(TurnBench::with_owner(), kC, kB), ContextId(kC)) << "not B, whom the ring has before C";
}

TEST(KeptTurn, WithCommandsQueuedTheRingDecidesAtTheTick) {
  TurnBench bench = TurnBench::with_owner();
  bench.view.queued.set(kA);
  bench.view.queued.set(kC);
  bench.look();
  bench.view.queued.set(kB);
  bench.look();
  bench.tick();
  EXPECT_EQ(bench.look().passed, PassCause::kSliceOver);
  bench.settle();
  EXPECT_EQ(bench.turn.owner(), ContextId(kB));
}

TEST(KeptTurn, ALaunchBehindTheLastKernelLeavesItOpenAgainWhoIsNext) {
  TurnBench bench = TurnBench::with_owner();
  bench.view.queued.set(kC);
  bench.look();
  bench.view.queued.set(kA);
  bench.look();
  bench.view.queued.set(kB);
  bench.look();
  bench.view.queued.clear(kA);
  bench.look();
  bench.runs(kA, false);
  bench.settle();
  EXPECT_EQ(bench.turn.owner(), ContextId(kB));
}

TEST(KeptTurn, OneThatIsNoLongerPresentIsNotNext) {
  TurnBench bench = TurnBench::with_owner();
  bench.view.queued.set(kC);
  bench.look();
  bench.view.queued.set(kB);
  bench.view.listed.clear(kC);
  bench.look();
  bench.runs(kA, false);
  bench.settle();
  EXPECT_EQ(bench.turn.owner(), ContextId(kB));
}

TEST(KeptTurn, TheRingIsClosed) {
  TurnBench bench = TurnBench::with_owner();
  bench.view.queued.set(kB);
  bench.runs(kA, false);
  bench.settle();
  ASSERT_EQ(bench.turn.owner(), ContextId(kB));
  bench.view.queued.set(kA);
  bench.view.queued.clear(kB);
  bench.settle();
  EXPECT_EQ(bench.turn.owner(), ContextId(kA));
}

// ---- 6. to 9. The SMs are emptied ----------------------------------------------------------------------------------

TEST(KeptTurn, WithSmsThatChangeHandsOneByOneTheTurnIsOnItsWayAtOnce) {
  TurnBench bench = TurnBench::with_owner(rules(SwitchScope::kSm));
  bench.view.queued.set(kB);
  bench.tick();
  EXPECT_EQ(bench.look().passed, PassCause::kSliceOver);
  EXPECT_EQ(bench.turn.state(), TurnState::kSwitching);
  EXPECT_EQ(bench.turn.owner(), ContextId(kB));
  EXPECT_FALSE(bench.turn.evicts());
}

TEST(KeptTurn, TheSwitchStartsWhenAllSmsAreIdle) {
  TurnBench bench = TurnBench::with_owner();
  bench.view.queued.set(kB);
  bench.tick();
  bench.look();
  ASSERT_EQ(bench.turn.state(), TurnState::kLeaving);
  EXPECT_FALSE(bench.turn.seen(bench.view.listed).gives_sms);
  bench.look();
  EXPECT_EQ(bench.turn.state(), TurnState::kLeaving) << "the eviction is still to come";
  bench.turn.evicted();
  bench.turn.commit();
  bench.look();
  EXPECT_EQ(bench.turn.state(), TurnState::kLeaving) << "an SM is not idle";
  bench.view.is_any_sm_used = false;
  bench.look();
  EXPECT_EQ(bench.turn.state(), TurnState::kSwitching);
  EXPECT_EQ(bench.turn.owner(), ContextId(kB));
}

TEST(KeptTurn, WithWaitTheOwnersKernelsGetSmsUntilTheyAreOverAndItsCommandsStayOutside) {
  TurnBench bench = TurnBench::with_owner();
  bench.turn.set_slice_end(ContextId(kA), SliceEnd::kWait);
  bench.view.queued.set(kA);
  bench.view.queued.set(kB);
  bench.tick();
  bench.look();
  EXPECT_FALSE(bench.turn.evicts());
  EXPECT_TRUE(bench.turn.seen(bench.view.listed).gives_sms);
  EXPECT_FALSE(bench.turn.seen(bench.view.listed).activates_owner);
  bench.view.is_any_sm_used = false;
  bench.look();
  EXPECT_EQ(bench.turn.state(), TurnState::kLeaving) << "its kernel is still active";
  bench.runs(kA, false);
  bench.look();
  EXPECT_EQ(bench.turn.state(), TurnState::kSwitching);
}

TEST(KeptTurn, TheEvictionIsTheOneOfTheOwner) {
  for (const SliceEnd slice_end : {SliceEnd::kTechnique, SliceEnd::kDrain, SliceEnd::kContextSwitch}) {
    TurnBench bench = TurnBench::with_owner();
    bench.turn.set_slice_end(ContextId(kA), slice_end);
    bench.view.queued.set(kB);
    bench.tick();
    bench.look();
    EXPECT_TRUE(bench.turn.evicts());
    EXPECT_EQ(bench.turn.eviction(), slice_end);
  }
}

TEST(KeptTurn, ActiveKernelsWithoutAnSmAreEvictedTooSinceOneMayBeOnItsWayToThem) {
  TurnBench bench = TurnBench::with_owner();
  bench.view.is_any_sm_used = false;
  bench.view.queued.set(kB);
  bench.tick();
  bench.look();
  EXPECT_TRUE(bench.turn.evicts());
  EXPECT_FALSE(bench.turn.runs());
}

// ---- 10. The switch ------------------------------------------------------------------------------------------------

TEST(KeptTurn, ASwitchIsOverWhenItsCostIsPaidAndNotInTheCycleInWhichItStarts) {
  TurnBench bench = TurnBench::with_owner();
  bench.view.queued.set(kB);
  bench.runs(kA, false);
  bench.look();
  bench.look();
  ASSERT_EQ(bench.turn.state(), TurnState::kSwitching);
  EXPECT_TRUE(bench.turn.look(bench.view).switch_starts);
  EXPECT_FALSE(bench.turn.switch_over().began);
  bench.turn.commit();
  EXPECT_FALSE(bench.look().switch_starts);
  EXPECT_EQ(bench.turn.state(), TurnState::kSwitching);
  EXPECT_TRUE(bench.turn.switch_over().began);
  bench.turn.commit();
  EXPECT_EQ(bench.turn.state(), TurnState::kOwned);
}

// ---- the run list --------------------------------------------------------------------------------------------------

TEST(KeptTurn, AnOwnerTakenOffTheRunListLosesTheTurnToWhoWaits) {
  TurnBench bench = TurnBench::with_owner();
  bench.view.queued.set(kB);
  bench.look();
  bench.view.listed.clear(kA);
  EXPECT_FALSE(bench.turn.seen(bench.view.listed).gives_sms);
  EXPECT_EQ(bench.look().passed, PassCause::kUnlisted);
  EXPECT_TRUE(bench.turn.runs());
  bench.settle();
  EXPECT_EQ(bench.turn.owner(), ContextId(kB));
}

TEST(KeptTurn, OneTakenOffTheRunListWhileNobodyWaitsLeavesTheTurnToNobodyAndComesBackWithoutASwitch) {
  TurnBench bench = TurnBench::with_owner();
  bench.view.listed.clear(kA);
  EXPECT_EQ(bench.look().passed, PassCause::kUnlisted);
  EXPECT_TRUE(bench.turn.evicts());
  bench.view.is_any_sm_used = false;
  bench.turn.evicted();
  bench.turn.commit();
  bench.look();
  EXPECT_EQ(bench.turn.state(), TurnState::kNobody);
  bench.view.listed.set(kA);
  bench.look();
  bench.look();
  EXPECT_FALSE(bench.look().switch_starts);
  EXPECT_EQ(bench.turn.state(), TurnState::kOwned);
}

TEST(KeptTurn, WhoComesAfterOneThatWasTakenOffPaysADrySwitch) {
  TurnBench bench = TurnBench::with_owner();
  bench.view.listed.clear(kA);
  bench.look();
  bench.turn.evicted();
  bench.turn.commit();
  bench.view.is_any_sm_used = false;
  bench.look();
  ASSERT_EQ(bench.turn.state(), TurnState::kNobody);
  bench.view.queued.set(kB);
  bench.look();
  bench.look();
  EXPECT_TRUE(bench.look().switch_starts);
  EXPECT_FALSE(bench.turn.runs());
}

TEST(KeptTurn, AContextThatIsNotListedDoesNotWaitForATurn) {
  TurnBench bench = TurnBench::with_owner();
  bench.view.queued.set(kB);
  bench.view.listed.clear(kB);
  bench.runs(kA, false);
  EXPECT_FALSE(bench.look().passed);
  bench.view.listed.set(kB);
  EXPECT_EQ(bench.look().passed, PassCause::kDry);
}

// ---- ablations -----------------------------------------------------------------------------------------------------

TEST(KeptTurnAblations, KeptWhenDryTheTurnPassesAtTheTick) {
  spec::SchedulerSpec kept = rules();
  kept.dry_owner = spec::DryOwner::kKeeps;
  TurnBench bench = TurnBench::with_owner(kept);
  bench.view.queued.set(kB);
  bench.runs(kA, false);
  EXPECT_FALSE(bench.look().passed);
  EXPECT_TRUE(bench.turn.wants_slice_timer(bench.view));
  bench.tick();
  EXPECT_EQ(bench.look().passed, PassCause::kSliceOver);
}

TEST(KeptTurnAblations, NeverRenewedASliceStaysOverWithCommandsBehindWhatRuns) {
  spec::SchedulerSpec never = rules();
  never.slice_renewal = spec::SliceRenewal::kNever;
  TurnBench bench = TurnBench::with_owner(never);
  bench.view.queued.set(kA);
  bench.tick();
  bench.look();
  bench.view.queued.set(kB);
  EXPECT_EQ(bench.look().passed, PassCause::kSliceOver);
}

TEST(KeptTurnAblations, AlwaysRenewedWhoComesWaitsForATick) {
  spec::SchedulerSpec always = rules();
  always.slice_renewal = spec::SliceRenewal::kAlways;
  TurnBench bench = TurnBench::with_owner(always);
  bench.tick();
  bench.look();
  bench.view.queued.set(kB);
  EXPECT_FALSE(bench.look().passed);
  EXPECT_TRUE(bench.turn.wants_slice_timer(bench.view));
}

TEST(KeptTurnAblations, ChosenAtTheEndTheRingDecidesAlone) {
  spec::SchedulerSpec at_end = rules();
  at_end.next_turn = spec::NextTurn::kAtEnd;
  EXPECT_EQ(next_of(TurnBench::with_owner(at_end), kC, kB), ContextId(kB));
}

}  // namespace
}  // namespace tessera::policy
