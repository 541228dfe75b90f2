// SPDX-License-Identifier: Apache-2.0
// The scheduler from its pins, cycle by cycle, after the pictures and rules of docs/timing.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rtl_model/scheduler_bench.h"

namespace tessera::rtl_model::test {
namespace {

using spec::PolicyKind;
using spec::TechniqueKind;
using testing::ElementsAre;
using testing::IsEmpty;
using At = SchedulerBench::At;
using Out = SchedulerOutputs;

bool is_invoked(const Out& out) { return out.events.policy_invoked; }
bool is_decided(const Out& out) { return out.events.policy_decided; }
bool is_activated(const Out& out) { return out.events.activated; }
bool is_moved(const Out& out) { return out.events.moved; }
bool is_preempted(const Out& out) { return out.events.preempted; }
bool is_released(const Out& out) { return out.events.released; }
bool is_kernel_done(const Out& out) { return out.kernel_done.valid; }
bool holds_events_back(const Out& out) { return !out.sm_event_ready; }
bool has_taken_buffer_0(const Out& out) { return !out.buffer_free.has(0); }

// ---- reset and commands -------------------------------------------------------------------------------------

TEST(Reset, AllIsFreeAndNothingHappens) {
  SchedulerBench bench(machine(3));
  bench.run(50);
  for (const Out& out : bench.trace) {
    for (const std::uint32_t buffer : {0U, 1U, 2U, 3U}) EXPECT_TRUE(out.buffer_free.has(buffer));
    EXPECT_TRUE(out.idle);
    EXPECT_TRUE(out.sm_event_ready);
    EXPECT_FALSE(out.sm_control.valid || out.dispatch.valid || out.kernel_done.valid || out.slice_timer_enable);
  }
}

// docs/timing.md 5.7, the first picture.
TEST(Command, AKernelThatNeedsTwoOfThreeIdleSms) {
  SchedulerBench bench(machine(3, 3, PolicyKind::kDss));
  bench.launch(0, 1, 0, 2, 1);
  bench.run(20);
  EXPECT_THAT(bench.when(is_invoked), ElementsAre(1));
  EXPECT_THAT(bench.when(has_taken_buffer_0), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(bench.when(is_activated), ElementsAre(5));
  EXPECT_THAT(bench.when(holds_events_back), ElementsAre(7, 10));
  EXPECT_THAT(bench.when(is_moved), ElementsAre(8, 11));
  EXPECT_THAT(bench.set_ups(), ElementsAre(At{9, 0}, At{12, 1}));
  EXPECT_THAT(bench.when(is_decided), ElementsAre(14));
  EXPECT_TRUE(bench.trace[15].idle);
  EXPECT_EQ(bench.trace[9].sm_control.context, 1U);
  EXPECT_EQ(bench.trace[9].sm_control.descriptor, SchedulerBench::descriptor_of(0));
}

TEST(Command, ABufferMayBeWrittenInTheCycleInWhichItIsFreeAgain) {
  SchedulerBench bench(machine(3, 3, PolicyKind::kDss));
  bench.launch(0, 1, 0, 1, 1);
  bench.run(5);
  ASSERT_TRUE(bench.out().buffer_free.has(0));
  bench.launch(0, 2, 0, 1, 1);
  bench.run(1);
  EXPECT_FALSE(bench.out().buffer_free.has(0));
  bench.settle();
  EXPECT_EQ(bench.kernel(1).context, 2U);
}

TEST(Command, KeepsThePriorityOnItsPins) {
  SchedulerBench bench(machine(3, 3, PolicyKind::kPpq));
  bench.launch(0, 1, 2, 1, 1);
  bench.write(ControlRegister::kPriority, 1, 9);
  bench.settle();
  EXPECT_EQ(bench.kernel(0).priority, 2U);
}

// There is nothing in it that a decision depends on: the move of its cycle stands.
TEST(Command, ASetUpCarriesThePageTableWrittenTheCycleBeforeItIsSent) {
  SchedulerBench bench(machine(3, 3, PolicyKind::kDss));
  bench.launch(0, 1, 0, 1, 1);
  bench.run(7);
  bench.write(ControlRegister::kPageTable, 1, 0xABCD);
  bench.run(1);
  bench.write(ControlRegister::kPageTable, 1, 0x1234);  // in 8, in which it is sent
  bench.run(3);
  EXPECT_THAT(bench.set_ups(), ElementsAre(At{9, 0}));
  EXPECT_EQ(bench.trace[9].sm_control.page_table, 0xABCDU);
}

// ---- thread blocks ------------------------------------------------------------------------------------------

TEST(Issue, BeginsInTheCycleAfterTheSetUpAndIsOneTbACycle) {
  SchedulerBench bench(machine(1));
  bench.launch(0, 0, 0, 6, 4);
  bench.run(10);
  ASSERT_EQ(bench.set_ups().size(), 1U);
  const Cycle s = bench.take(0, SmEventKind::kSetupDone);
  bench.run(10);
  EXPECT_THAT(bench.dispatched_tbs(), ElementsAre(At{s + 1, 0}, At{s + 2, 1}, At{s + 3, 2}, At{s + 4, 3}));
  const Cycle t = bench.take(0, SmEventKind::kTbDone);
  bench.run(5);
  EXPECT_THAT(bench.dispatched_tbs(t), ElementsAre(At{t + 1, 4}));
  EXPECT_FALSE(bench.out().dispatch.last || bench.out().dispatch.is_restore);
}

TEST(Issue, CompletionsOfAllSmsFollowEachOtherAndSoDoTheNextTbs) {
  SchedulerBench bench(machine(4));
  bench.launch(0, 0, 0, 12, 1);
  bench.settle();
  const Cycle t = bench.now();
  for (std::uint32_t i = 0; i < 8; ++i) EXPECT_EQ(bench.take(i % 4, SmEventKind::kTbDone), t + i);
  bench.run(2);
  std::vector<At> sms, tbs;
  for (std::uint32_t i = 0; i < 8; ++i) {
    sms.emplace_back(t + 1 + i, i % 4);
    tbs.emplace_back(t + 1 + i, 4 + i);
  }
  EXPECT_EQ(bench.dispatched_sms(t), sms);
  EXPECT_EQ(bench.dispatched_tbs(t), tbs);
}

TEST(Issue, AnEventWaitsWhileAMoveIsCarriedOut) {
  SchedulerBench bench(machine(3, 3, PolicyKind::kDss));
  bench.launch(0, 1, 0, 2, 1);
  bench.run(10);  // the second move: 5.7, as above
  EXPECT_EQ(bench.take(0, SmEventKind::kSetupDone), 11U);
  bench.run(3);
  EXPECT_THAT(bench.dispatched_sms(), ElementsAre(At{12, 0}));
}

TEST(Issue, DepthFirstFillsAnSmBeforeTheNextAndBreadthFirstGoesRound) {
  for (const bool is_breadth_first : {false, true}) {
    spec::Spec spec = machine(2);
    spec.scheduler.fill = is_breadth_first ? spec::Fill::kBreadthFirst : spec::Fill::kDepthFirst;
    SchedulerBench bench(spec);
    bench.launch(0, 0, 0, 4, 2);
    bench.run(20);
    ASSERT_EQ(bench.set_ups().size(), 2U);
    const Cycle s = bench.take(0, SmEventKind::kSetupDone);
    bench.take(1, SmEventKind::kSetupDone);  // in s + 1
    bench.run(8);
    if (is_breadth_first) {
      EXPECT_THAT(bench.dispatched_sms(), ElementsAre(At{s + 1, 0}, At{s + 2, 1}, At{s + 3, 0}, At{s + 4, 1}));
    } else {
      EXPECT_THAT(bench.dispatched_sms(), ElementsAre(At{s + 1, 0}, At{s + 2, 0}, At{s + 3, 1}, At{s + 4, 1}));
    }
  }
}

// A core of four cycles in an SM cycle. The set-up is done in the last of them.
TEST(FastCore, GivesAnSmATbInEverySmCycleBreadthFirstAndInEveryCoreCycleDepthFirst) {
  for (const bool is_breadth_first : {false, true}) {
    spec::Spec spec = machine(1);
    spec.scheduler.tbs_per_cycle = 4;
    spec.scheduler.fill = is_breadth_first ? spec::Fill::kBreadthFirst : spec::Fill::kDepthFirst;
    SchedulerBench bench(spec);
    bench.launch(0, 0, 0, 4, 4);
    bench.run(51);
    const Cycle s = bench.take(0, SmEventKind::kSetupDone);
    ASSERT_EQ(s % 4, 3U);
    bench.run(20);
    const Cycle gap = is_breadth_first ? 4 : 1;
    EXPECT_THAT(bench.dispatched_tbs(),
                ElementsAre(At{s + 1, 0}, At{s + 1 + gap, 1}, At{s + 1 + 2 * gap, 2}, At{s + 1 + 3 * gap, 3}));
  }
}

TEST(FastCore, SlotsFreedEarlierAreFilledBeforeEventsAreTaken) {
  spec::Spec spec = machine(4);
  spec.scheduler.tbs_per_cycle = 4;
  spec.scheduler.fill = spec::Fill::kBreadthFirst;
  SchedulerBench bench(spec);
  bench.launch(0, 0, 0, 40, 1);
  bench.settle();
  while (bench.now() % 4 != 2) bench.tick();
  bench.take(0, SmEventKind::kTbDone);
  const Cycle t = bench.take(1, SmEventKind::kTbDone);  // the last cycle of the SM cycle
  EXPECT_EQ(t % 4, 3U);
  EXPECT_EQ(bench.take(2, SmEventKind::kTbDone), t + 3);  // after the two TBs
  EXPECT_THAT(bench.dispatched_sms(t), ElementsAre(At{t + 1, 0}, At{t + 2, 1}));
}

// ---- the end of a kernel ------------------------------------------------------------------------------------

TEST(KernelDone, IsShownOnceInTheCycleAfterTheLastTb) {
  SchedulerBench bench(machine(2));
  bench.launch(3, 0, 0, 3, 1);
  bench.settle();
  bench.take(0, SmEventKind::kTbDone);
  bench.run(1);  // TB 2 goes out
  bench.take(1, SmEventKind::kTbDone);
  const Cycle t = bench.take(0, SmEventKind::kTbDone);
  EXPECT_TRUE(bench.out().kernel_done.valid);
  EXPECT_EQ(bench.out().kernel_done.descriptor, SchedulerBench::descriptor_of(3));
  EXPECT_FALSE(bench.kernel(0).valid);
  EXPECT_EQ(bench.core.tables().active_queue.size(), 0U);
  for (const std::uint32_t sm : {0U, 1U}) EXPECT_EQ(bench.sm(sm).state, SmState::kIdle);
  bench.run(50);
  EXPECT_THAT(bench.when(is_kernel_done), ElementsAre(t + 1));
}

TEST(Release, AnSmWithoutWorkLeavesInTheCycleOfItsLastTb) {
  SchedulerBench bench(machine(2));
  bench.launch(0, 0, 0, 3, 1);
  bench.settle();
  bench.take(0, SmEventKind::kTbDone);
  bench.run(1);  // the last TB goes to SM 0
  const Cycle t = bench.take(1, SmEventKind::kTbDone);
  bench.run(10);
  EXPECT_THAT(bench.when(is_released), ElementsAre(t + 1));
  EXPECT_EQ(bench.trace[t + 1].events.released_sm, 1U);
  EXPECT_EQ(bench.trace[t + 1].events.policy_invoked, true);
}

TEST(Release, AnSmWhoseWorkGoesToAnotherInThatCycleLeavesByItself) {
  SchedulerBench bench(machine(2));
  bench.launch(0, 0, 0, 3, 1);
  bench.settle();
  const Cycle t = bench.take(0, SmEventKind::kTbDone) + 1;
  EXPECT_EQ(bench.take(1, SmEventKind::kTbDone), t);  // in the cycle in which SM 0 gets the last TB
  EXPECT_FALSE(bench.out().sm_event_ready);
  bench.run(10);
  EXPECT_THAT(bench.when(is_released), ElementsAre(t + 2));
}

// ---- preemption: a low kernel on every SM, and then an urgent one -------------------------------------------

class Preemption : public testing::Test {
 protected:
  static spec::Spec spec_of(std::uint32_t num_sms, TechniqueKind technique) {
    spec::Spec spec = machine(num_sms, 2, PolicyKind::kPpq);
    spec.scheduler.technique = technique;
    return spec;
  }
  // KSR 0, of context 0: it fills every SM. KSR 1, of context 1, needs `num_sms` of them; returns the cycle in which
  // its command is on the pins.
  static Cycle urgent_kernel_arrives(SchedulerBench& bench, std::uint32_t num_tbs, std::uint32_t tbs_per_sm,
                                     std::uint32_t num_sms = 1) {
    bench.launch(0, 0, 0, num_tbs, tbs_per_sm);
    bench.settle();
    bench.launch(1, 1, 1, num_sms, 1);
    const Cycle arrival = bench.now();
    bench.run(1);
    while (!bench.out().idle) bench.tick();
    return arrival;
  }
  // A single SM runs `tbs` of the low kernel; it is saved, with `saved` TBs, and set up for the urgent one.
  static void save(SchedulerBench& bench, std::uint32_t saved) {
    for (std::uint32_t tb = 0; tb < saved; ++tb) {
      bench.handle(0, tb);
      bench.tick();
    }
    bench.take(0, SmEventKind::kPreempted);
  }
};

// docs/timing.md 5.7: the second picture, behind an activation.
TEST_F(Preemption, TheTrapOfAVictimIsSentInTheCycleAfterTheDecision) {
  SchedulerBench bench(spec_of(3, TechniqueKind::kContextSwitch));
  const Cycle t = urgent_kernel_arrives(bench, 3, 1);  // the low kernel needs no SM when it has lost one
  EXPECT_THAT(bench.when(is_invoked, t), ElementsAre(t + 1));
  EXPECT_THAT(bench.when(is_activated, t), ElementsAre(t + kActivation + 1));
  const Cycle moved = t + kActivation + 3 + 3 + 1;  // two walks of three cycles
  EXPECT_THAT(bench.when(is_moved, t), ElementsAre(moved));
  EXPECT_EQ(bench.trace[moved].events.move, MoveKind::kReserve);
  EXPECT_EQ(bench.trace[moved].events.moved_ksr, 1U);
  EXPECT_THAT(bench.traps(), ElementsAre(At{moved + 1, 0}));  // sent in `moved`
  EXPECT_THAT(bench.when(is_decided, t), ElementsAre(moved + 3));
}

TEST_F(Preemption, TheSetUpOfASavedSmIsSentInTheNextCycle) {
  SchedulerBench bench(spec_of(3, TechniqueKind::kContextSwitch));
  const Cycle t = urgent_kernel_arrives(bench, 100, 1);
  bench.run(50);
  bench.handle(0, 0);
  bench.tick();
  EXPECT_EQ(bench.kernel(0).preempted, 0U);  // it does not count yet
  const Cycle end = bench.take(0, SmEventKind::kPreempted);
  EXPECT_EQ(bench.kernel(0).preempted, 1U);
  EXPECT_EQ(bench.kernel(0).promised, 0U);
  EXPECT_EQ(bench.out().events.next_ksr, 1U);
  EXPECT_TRUE(bench.out().events.policy_invoked);
  bench.run(3);
  EXPECT_THAT(bench.when(is_preempted), ElementsAre(end + 1));
  EXPECT_THAT(bench.set_ups(t), ElementsAre(At{end + 2, 0}));
  EXPECT_EQ(bench.trace[end + 2].sm_control.context, 1U);
  EXPECT_EQ(bench.trace[end + 2].sm_control.descriptor, SchedulerBench::descriptor_of(1));
}

TEST_F(Preemption, NoTbFollowsATrap) {
  SchedulerBench bench(spec_of(1, TechniqueKind::kContextSwitch));
  const Cycle t = urgent_kernel_arrives(bench, 100, 2);
  bench.take(0, SmEventKind::kTbDone);
  bench.run(20);
  EXPECT_THAT(bench.dispatched_sms(t), IsEmpty());
  EXPECT_EQ(bench.kernel(0).promised, 1U);
}

// The reserve is processed two walks of a cycle behind the activation: its trap is sent in the next cycle.
TEST_F(Preemption, ATbSentInTheCycleOfTheReserveIsSavedWithTheOthers) {
  SchedulerBench bench(spec_of(1, TechniqueKind::kContextSwitch));
  bench.launch(0, 0, 0, 9, 2);
  bench.settle();
  const Cycle t = bench.now();
  const Cycle reserve = t + kActivation + 2;
  bench.launch(1, 1, 1, 1, 1);
  bench.run(kActivation + 1);
  EXPECT_EQ(bench.take(0, SmEventKind::kTbDone), reserve - 1);
  bench.run(4);
  EXPECT_THAT(bench.dispatched_sms(t), ElementsAre(At{reserve, 0}));
  EXPECT_THAT(bench.traps(t), ElementsAre(At{reserve + 2, 0}));
  EXPECT_EQ(bench.kernel(0).covered, 0U);
  EXPECT_EQ(bench.kernel(0).promised, 2U);
}

TEST_F(Preemption, ATbThatEndsInTheCycleInWhichTheTrapIsSentNeedsNoPlace) {
  SchedulerBench bench(spec_of(1, TechniqueKind::kContextSwitch));
  bench.launch(0, 0, 0, 9, 2);
  bench.settle();
  const Cycle t = bench.now();
  bench.launch(1, 1, 1, 1, 1);
  bench.run(kActivation + 3);
  const Cycle sent = bench.take(0, SmEventKind::kTbDone);
  EXPECT_THAT(bench.traps(t), ElementsAre(At{sent + 1, 0}));
  EXPECT_EQ(bench.kernel(0).promised, 1U);
  EXPECT_EQ(bench.sm(0).running, 1U);
}

// It is handed over in that cycle; the trap is on its way all the same.
TEST_F(Preemption, AnSmThatIsEmptyInTheCycleInWhichItsTrapIsSentIsHandedOver) {
  SchedulerBench bench(spec_of(1, TechniqueKind::kContextSwitch));
  bench.launch(0, 0, 0, 9, 1);
  bench.settle();
  const Cycle t = bench.now();
  bench.launch(1, 1, 1, 1, 1);
  bench.run(kActivation + 3);
  const Cycle sent = bench.take(0, SmEventKind::kTbDone);
  bench.run(5);
  EXPECT_THAT(bench.when(is_preempted, t), ElementsAre(sent + 1));
  EXPECT_THAT(bench.traps(t), ElementsAre(At{sent + 1, 0}));
  EXPECT_THAT(bench.set_ups(t), ElementsAre(At{sent + 2, 0}));
  EXPECT_EQ(bench.kernel(0).promised, 0U);
}

TEST_F(Preemption, ATrappedSmWhoseTbsAllFinishIsHandedOverOnceAndAtOnce) {
  SchedulerBench bench(spec_of(1, TechniqueKind::kContextSwitch));
  const Cycle t = urgent_kernel_arrives(bench, 9, 2);
  bench.take(0, SmEventKind::kTbDone);
  const Cycle end = bench.take(0, SmEventKind::kTbDone);
  bench.take(0, SmEventKind::kPreempted);  // the SM says so too
  bench.run(10);
  EXPECT_THAT(bench.set_ups(t), ElementsAre(At{end + 2, 0}));
  EXPECT_THAT(bench.when(is_preempted, t), ElementsAre(end + 1));
  EXPECT_EQ(bench.kernel(0).promised, 0U);
  EXPECT_EQ(bench.kernel(1).owned, 1U);
}

TEST_F(Preemption, AnSmInSetUpGivesWayAtItsEndWithoutATrap) {
  SchedulerBench bench(spec_of(1, TechniqueKind::kContextSwitch));
  bench.launch(0, 0, 0, 9, 1);
  bench.run(20);
  bench.launch(1, 1, 1, 1, 1);
  bench.run(20);
  EXPECT_EQ(bench.sm(0).state, SmState::kReserved);
  const Cycle s = bench.take(0, SmEventKind::kSetupDone);
  bench.run(5);
  EXPECT_THAT(bench.traps(), IsEmpty());
  EXPECT_THAT(bench.dispatched_sms(), IsEmpty());
  EXPECT_THAT(bench.set_ups(s), ElementsAre(At{s + 2, 0}));
  EXPECT_EQ(bench.trace[s + 2].sm_control.context, 1U);
}

TEST_F(Preemption, ADrainedSmIsHandedOverWithItsLastTb) {
  SchedulerBench bench(spec_of(1, TechniqueKind::kDrain));
  const Cycle t = urgent_kernel_arrives(bench, 9, 2);
  bench.take(0, SmEventKind::kTbDone);
  bench.run(10);
  EXPECT_THAT(bench.dispatched_sms(t), IsEmpty());
  const Cycle end = bench.take(0, SmEventKind::kTbDone);
  bench.run(5);
  EXPECT_THAT(bench.traps(), IsEmpty());
  EXPECT_THAT(bench.set_ups(t), ElementsAre(At{end + 2, 0}));
  EXPECT_THAT(bench.when(is_preempted), ElementsAre(end + 1));
}

TEST_F(Preemption, AKernelThatEndsByBeingDrainedHandsItsSmOver) {
  SchedulerBench bench(spec_of(1, TechniqueKind::kDrain));
  const Cycle t = urgent_kernel_arrives(bench, 2, 2);
  // Its TBs are all out: nothing of it can be preempted, but the SM is reserved all the same.
  bench.take(0, SmEventKind::kTbDone);
  const Cycle end = bench.take(0, SmEventKind::kTbDone);
  bench.run(5);
  EXPECT_THAT(bench.when(is_kernel_done), ElementsAre(end + 1));
  EXPECT_THAT(bench.set_ups(t), ElementsAre(At{end + 2, 0}));
  EXPECT_EQ(bench.trace[end + 2].sm_control.context, 1U);
}

TEST_F(Preemption, RetargetingADrainingSmToItsOwnerCancelsTheDrain) {
  SchedulerBench bench(spec_of(1, TechniqueKind::kDrain));
  urgent_kernel_arrives(bench, 9, 2);
  const Cycle write = bench.now();
  bench.write(ControlRegister::kPriority, 0, 5);
  bench.run(4);  // two walks of a cycle each
  EXPECT_THAT(bench.when(is_moved, write), ElementsAre(write + 3));
  EXPECT_EQ(bench.trace[write + 3].events.move, MoveKind::kRetarget);
  EXPECT_TRUE(bench.trace[write + 3].events.cancelled);
  EXPECT_EQ(bench.sm(0).state, SmState::kRunning);
  EXPECT_EQ(bench.kernel(0).owned, 1U);
  EXPECT_EQ(bench.kernel(1).reserved, 0U);
  const Cycle t = bench.take(0, SmEventKind::kTbDone);
  bench.run(5);
  EXPECT_THAT(bench.dispatched_tbs(t), ElementsAre(At{t + 1, 2}));
}

TEST_F(Preemption, ATrapIsNotCancelled) {
  SchedulerBench bench(spec_of(1, TechniqueKind::kContextSwitch));
  urgent_kernel_arrives(bench, 9, 1);
  const Cycle write = bench.now();
  bench.write(ControlRegister::kPriority, 0, 5);
  bench.run(10);
  EXPECT_THAT(bench.when(is_moved, write), ElementsAre(write + 3));
  EXPECT_FALSE(bench.trace[write + 3].events.cancelled);
  save(bench, 1);
  bench.run(1);
  EXPECT_TRUE(bench.out().sm_control.valid);
  EXPECT_EQ(bench.out().sm_control.descriptor, SchedulerBench::descriptor_of(0));  // its owner again
}

TEST_F(Preemption, APolicyWriteChangesTheTechniqueOfLaterOnesOnly) {
  SchedulerBench bench(spec_of(1, TechniqueKind::kContextSwitch));
  spec::SchedulerSpec drain = bench.params.scheduler;
  drain.technique = TechniqueKind::kDrain;
  bench.write(ControlRegister::kPolicy, 0, policy_register(drain));
  bench.run(1);
  urgent_kernel_arrives(bench, 9, 1);
  EXPECT_EQ(bench.sm(0).state, SmState::kReserved);
  bench.write(ControlRegister::kPolicy, 0, policy_register(bench.params.scheduler));
  bench.run(20);
  EXPECT_THAT(bench.traps(), IsEmpty());
}

// ---- restore ------------------------------------------------------------------------------------------------

class Restore : public Preemption {
 protected:
  // Two of the low kernel's TBs wait in the PTBQ, two were never issued. Its SM, with four slots, is set up for it:
  // the event is not taken yet.
  Restore() {
    urgent_kernel_arrives(bench, 6, 4);
    bench.take(0, SmEventKind::kTbDone);
    bench.take(0, SmEventKind::kTbDone);
    save(bench, 2);
    bench.run(5);
    bench.take(0, SmEventKind::kSetupDone);
    bench.run(5);
    bench.take(0, SmEventKind::kTbDone);  // the urgent kernel ends
    bench.run(20);
  }
  SchedulerBench bench{spec_of(1, TechniqueKind::kContextSwitch)};
};

// docs/timing.md 3.6, the picture.
TEST_F(Restore, HandlesComeACycleAfterTheyAreReadAndFreshTbsAfterTheContexts) {
  const Cycle s = bench.take(0, SmEventKind::kSetupDone);
  bench.run(20);
  EXPECT_THAT(bench.dispatched_tbs(s), ElementsAre(At{s + 2, 0}, At{s + 3, 1}));
  for (const Cycle t : {s + 2, s + 3}) {
    EXPECT_TRUE(bench.trace[t].dispatch.is_restore);
    EXPECT_EQ(bench.trace[t].dispatch.last, t == s + 3);
    EXPECT_EQ(bench.trace[t].dispatch.stack_pointer, 700 + bench.trace[t].dispatch.tb);
  }
  const Cycle r = bench.take(0, SmEventKind::kRestoreDone);
  bench.run(10);
  EXPECT_THAT(bench.dispatched_tbs(r), ElementsAre(At{r + 1, 4}, At{r + 2, 5}));
  EXPECT_FALSE(bench.trace[r + 1].dispatch.is_restore);
}

TEST_F(Restore, ATrapWaitsForIt) {
  const Cycle s = bench.take(0, SmEventKind::kSetupDone);
  bench.launch(1, 1, 1, 1, 1);  // urgent again
  bench.run(30);
  EXPECT_EQ(bench.sm(0).state, SmState::kReserved);
  EXPECT_THAT(bench.dispatched_tbs(s), ElementsAre(At{s + 2, 0}, At{s + 3, 1}));
  EXPECT_THAT(bench.traps(s), IsEmpty());
  const Cycle r = bench.take(0, SmEventKind::kRestoreDone);
  bench.run(5);
  EXPECT_THAT(bench.traps(s), ElementsAre(At{r + 2, 0}));
}

TEST_F(Preemption, ABatchEndsWithTheSmsLastSlot) {
  SchedulerBench bench(spec_of(2, TechniqueKind::kContextSwitch));
  urgent_kernel_arrives(bench, 8, 4, 2);  // eight TBs on two SMs; both are saved
  for (const std::uint32_t sm : {0U, 1U}) {
    for (std::uint32_t i = 0; i < 4; ++i) {
      bench.handle(sm, 4 * sm + i);
      bench.tick();
    }
    bench.take(sm, SmEventKind::kPreempted);
  }
  for (const SmEventKind kind : {SmEventKind::kSetupDone, SmEventKind::kTbDone}) {
    bench.run(20);
    for (const std::uint32_t sm : {0U, 1U}) bench.take(sm, kind);  // the urgent kernel ends
  }
  bench.run(30);
  const Cycle s = bench.take(0, SmEventKind::kSetupDone);
  bench.take(1, SmEventKind::kSetupDone);
  bench.run(20);
  std::vector<At> sms, tbs;
  for (std::uint32_t i = 0; i < 8; ++i) {
    sms.emplace_back(s + 2 + i, i / 4);
    tbs.emplace_back(s + 2 + i, i);
  }
  EXPECT_EQ(bench.dispatched_sms(s), sms);
  EXPECT_EQ(bench.dispatched_tbs(s), tbs);  // in the order in which they came
  EXPECT_THAT(bench.when([](const Out& out) { return out.dispatch.valid && out.dispatch.last; }),
              ElementsAre(s + 5, s + 9));
}

// One handle of each SM's waits when both are set up again: SM 0 gets them, and SM 1 the first of the fresh TBs.
TEST_F(Preemption, AFreshTbWaitsForTheHandleOnThePins) {
  SchedulerBench bench(spec_of(2, TechniqueKind::kContextSwitch));
  urgent_kernel_arrives(bench, 12, 4, 2);
  for (const std::uint32_t sm : {0U, 1U}) {
    for (std::uint32_t i = 0; i < 3; ++i) bench.take(sm, SmEventKind::kTbDone);
    bench.handle(sm, sm);
    bench.tick();
    bench.take(sm, SmEventKind::kPreempted);
  }
  for (const SmEventKind kind : {SmEventKind::kSetupDone, SmEventKind::kTbDone}) {
    bench.run(20);
    for (const std::uint32_t sm : {0U, 1U}) bench.take(sm, kind);
  }
  bench.run(30);
  const Cycle s = bench.take(0, SmEventKind::kSetupDone);
  bench.take(1, SmEventKind::kSetupDone);
  bench.run(3);
  EXPECT_THAT(bench.dispatched_tbs(s), ElementsAre(At{s + 2, 0}, At{s + 3, 1}, At{s + 4, 8}, At{s + 5, 9}));
  EXPECT_THAT(bench.dispatched_sms(s), ElementsAre(At{s + 2, 0}, At{s + 3, 0}, At{s + 4, 1}, At{s + 5, 1}));
}

// ---- stale set-ups ------------------------------------------------------------------------------------------

// SM 1 is in set-up for a kernel that SM 0 finishes alone.
class StaleSetUp : public testing::Test {
 protected:
  StaleSetUp() {
    bench.launch(0, 0, 0, 2, 1);
    bench.run(20);
    EXPECT_EQ(bench.set_ups().size(), 2U);
    for (const SmEventKind kind : {SmEventKind::kSetupDone, SmEventKind::kTbDone, SmEventKind::kTbDone}) {
      bench.take(0, kind);
      bench.run(2);
    }
    bench.run(20);
  }
  SchedulerBench bench{machine(2)};
};

TEST_F(StaleSetUp, OfAKernelThatIsDoneIsIgnored) {
  EXPECT_EQ(bench.when(is_kernel_done).size(), 1U);
  EXPECT_EQ(bench.sm(1).state, SmState::kIdle);
  const Cycle s = bench.take(1, SmEventKind::kSetupDone);
  bench.run(50);
  EXPECT_THAT(bench.dispatched_sms(s), IsEmpty());
  EXPECT_THAT(bench.when([](const Out& out) { return !out.idle; }, s), IsEmpty());
}

TEST_F(StaleSetUp, IsNotTakenForThatOfTheNextKernel) {
  bench.launch(0, 1, 0, 4, 1);
  const Cycle launch = bench.now();
  while (!(bench.out().sm_control.valid && bench.out().sm_control.sm == 1)) bench.tick();
  const Cycle s = bench.take(1, SmEventKind::kSetupDone);  // the new one is still on the pins
  EXPECT_THAT(bench.set_ups(launch), ElementsAre(At{s - 2, 0}, At{s, 1}));
  bench.run(20);
  EXPECT_THAT(bench.dispatched_sms(launch), IsEmpty());
  const Cycle done = bench.take(1, SmEventKind::kSetupDone);
  bench.run(5);
  EXPECT_THAT(bench.dispatched_sms(launch), ElementsAre(At{done + 1, 1}));
}

TEST_F(StaleSetUp, NorInTheCycleInWhichThatIsSent) {
  bench.launch(0, 1, 0, 4, 1);
  const Cycle launch = bench.now();
  while (bench.set_ups(launch).empty()) bench.tick();
  bench.run(1);  // that of SM 1 follows that of SM 0 by two cycles: it is sent now
  const Cycle s = bench.take(1, SmEventKind::kSetupDone);
  bench.run(20);
  EXPECT_THAT(bench.set_ups(launch), ElementsAre(At{s - 1, 0}, At{s + 1, 1}));
  EXPECT_THAT(bench.dispatched_sms(launch), IsEmpty());
  const Cycle done = bench.take(1, SmEventKind::kSetupDone);
  bench.run(5);
  EXPECT_THAT(bench.dispatched_sms(launch), ElementsAre(At{done + 1, 1}));
}

// ---- room in the PTBQ ---------------------------------------------------------------------------------------

TEST_F(Preemption, ATrapWaitsUntilTheRingHasRoomForAllTbs) {
  Params params(spec_of(2, TechniqueKind::kContextSwitch));
  params.ptbq_depth = 3;
  SchedulerBench bench(params);
  const Cycle t = urgent_kernel_arrives(bench, 40, 2, 2);  // two SMs of two TBs
  bench.run(50);
  ASSERT_EQ(bench.traps().size(), 1U);
  EXPECT_EQ(bench.traps()[0].second, 0U);
  EXPECT_EQ(bench.sm(1).state, SmState::kReserved);
  EXPECT_TRUE(bench.out().idle);
  const Cycle done = bench.take(1, SmEventKind::kTbDone);  // 2 + 1 TBs now
  bench.run(10);
  EXPECT_THAT(bench.traps(done), ElementsAre(At{done + 2, 1}));  // sent as soon as they are two
  EXPECT_THAT(bench.dispatched_sms(t), IsEmpty());
  EXPECT_FALSE(bench.trace[done + 1].idle);  // it is sent
  EXPECT_FALSE(bench.trace[done + 2].idle);  // it is on the pins
  EXPECT_TRUE(bench.trace[done + 3].idle);
}

// The last TB of the trapped SM makes room for the trap of the other, and is handed over: both want the port.
TEST_F(Preemption, ATrapGoesBeforeASetUp) {
  Params params(spec_of(2, TechniqueKind::kContextSwitch));
  params.ptbq_depth = 2;
  SchedulerBench bench(params);
  const Cycle t = urgent_kernel_arrives(bench, 40, 2, 2);  // two SMs of two TBs
  bench.run(50);
  bench.take(0, SmEventKind::kTbDone);
  const Cycle done = bench.take(0, SmEventKind::kTbDone);
  bench.run(10);
  EXPECT_THAT(bench.traps(done), ElementsAre(At{done + 2, 1}));
  EXPECT_THAT(bench.set_ups(t), ElementsAre(At{done + 3, 0}));
}

TEST_F(Preemption, RoomComesBackAsHandlesAreRead) {
  Params params(spec_of(2, TechniqueKind::kContextSwitch));
  params.ptbq_depth = 2;
  SchedulerBench bench(params);
  urgent_kernel_arrives(bench, 40, 2, 2);
  save(bench, 2);  // SM 0: the ring is full, and SM 1 keeps its two TBs
  for (const SmEventKind kind : {SmEventKind::kSetupDone, SmEventKind::kTbDone, SmEventKind::kTbDone}) {
    bench.run(20);
    bench.take(0, kind);  // SM 0 runs the urgent kernel alone
  }
  bench.run(20);
  EXPECT_EQ(bench.when(is_kernel_done).size(), 1U);
  EXPECT_EQ(bench.traps().size(), 1U);
  const Cycle s = bench.take(0, SmEventKind::kSetupDone);  // for the low kernel: reads in s + 1 and s + 2
  bench.run(10);
  EXPECT_THAT(bench.traps(s), ElementsAre(At{s + 4, 1}));
}

// ---- tokens of the pool -------------------------------------------------------------------------------------

// Four SMs and three contexts: a token each and one more, which context 0's kernel has.
class Pool : public testing::Test {
 protected:
  Pool() {
    bench.launch(0, 0, 0, 1, 1);
    bench.settle();
    EXPECT_EQ(bench.kernel(0).tokens, 2U);
  }
  // Kernels of contexts 1 and 2: what they get.
  std::uint32_t tokens_of_two_more() {
    bench.launch(1, 1, 0, 1, 1);
    bench.settle();
    bench.launch(2, 2, 0, 1, 1);
    bench.settle();
    std::uint32_t sum = 0;
    for (std::uint32_t ksr = 0; ksr < 4; ++ksr) {
      if (bench.kernel(ksr).valid && bench.kernel(ksr).context != 0) sum += bench.kernel(ksr).tokens;
    }
    return sum;
  }
  SchedulerBench bench{machine(4, 3, PolicyKind::kDss)};
};

TEST_F(Pool, IsEmptyWhileTheKernelRuns) { EXPECT_EQ(tokens_of_two_more(), 1U + 1U); }

TEST_F(Pool, HasTheTokenOfAKernelThatIsDone) {
  bench.take(0, SmEventKind::kTbDone);
  EXPECT_EQ(tokens_of_two_more(), 2U + 1U);
}

TEST_F(Pool, HasTheTokenOfABudgetThatTheOsReplaces) {
  bench.write(ControlRegister::kTokens, 0, 3);
  bench.run(1);
  EXPECT_EQ(bench.kernel(0).tokens, 3U);
  EXPECT_EQ(tokens_of_two_more(), 2U + 1U);
}

TEST_F(Pool, HasTheTokenOnceWhereBothMeet) {
  bench.event(0, SmEventKind::kTbDone);
  bench.write(ControlRegister::kTokens, 0, 3);
  bench.run(1);
  EXPECT_EQ(bench.when(is_kernel_done).size(), 1U);
  EXPECT_EQ(tokens_of_two_more(), 2U + 1U);
}

TEST_F(Pool, KeepsTheTokenWhereOneKernelLeavesAsAnotherEnters) {
  bench.launch(3, 1, 0, 1, 1);
  bench.run(kActivation);
  bench.take(0, SmEventKind::kTbDone);
  bench.settle();
  EXPECT_EQ(tokens_of_two_more(), 2U + 1U + 1U);  // of the three
}

// A cycle for the kernel, and one more.
TEST_F(Pool, IsDistributedWhileEventsWait) {
  const Cycle t = bench.now();
  bench.write(ControlRegister::kPolicy, 0, policy_register(bench.params.scheduler));
  bench.run(1);
  EXPECT_EQ(bench.take(0, SmEventKind::kTbDone), t + 3);
  EXPECT_THAT(bench.when(holds_events_back, t), ElementsAre(t + 1, t + 2));
}

TEST_F(Pool, AnActivationWaitsACycleForAKernelThatLeaves) {
  const Cycle t = bench.now();
  bench.launch(3, 1, 0, 1, 1);
  bench.run(kActivation);
  EXPECT_EQ(bench.take(0, SmEventKind::kTbDone), t + kActivation);  // would be its last cycle
  bench.settle();
  EXPECT_THAT(bench.when(is_activated, t), ElementsAre(t + kActivation + 2));
  EXPECT_EQ(bench.kernel(0).context, 1U);  // in the row that became free, with the token that came back
  EXPECT_EQ(bench.kernel(0).tokens, 2U);
}

// The same by process: the second kernel of context 0 enters in the cycle in which the first leaves.
TEST(PoolOfProcesses, KeepsTheTokenWhereOneKernelLeavesAsAnotherEnters) {
  spec::Spec spec = machine(4, 3, PolicyKind::kDss);
  spec.scheduler.token_scope = spec::TokenScope::kProcess;
  SchedulerBench bench(spec);
  bench.launch(0, 0, 0, 1, 1);
  bench.settle();
  EXPECT_EQ(bench.kernel(0).tokens, 2U);
  bench.launch(1, 0, 0, 1, 1);
  bench.run(kActivation);
  const Cycle t = bench.take(0, SmEventKind::kTbDone);
  bench.settle();
  EXPECT_EQ(bench.when(is_kernel_done).front(), t + 1);
  bench.launch(2, 1, 0, 1, 1);
  bench.settle();
  std::uint32_t sum = 0;
  for (std::uint32_t ksr = 0; ksr < 4; ++ksr) sum += bench.kernel(ksr).tokens;
  EXPECT_EQ(sum, 2U + 1U);
}

// ---- time slices --------------------------------------------------------------------------------------------

// Two contexts, one SM, which context 0 has.
class SliceTicks : public testing::Test {
 protected:
  SliceTicks() {
    bench.launch(0, 0, 0, 9, 1);
    bench.settle();
    EXPECT_FALSE(bench.out().slice_timer_enable);
    bench.launch(1, 1, 0, 9, 1);
    bench.settle();
  }
  Cycle tick_slice() {
    bench.in.slice_tick = true;
    bench.tick();
    return bench.now() - 1;
  }
  SchedulerBench bench{machine(1, 2, PolicyKind::kTimeSlice)};
};

TEST_F(SliceTicks, AreAskedForWhileTwoContextsHaveKernels) {
  const Cycle activated = bench.when(is_activated)[1];
  EXPECT_FALSE(bench.trace[activated - 1].slice_timer_enable);
  EXPECT_TRUE(bench.trace[activated].slice_timer_enable);
  EXPECT_TRUE(bench.out().slice_timer_enable);
}

TEST_F(SliceTicks, PassTheTurnOn) {
  const Cycle t = tick_slice();
  bench.run(10);
  EXPECT_THAT(bench.when(is_moved, t), ElementsAre(t + 3));  // two walks of a cycle each
  EXPECT_THAT(bench.traps(t), ElementsAre(At{t + 4, 0}));
}

TEST_F(SliceTicks, OnlyInvokeWhileAnSmChangesHands) {
  tick_slice();
  bench.run(10);
  const Cycle t = tick_slice();
  bench.run(10);
  EXPECT_THAT(bench.when(is_invoked, t), ElementsAre(t + 1));
  EXPECT_THAT(bench.when(is_moved, t), IsEmpty());
}

// ---- a pipelined search -------------------------------------------------------------------------------------

// docs/timing.md 5.8: a walk of three steps has its outcome in its sixth cycle, and checks in its fifth.
TEST(PipelinedSearch, AKernelThatNeedsTwoOfThreeIdleSms) {
  SchedulerBench bench(pipelined(machine(3, 3, PolicyKind::kDss)));
  bench.launch(0, 1, 0, 2, 1);
  bench.run(30);
  EXPECT_THAT(bench.when(is_activated), ElementsAre(kActivation + 1));
  EXPECT_THAT(bench.when(is_moved), ElementsAre(11, 17));
  EXPECT_THAT(bench.when(holds_events_back), ElementsAre(9, 10, 15, 16, 21));
  EXPECT_THAT(bench.set_ups(), ElementsAre(At{12, 0}, At{18, 1}));
  EXPECT_THAT(bench.when(is_decided), ElementsAre(kActivation + 3 * (3 + 3) + 1));
}

TEST(PipelinedSearch, TbsAreSentWhileItIsChecking) {
  SchedulerBench bench(pipelined(machine(3, 3, PolicyKind::kDss)));
  bench.launch(0, 1, 0, 8, 4);  // on SMs 0 and 1
  bench.run(14);
  EXPECT_EQ(bench.take(0, SmEventKind::kSetupDone), 14U);
  bench.run(5);
  EXPECT_THAT(bench.dispatched_sms(), ElementsAre(At{15, 0}, At{16, 0}, At{17, 0}, At{18, 0}));
  EXPECT_THAT(bench.when(is_moved), ElementsAre(11, 17));
}

// Two SMs, so that a walk takes five cycles; the write of a priority begins one.
TEST(PipelinedSearch, AnEventWaitsWhileItIsChecking) {
  SchedulerBench bench(pipelined(machine(2)));
  bench.launch(0, 0, 0, 9, 1);
  bench.settle();
  const Cycle w = bench.now();
  bench.write(ControlRegister::kPriority, 0, 1);
  bench.run(4);
  EXPECT_EQ(bench.take(0, SmEventKind::kTbDone), w + 5);
  bench.run(5);
  EXPECT_THAT(bench.when(holds_events_back, w), ElementsAre(w + 4));
  EXPECT_THAT(bench.when(is_decided, w), ElementsAre(w + 6));
}

TEST(PipelinedSearch, AnSmThatWouldLeaveByItselfWaitsWhileItIsChecking) {
  SchedulerBench bench(pipelined(machine(2)));
  bench.launch(0, 0, 0, 3, 1);
  bench.settle();
  const Cycle w = bench.now();
  bench.write(ControlRegister::kPriority, 0, 1);
  bench.run(2);
  bench.take(0, SmEventKind::kTbDone);
  EXPECT_EQ(bench.take(1, SmEventKind::kTbDone), w + 3);  // in the cycle in which SM 0 gets the last TB
  bench.run(10);
  EXPECT_THAT(bench.when(is_released, w), ElementsAre(w + 6));
  EXPECT_EQ(bench.when(holds_events_back, w).front(), w + 4);
  EXPECT_EQ(bench.when(holds_events_back, w)[1], w + 5);
}

}  // namespace
}  // namespace tessera::rtl_model::test
