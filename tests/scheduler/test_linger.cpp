// SPDX-License-Identifier: Apache-2.0
// Lingers (docs/hardware/timing.md 3.8), rule by rule; and the core's part in them.
#include <gtest/gtest.h>

#include "rtl_model/tables/linger.h"
#include "tests/scheduler/core_bench.h"

namespace tessera::rtl_model::test {
namespace {

constexpr std::uint32_t kPpq = 2, kShared = 1U << 7;

CoreParams lingering(std::uint32_t num_sms = 4, std::uint32_t policy = kPpq) {
  CoreParams params;
  params.num_sms = num_sms;
  params.num_ksrs = 4;
  params.ptbq_depth = num_sms * params.max_tbs_per_sm;
  params.policy = policy;
  params.lingers = true;
  return params;
}

// A WRITE, and the edge of its cycle.
void leave(Linger& linger, std::uint32_t priority, std::uint32_t sm) {
  linger.leave(priority, SmSet::of(sm));
  linger.seq(false, false);
}

std::string kept(const Linger& linger, std::uint32_t num_sms = 4) {
  std::string sms;
  for (std::uint32_t sm = 0; sm < num_sms; ++sm) sms += linger.is_kept(sm) ? std::to_string(sm) : "-";
  return sms;
}

// ---- who is kept for whom ------------------------------------------------------------------------------------

TEST(Linger, OfTheSamePriorityStartsAfreshAndKeepsBoth) {
  Linger linger{lingering()};
  leave(linger, 5, 0);
  linger.seq(false, false);
  EXPECT_FALSE(linger.shows_start());
  leave(linger, 5, 2);
  EXPECT_TRUE(linger.shows_start());
  EXPECT_EQ(kept(linger), "0-2-");
}

TEST(Linger, OfAHigherPriorityTakesThePlaceOfAnother) {
  Linger linger{lingering()};
  leave(linger, 5, 0);
  leave(linger, 6, 1);
  EXPECT_EQ(kept(linger), "-1--");
  EXPECT_EQ(linger.priority(), 6U);
}

TEST(Linger, LeavesLowerPrioritiesToThemselves) {
  Linger linger{lingering()};
  leave(linger, 5, 0);
  leave(linger, 4, 1);
  EXPECT_FALSE(linger.shows_start());
  EXPECT_EQ(kept(linger), "0---");
  EXPECT_EQ(linger.priority(), 5U);
}

TEST(Linger, OfALowerPriorityComesWhenTheOtherIsOver) {
  Linger linger{lingering()};
  leave(linger, 5, 0);
  linger.seq(false, false);
  linger.seq(true, false);
  leave(linger, 4, 1);
  EXPECT_EQ(kept(linger), "-1--");
}

// An SM that nobody has taken meanwhile counts again: a kernel may leave one long before it ends.
TEST(Linger, KeepsWhatWasLeftAtThatPriorityBefore) {
  Linger linger{lingering()};
  leave(linger, 5, 0);
  leave(linger, 5, 1);
  linger.seq(false, false);
  linger.seq(true, false);
  EXPECT_EQ(kept(linger), "----");
  linger.take(1);
  linger.leave(5, {});  // the kernel's end
  linger.seq(false, false);
  EXPECT_EQ(kept(linger), "0---");
}

TEST(Linger, KeepsAnSmThatIsHandedToNobodyWhileItIsOn) {
  Linger linger{lingering()};
  linger.hand_to_nobody(3);
  leave(linger, 5, 0);
  linger.hand_to_nobody(2);
  EXPECT_EQ(kept(linger), "0-2-");
}

// ---- how it ends ---------------------------------------------------------------------------------------------

// The timer has started afresh in the cycle of the pin: what is over then is the linger before.
TEST(Linger, IsNotOverInTheCycleOfItsStartNorTheNext) {
  for (const bool in_write : {true, false}) {
    Linger linger{lingering()};
    linger.leave(5, SmSet::of(0));
    linger.seq(in_write, false);
    linger.seq(!in_write, false);
    EXPECT_TRUE(linger.is_on());
    linger.seq(true, false);
    EXPECT_FALSE(linger.is_on());
  }
}

TEST(Linger, IsEndedByAPolicyWriteEvenAsItStarts) {
  Linger linger{lingering()};
  linger.leave(5, SmSet::of(0));
  linger.seq(false, true);
  EXPECT_FALSE(linger.is_on());
  EXPECT_TRUE(linger.shows_start());
}

TEST(Linger, NeverStartsWithoutItsStrap) {
  CoreParams params = lingering();
  params.lingers = false;
  Linger linger{params};
  leave(linger, 5, 0);
  linger.hand_to_nobody(1);
  EXPECT_FALSE(linger.is_on() || linger.shows_start() || linger.kept().any());
}

// ---- in the core ---------------------------------------------------------------------------------------------

// A kernel of one TB on one SM, done; then one of priority 0, with work for all SMs.
std::size_t num_assigned_after(std::uint32_t policy, std::uint32_t num_sms, bool is_over) {
  CoreBench bench(lingering(num_sms, policy));
  bench.launch(0, 0, 5, 1, 1);
  bench.settle();
  bench.take(0, SmEventKind::kTbDone);
  bench.settle();
  const Cycle from = bench.now();
  bench.in.linger_over = is_over;
  bench.launch(0, 1, 0, 99, 1);
  bench.settle();
  return bench.moves(MoveKind::kAssign, from).size();
}

TEST(LingeringCore, GivesALowerPriorityAllSmsButThoseThatAreKept) {
  EXPECT_EQ(num_assigned_after(kPpq, 4, false), 3U);
  EXPECT_EQ(num_assigned_after(kPpq, 4, true), 4U);
  EXPECT_EQ(num_assigned_after(kPpq | kShared, 4, false), 3U);
}

TEST(LingeringCore, KeepsNothingUnderOtherPolicies) {
  for (std::uint32_t policy = 0; policy < 6; ++policy) {
    if (policy == kPpq) continue;
    EXPECT_EQ(num_assigned_after(policy, 4, false), 4U) << policy;
  }
}

// The cycle after the kernel_done pulse's WRITE is the pulse's own: both come together.
TEST(LingeringCore, ShowsTheStartInTheCycleOfTheKernelsEnd) {
  CoreBench bench(lingering());
  bench.launch(0, 0, 5, 1, 1);
  bench.settle();
  bench.take(0, SmEventKind::kTbDone);
  bench.settle();
  const auto done = bench.when([](const SchedulerOutputs& out) { return out.kernel_done.valid; });
  EXPECT_EQ(bench.when([](const SchedulerOutputs& out) { return out.linger_start; }), done);
  EXPECT_EQ(done.size(), 1U);
}

}  // namespace
}  // namespace tessera::rtl_model::test
