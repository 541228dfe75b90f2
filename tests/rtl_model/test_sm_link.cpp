// SPDX-License-Identifier: Apache-2.0
// An SM behind links (docs/hardware/timing.md 3.11, 7.5), seen from the pins of the core: as in test_sm.cpp, but that
// all goes and comes later. Set-up 29, issue 7, drain 41, trap entry 11; a TB's context takes 16 cycles.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rtl_model/sm_bench.h"

namespace tessera::rtl_model::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Cycle kSave = 256 / kBytesPerCycle;

spec::Spec linked(const std::vector<std::uint32_t>& up, const std::vector<std::uint32_t>& down) {
  spec::Spec spec = machine(static_cast<std::uint32_t>(up.size()));
  spec.gpu.framework.link_cycles = {up, down};
  spec.gpu.framework.setup_tag_bits = 1;
  return spec;
}

std::vector<std::pair<Cycle, std::uint32_t>> answers(const SmBench& bench) {
  std::vector<std::pair<Cycle, std::uint32_t>> taken;
  for (const SmBench::Event& event : bench.events) {
    if (event.kind == SmEventKind::kSetupDone && event.is_taken) taken.emplace_back(event.at, event.tag);
  }
  return taken;
}

// On the pins in 10: at the SM in 10 + D, done 29 cycles later, back U later.
TEST(SmLink, CommandsAndEventsTakeTheirDelays) {
  for (const auto& [up, down] : {std::pair{3U, 5U}, std::pair{0U, 5U}, std::pair{3U, 0U}, std::pair{0U, 0U}}) {
    SmBench bench(linked({up}, {down}));
    bench.run_to(10);
    bench.set_up(0, bench.kernel({100}), 1);
    bench.run_to(100);
    EXPECT_THAT(answers(bench), ElementsAre(std::pair{Cycle{10 + down + 29 + up}, 1U}));
    EXPECT_EQ(bench.events.size(), 1U);
  }
}

// Of its own: SM 1 is wired. Both set up together.
TEST(SmLink, EachSmHasItsDelays) {
  SmBench bench(linked({4, 0, 0}, {0, 0, 3}));
  const std::uint64_t kernel = bench.kernel({100});
  for (const std::uint32_t sm : {0U, 1U, 2U}) {
    bench.run_to(10 + sm);
    bench.set_up(sm, kernel);
  }
  bench.run_to(100);
  EXPECT_THAT(bench.taken(SmEventKind::kSetupDone, 0), ElementsAre(10 + 29 + 4));
  EXPECT_THAT(bench.taken(SmEventKind::kSetupDone, 1), ElementsAre(11 + 29));
  EXPECT_THAT(bench.taken(SmEventKind::kSetupDone, 2), ElementsAre(12 + 3 + 29));
}

// The core's clock is four times the SM's: delays are SM cycles. On the pins in 41, at the SM in 41 + 4 * 2 = 49, which
// is SM cycle 12; done in SM cycle 41, 4 * 3 core cycles on the way.
TEST(SmLink, DelaysCountSmCycles) {
  spec::Spec spec = linked({3}, {2});
  spec.scheduler.tbs_per_cycle = 4;
  SmBench bench(spec);
  bench.run_to(41);
  bench.set_up(0, bench.kernel({100}));
  bench.run_to(300);
  EXPECT_THAT(bench.taken(SmEventKind::kSetupDone), ElementsAre(4 * 41 + 4 * 3));
}

// On the pins in 50, at the SM in 55: it starts in 55 - 6 + 7.
TEST(SmLink, AnIssueLatencyCountsFromTheArrival) {
  SmBench bench(linked({3}, {5}));
  bench.run_to(1);
  bench.set_up(0, bench.kernel({100}));
  bench.run_to(50);
  bench.dispatch(0, 0);
  bench.run_to(200);
  ASSERT_EQ(bench.watcher.issues.size(), 1U);
  EXPECT_EQ(bench.watcher.issues[0].start, 56U);
  EXPECT_THAT(bench.taken(SmEventKind::kTbDone), ElementsAre(56 + 100 + 3));
}

