// SPDX-License-Identifier: Apache-2.0
// Set-ups and their answers behind links (docs/hardware/timing.md 3.11): only the answer to the last set-up counts, and
// an SM gets none for which there is no tag.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scheduler/core_bench.h"

namespace tessera::rtl_model::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint32_t kSlow = 1;  // the SM that answers late

// Two SMs for kernels of two TBs, one per SM.
CoreParams tagged(unsigned tag_width = 1, std::uint32_t policy = kFcfs) {
  CoreParams params = machine(2, policy);
  params.tag_width = tag_width;
  return params;
}

std::uint32_t tag(const CoreBench& bench, std::uint32_t sm) { return bench.core.tables().set_up_tags.tag(sm); }
std::uint32_t unanswered(const CoreBench& bench, std::uint32_t sm) {
  return bench.core.tables().set_up_tags.unanswered(sm);
}

Cycle answer(CoreBench& bench, std::uint32_t sm, std::uint32_t with_tag) {
  const auto show = [&] { bench.in.sm_event = {true, sm, SmEventKind::kSetupDone, with_tag}; };
  for (show(); !bench.out().sm_event_ready; show()) bench.tick();
  show();
  bench.tick();
  return bench.now() - 1;
}

// A kernel for which both SMs are set up. The slow one has not answered when the other has run all of it.
void run_without_slow_sm(CoreBench& bench, std::uint32_t partition = 0) {
  bench.launch(0, 0, 1, 2, 1);
  bench.in.command.partition = partition;
  bench.run(80);
  answer(bench, 0, tag(bench, 0));
  bench.run(20);
  bench.take(0, SmEventKind::kTbDone);
  bench.run(20);
  bench.take(0, SmEventKind::kTbDone);
  bench.run(40);
}

TEST(Tags, EachSetUpHasTheNextOneAndThePinsShowIt) {
  CoreBench bench(tagged());
  EXPECT_EQ(tag(bench, 0), 0U);
  for (const std::uint32_t expected : {1U, 0U, 1U}) {
    const Cycle c = bench.now();
    bench.launch(0, 0, 1, 1, 1);
    bench.run(80);
    ASSERT_EQ(bench.set_ups(c).size(), 1U);
    const Cycle s = bench.set_ups(c).front().first;
    EXPECT_EQ(bench.trace[s].sm_control.tag, expected);
    EXPECT_EQ(tag(bench, 0), expected);
    EXPECT_EQ(unanswered(bench, 0), 1U);
    answer(bench, 0, expected);
    bench.run(20);
    EXPECT_EQ(unanswered(bench, 0), 0U);
    bench.take(0, SmEventKind::kTbDone);
    bench.run(20);
  }
}

// The stale answer in t: WRITE t + 6. The current one in u: its job's WRITE u + 6, issue's PICK u + 7, BURST u + 13.
TEST(Tags, AnAnswerToASupersededSetUpDoesNothing) {
  CoreBench bench(tagged());
  run_without_slow_sm(bench);
  ASSERT_EQ(bench.when(is_kernel_done).size(), 1U);
  const Cycle c = bench.now();
  bench.launch(1, 1, 1, 2, 1);
  bench.run(80);
  ASSERT_EQ(bench.set_ups(c).size(), 2U);
  EXPECT_EQ(tag(bench, kSlow), 0U);
  EXPECT_EQ(unanswered(bench, kSlow), 2U);

  const Cycle t = answer(bench, kSlow, 1);
  bench.run_to(t + 6);
  EXPECT_EQ(unanswered(bench, kSlow), 2U);
  bench.tick();
  EXPECT_EQ(unanswered(bench, kSlow), 1U);
  bench.run(30);
  EXPECT_FALSE(bench.is_active(kSlow));
  EXPECT_THAT(bench.dispatches(t), IsEmpty());
  EXPECT_THAT(bench.when(is_invoked, t), IsEmpty());
  EXPECT_FALSE(bench.trace[t + 6].sm_event_ready);  // it has gone through all phases
  EXPECT_TRUE(bench.trace[t + 7].sm_event_ready);

  const Cycle u = answer(bench, kSlow, 0);
  bench.run(30);
  EXPECT_TRUE(bench.is_active(kSlow));
  EXPECT_EQ(unanswered(bench, kSlow), 0U);
  EXPECT_THAT(bench.dispatches(u), ElementsAre(At{u + 13, 0}));
}

// The stale answer finds the SM reserved: it is not handed over before the current one, in u: visit B's WRITE u + 10.
TEST(Tags, AReservedSmIsHandedOverByTheCurrentAnswer) {
  CoreBench bench(tagged(1, kPpq));
  run_without_slow_sm(bench);
  bench.launch(0, 0, 1, 2, 1);
  bench.run(80);
  bench.launch(1, 1, 5, 2, 1);
  bench.run(120);
  ASSERT_EQ(bench.moves(MoveKind::kReserve).size(), 2U);
  const Cycle t = answer(bench, kSlow, 1);
  bench.run(30);
  EXPECT_THAT(bench.hand_overs(t), IsEmpty());
  const Cycle u = answer(bench, kSlow, 0);
  bench.run(30);
  EXPECT_THAT(bench.hand_overs(t), ElementsAre(At{u + 11, 1}));
  EXPECT_EQ(tag(bench, kSlow), 1U);
  EXPECT_EQ(unanswered(bench, kSlow), 1U);
}

// Answer in t, WRITE t + 6: invocation in t + 7, BEGIN t + 8, WALK t + 9, DRAIN .. t + 12, JUDGE t + 13, PICK t + 14,
// BURST t + 18 and t + 19, WRITE t + 20; set-up PICK t + 21, WRITE t + 27.
TEST(Tags, AnSmWithoutATagIsNotAssignedUntilItAnswers) {
  for (const std::uint32_t answered : {1U, 0U}) {
    CoreBench bench(tagged());
    run_without_slow_sm(bench);
    run_without_slow_sm(bench);
    ASSERT_EQ(unanswered(bench, kSlow), 2U);
    const Cycle c = bench.now();
    bench.launch(0, 0, 1, 2, 1);
    bench.run(80);
    EXPECT_THAT(bench.moves(MoveKind::kAssign, c), ElementsAre(testing::Pair(testing::_, 0U)));
    EXPECT_TRUE(bench.out().idle);

    const Cycle t = answer(bench, kSlow, answered);
    bench.run(60);
    EXPECT_THAT(bench.when(is_invoked, t), ElementsAre(t + 8));
    EXPECT_THAT(bench.moves(MoveKind::kAssign, t), ElementsAre(At{t + 19, kSlow}));
    EXPECT_THAT(bench.set_ups(t), ElementsAre(At{t + 28, kSlow}));
    EXPECT_EQ(bench.trace[t + 28].sm_control.tag, 1U);
    EXPECT_EQ(unanswered(bench, kSlow), answered == 1 ? 2U : 1U);
  }
}

TEST(Tags, AnAnswerOfAnSmThatHadATagInvokesNothing) {
  CoreBench bench(tagged(2));
  run_without_slow_sm(bench);
  run_without_slow_sm(bench);
  run_without_slow_sm(bench);
  ASSERT_EQ(unanswered(bench, kSlow), 3U);
  const Cycle t = answer(bench, kSlow, 1);
  bench.run(40);
  EXPECT_EQ(unanswered(bench, kSlow), 2U);
  EXPECT_THAT(bench.when(is_invoked, t), IsEmpty());
  // The third's answer stands for the second's too.
  answer(bench, kSlow, 3);
  bench.run(40);
  EXPECT_EQ(unanswered(bench, kSlow), 0U);
}