// Three TBs end in 66 and are taken by the link one a cycle; the core takes none before 80, then one a cycle.
TEST(SmLink, TakesAMessageACycleAndKeepsThemUntilTheyAreTaken) {
  SmBench bench(linked({3}, {5}));
  bench.run_to(1);
  bench.set_up(0, bench.kernel({10, 9, 8, 40}));
  for (const std::uint32_t tb : {0U, 1U, 2U, 3U}) {
    bench.run_to(50 + tb);
    bench.dispatch(0, tb);
  }
  bench.events.clear();
  bench.is_ready = false;
  bench.run_to(80);
  EXPECT_EQ(bench.first(SmEventKind::kTbDone), 66U + 3);
  bench.is_ready = true;
  bench.run_to(120);
  EXPECT_THAT(bench.taken(SmEventKind::kTbDone), ElementsAre(80, 81, 82, 59 + 40 + 3));
}

// The slot is free when the link has taken the event, in 66: a TB that arrives in 66 gets it.
TEST(SmLink, ASlotIsFilledInTheCycleInWhichItsEventIsTaken) {
  SmBench bench(linked({3}, {5}));
  bench.run_to(1);
  bench.set_up(0, bench.kernel({10, 60, 60}));
  bench.run_to(50);
  bench.dispatch(0, 0);  // 56 .. 66
  bench.tick();
  bench.dispatch(0, 1);
  bench.run_to(61);
  bench.dispatch(0, 2);
  bench.run_to(100);
  ASSERT_EQ(bench.watcher.issues.size(), 3U);
  EXPECT_EQ(bench.watcher.issues[2].slot, 0U);
}

// Trap at the SM in 65: frozen in 106, saved by E = 117 + 2 * 16 = 149. Handles E - 2, E - 1 and *preempted* E, 3
// later.
TEST(SmLink, HandlesAndPreemptedKeepTheirOrder) {
  SmBench bench(linked({3}, {5}));
  bench.run_to(1);
  bench.set_up(0, bench.kernel({500, 400}));
  for (const std::uint32_t tb : {0U, 1U}) {
    bench.run_to(50 + tb);
    bench.dispatch(0, tb);
  }
  bench.run_to(60);
  bench.trap(0);
  bench.run_to(250);
  EXPECT_EQ(bench.watcher.frozen_at, 106U);
  const Cycle end = 106 + 11 + 2 * kSave;
  ASSERT_EQ(bench.handles.size(), 2U);
  EXPECT_EQ(bench.handles[0].at, end - 2 + 3);
  EXPECT_EQ(bench.handles[1].at, end - 1 + 3);
  EXPECT_THAT(bench.taken(SmEventKind::kPreempted), ElementsAre(end + 3));
}

// The first set-up is at the SM in 15, done in 44, on its way; the second is on the pins in 46, at the SM in 51.
TEST(SmLink, AnAnswerThatIsOnItsWayIsNotWithdrawn) {
  SmBench bench(linked({3}, {5}));
  const std::uint64_t kernel = bench.kernel({100});
  bench.run_to(10);
  bench.set_up(0, kernel, 1);
  bench.run_to(46);
  bench.set_up(0, kernel, 0);
  bench.run_to(120);
  EXPECT_THAT(answers(bench), ElementsAre(std::pair{Cycle{47}, 1U}, std::pair{Cycle{51 + 29 + 3}, 0U}));
}

// The second set-up is at the SM in 44, in which it shows that the first is done: the link takes that all the same.
TEST(SmLink, AnAnswerOfTheCycleInWhichAnotherSetUpComesHasItsOwnTag) {
  SmBench bench(linked({3}, {5}));
  const std::uint64_t kernel = bench.kernel({100});
  bench.run_to(10);
  bench.set_up(0, kernel, 1);
  bench.run_to(39);
  bench.set_up(0, kernel, 0);
  bench.run_to(120);
  EXPECT_THAT(answers(bench), ElementsAre(std::pair{Cycle{47}, 1U}, std::pair{Cycle{44 + 29 + 3}, 0U}));
}

// At the SM in 35, before it is done with the first: only the second is answered.
TEST(SmLink, ASetUpSupersedesOneThatIsNotAnswered) {
  SmBench bench(linked({3}, {5}));
  const std::uint64_t kernel = bench.kernel({100});
  bench.run_to(10);
  bench.set_up(0, kernel, 1);
  bench.run_to(30);
  bench.set_up(0, kernel, 0);
  bench.run_to(120);
  EXPECT_THAT(answers(bench), ElementsAre(std::pair{Cycle{35 + 29 + 3}, 0U}));
}