// Both SMs are in partition 1. The bit is there in t + 7; the walk of the step clears it in its first cycle.
TEST(Tags, AnSmThatCanBeSetUpAgainTouchesItsPartition) {
  CoreBench bench(tagged(1, kPartitioned));
  for (std::uint32_t sm = 0; sm < 2; ++sm) {
    bench.write(ControlRegister::kPartition, 0, sm_partition_data(sm, 1));
    bench.tick();
  }
  bench.run(40);
  run_without_slow_sm(bench, 1);
  run_without_slow_sm(bench, 1);
  ASSERT_EQ(unanswered(bench, kSlow), 2U);
  bench.launch(0, 0, 1, 2, 1);
  bench.in.command.partition = 1;
  bench.run(120);
  ASSERT_TRUE(bench.out().idle);
  ASSERT_FALSE(bench.core.tables().partitions.dirty().any());
  const Cycle t = answer(bench, kSlow, 1);
  bench.run_to(t + 7);
  EXPECT_TRUE(bench.core.tables().partitions.dirty().has(1));
  bench.run(60);
  EXPECT_THAT(bench.moves(MoveKind::kAssign, t), ElementsAre(At{t + 19, kSlow}));
}

// Handed over when its last TB finished while its trap was on the way, and set up: the *preempted* comes late.
TEST(Tags, APreemptedThatComesAfterTheNextSetUpDoesNothing) {
  CoreParams params = one_sm(kPpq);
  params.tag_width = 1;
  CoreBench bench(params);
  bench.launch(0, 0, 1, 1, 1);
  bench.run(60);
  answer(bench, 0, 1);
  bench.run(30);
  const Cycle c = bench.now();
  bench.launch(1, 1, 5, 2, 2);
  bench.run(60);
  ASSERT_EQ(bench.traps(c).size(), 1U);
  bench.take(0, SmEventKind::kTbDone);
  bench.run(40);
  ASSERT_EQ(bench.hand_overs(c).size(), 1U);
  ASSERT_EQ(bench.set_ups(c).size(), 1U);

  const Cycle p = bench.take(0, SmEventKind::kPreempted);
  bench.run(30);
  EXPECT_EQ(bench.kernel(1).preempted, 0U);
  EXPECT_THAT(bench.hand_overs(p), IsEmpty());
  EXPECT_THAT(bench.when(is_released, p), IsEmpty());
  const Cycle s = answer(bench, 0, 0);
  bench.run(30);
  EXPECT_THAT(bench.dispatches(s), ElementsAre(At{s + 13, 0}, At{s + 14, 1}));
}

// A TB that was flushed starts anew before all contexts are back. Its kernel is over, and the SM belongs to the next
// one, when the *restore done* comes, whose tag is none: it ends the restore.
TEST(Tags, ARestoreDoneThatComesAfterTheNextSetUpEndsTheRestore) {
  CoreParams params = one_sm(kPpq);
  params.tag_width = 1;
  CoreBench bench(params);
  restore_the_only_tb(bench);
  const SmSet& restoring = bench.core.tables().smst.flags.restoring;
  ASSERT_TRUE(restoring.has(0));
  bench.take(0, SmEventKind::kTbDone);
  bench.run(20);
  const Cycle c = bench.now();
  bench.launch(0, 0, 1, 1, 1);
  bench.run(60);
  ASSERT_EQ(bench.set_ups(c).size(), 1U);
  ASSERT_TRUE(restoring.has(0));

  const Cycle r = bench.take(0, SmEventKind::kRestoreDone);
  bench.run(30);
  EXPECT_FALSE(restoring.has(0));
  EXPECT_THAT(bench.dispatches(r), IsEmpty());
  const Cycle s = answer(bench, 0, tag(bench, 0));
  bench.run(30);
  EXPECT_THAT(bench.dispatches(s), ElementsAre(At{s + 13, 0}));
}

TEST(Tags, WithoutTagsEveryAnswerIsCurrent) {
  CoreBench bench(tagged(0));
  run_without_slow_sm(bench);
  bench.launch(1, 1, 1, 2, 1);
  bench.run(80);
  EXPECT_EQ(bench.out().sm_control.tag, 0U);
  EXPECT_EQ(unanswered(bench, kSlow), 0U);
  const Cycle t = answer(bench, kSlow, 0);
  bench.run(30);
  EXPECT_TRUE(bench.is_active(kSlow));
  EXPECT_THAT(bench.dispatches(t), ElementsAre(At{t + 13, 0}));
}

}  // namespace
}  // namespace tessera::rtl_model::test