// The cycles of the picture in 3.11, with a set-up that takes two: on the pins in 100 and 107.
TEST(SmLink, ThePictureOfTheContract) {
  spec::Spec spec = linked({3}, {3});
  spec.gpu.framework.sm_setup_cycles = 2;
  SmBench bench(spec);
  const std::uint64_t kernel = bench.kernel({100});
  bench.is_ready = false;
  bench.run_to(100);
  bench.set_up(0, kernel, 1);
  bench.run_to(107);
  bench.set_up(0, kernel, 0);
  bench.run_to(110);
  EXPECT_EQ(bench.first(SmEventKind::kSetupDone), 108U);
  bench.is_ready = true;
  bench.run_to(130);
  EXPECT_THAT(answers(bench), ElementsAre(std::pair{Cycle{110}, 1U}, std::pair{Cycle{115}, 0U}));
}

// The last TB ends while the trap is on its way: *preempted* follows, and stays when the next set-up comes.
TEST(SmLink, APreemptedThatIsOnItsWayIsNotWithdrawn) {
  SmBench bench(linked({30}, {5}));
  const std::uint64_t kernel = bench.kernel({10});
  bench.run_to(1);
  bench.set_up(0, kernel, 1);
  bench.run_to(50);
  bench.dispatch(0, 0);  // 56 .. 66, done at the core in 96
  bench.run_to(95);
  bench.trap(0);  // at the SM in 100: *preempted* in 101
  bench.run_to(110);
  bench.set_up(0, kernel, 0);
  bench.run_to(200);
  EXPECT_THAT(bench.taken(SmEventKind::kTbDone), ElementsAre(96));
  EXPECT_THAT(bench.taken(SmEventKind::kPreempted), ElementsAre(131));
  EXPECT_THAT(answers(bench).back(), (std::pair{Cycle{115 + 29 + 30}, 0U}));
  EXPECT_THAT(bench.handles, IsEmpty());
}

// A handle of SM 0 waits behind the TB done before it, although SM 1's way is as long.
TEST(SmLink, AHandleWaitsBehindAnEvent) {
  SmBench bench(linked({3, 3}, {5, 5}));
  const std::uint64_t kernel = bench.kernel({101 + 5 - 56, 500});
  bench.run_to(1);
  bench.set_up(0, kernel);
  for (const std::uint32_t tb : {0U, 1U}) {
    bench.run_to(50 + tb);
    bench.dispatch(0, tb);
  }
  bench.run_to(60);
  bench.events.clear();
  bench.is_ready = false;
  bench.trap(0);  // TB 0 ends in the freeze, 106; handle of TB 1 in 106 + 11 + 15
  bench.run_to(170);
  EXPECT_EQ(bench.first(SmEventKind::kTbDone), 109U);
  EXPECT_THAT(bench.handles, IsEmpty());
  bench.is_ready = true;
  bench.run_to(200);
  EXPECT_THAT(bench.taken(SmEventKind::kTbDone), ElementsAre(170));
  ASSERT_EQ(bench.handles.size(), 1U);
  EXPECT_EQ(bench.handles[0].at, 171U);
  EXPECT_THAT(bench.taken(SmEventKind::kPreempted), ElementsAre(172));
}

// A loop of one callback, 56 .. 156; in 156 the next thread block comes for its slot, and runs 157 .. 257.
TEST(SmLink, ALoopsSlotIsFilledInTheCycleOfItsEnd) {
  SmBench bench(linked({3}, {5}));
  LoopDescriptor loops;
  loops.program = cooperative::LoopProgram(1, {{100, {}, {}, 0}});
  loops.slots = 64;
  loops.state_bytes_per_slot = 512;
  loops.number = 1;
  bench.run_to(1);
  bench.set_up(0, bench.loops(2, loops));
  bench.run_to(50);
  bench.dispatch(0, 0);
  bench.run_to(151);
  bench.dispatch(0, 1);
  bench.run_to(300);
  EXPECT_THAT(bench.watcher.finished,
              ElementsAre(std::pair<std::uint32_t, Cycle>{0, 156}, std::pair<std::uint32_t, Cycle>{1, 257}));
  EXPECT_THAT(bench.taken(SmEventKind::kTbDone), ElementsAre(156 + 3, 257 + 3));
}

}  // namespace
}  // namespace tessera::rtl_model::test
