// SPDX-License-Identifier: Apache-2.0
// Loops of event-driven kernels in an SM, cycle by cycle (docs/hardware/timing.md 7.4). A thread block on the pins in
// 50 starts in 51; state is 8 + 512 bytes, at 16 a cycle.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rtl_model/sm_bench.h"

namespace tessera::rtl_model::test {
namespace {

using testing::ElementsAre;

constexpr Cycle kLoopStart = 51;
constexpr Cycle kStateMove = 33;
constexpr Cycle kCallback = 100;

LoopDescriptor loops_of(std::uint64_t count, bool has_io = false, bool is_blocking = false) {
  std::vector<cooperative::Step> steps{{kCallback, {}, {}, 0}};
  if (has_io) steps.push_back({0, spec::IoDirection::kRead, spec::IoMedium::kCache, 4096});
  LoopDescriptor loops;
  loops.program = cooperative::LoopProgram(count, steps);
  loops.slots = 64;
  loops.state_bytes_per_slot = 512;
  loops.is_blocking = is_blocking;
  loops.number = 1;
  return loops;
}

// One SM with loops of its own, sent to it from cycle 50 on.
struct LoopBench : SmBench {
  explicit LoopBench(const LoopDescriptor& loops, std::uint32_t num_tbs = 1, const spec::Spec& spec = machine(1))
      : SmBench(spec) {
    bring_up(this->loops(num_tbs, loops));
    for (std::uint32_t tb = 0; tb < num_tbs; ++tb) {
      dispatch(0, tb);
      tick();
    }
  }
  // The loops find it in `cycle`.
  void word(HostWord::Kind kind, std::uint64_t value, Cycle cycle) { loop_memory().post({kind, 0, value, cycle - 1}); }
};

TEST(LoopUnit, CallbacksAreNoWorkUntilTheLastOneEnds) {
  LoopBench bench(loops_of(1000));
  bench.run_to(kLoopStart + 1000 * kCallback + 1);
  EXPECT_THAT(bench.watcher.resumed, ElementsAre(kLoopStart));
  EXPECT_THAT(bench.watcher.left, ElementsAre(kLoopStart + 1000 * kCallback));
  EXPECT_EQ(bench.first(SmEventKind::kTbDone), kLoopStart + 1000 * kCallback);
  EXPECT_EQ(bench.loop_memory().loops_left(0), 0U);
}

TEST(LoopUnit, AWordToYieldIsHeardWhereACallbackEnds) {
  for (const Cycle heard : {kLoopStart + 101, kLoopStart + 199, kLoopStart + 200}) {
    LoopBench bench(loops_of(1000));
    bench.word(HostWord::Kind::kYield, 1, heard);
    bench.run_to(kLoopStart + 400);
    EXPECT_EQ(bench.first(SmEventKind::kTbDone), kLoopStart + 200 + kStateMove) << heard;
    EXPECT_EQ(bench.loop_memory().loops_left(0), 1U);
    EXPECT_EQ(bench.loop_memory().state(0, 0).position, 2U);
  }
}

TEST(LoopUnit, AWordForAnotherLaunchIsNotHeard) {
  LoopBench bench(loops_of(5));
  bench.word(HostWord::Kind::kYield, 7, kLoopStart + 10);
  bench.word(HostWord::Kind::kKill, 7, kLoopStart + 10);
  bench.run_to(kLoopStart + 5 * kCallback + 1);
  EXPECT_EQ(bench.first(SmEventKind::kTbDone), kLoopStart + 5 * kCallback);
}

TEST(LoopUnit, AskedForIoIsInMemoryWhereItsCallbackEndsAndTheLoopPolls) {
  LoopBench bench(loops_of(2, true));
  bench.run_to(kLoopStart + kCallback + 1);
  ASSERT_EQ(bench.loop_memory().requests.size(), 1U);
  EXPECT_EQ(bench.loop_memory().requests[0].cycle, kLoopStart + kCallback);
  EXPECT_EQ(bench.loop_memory().requests[0].step.bytes, 4096U);
  bench.word(HostWord::Kind::kIoDone, 0, kLoopStart + 170);
  bench.run_to(kLoopStart + 400);
  EXPECT_THAT(bench.watcher.asked, ElementsAre(kLoopStart + kCallback, kLoopStart + 170 + kCallback));
  EXPECT_EQ(bench.first(SmEventKind::kTbDone), kNever);
}

TEST(LoopUnit, ABlockingLoopLeavesWithItsRequestAndReadsThatItIsDone) {
  LoopBench bench(loops_of(2, true, true));
  bench.run_to(kLoopStart + 200);
  EXPECT_EQ(bench.first(SmEventKind::kTbDone), kLoopStart + kCallback + kStateMove);
  bench.word(HostWord::Kind::kIoDone, 0, 300);
  bench.run_to(400);
  LoopDescriptor again = loops_of(2, true, true);
  again.is_relaunch = true;
  again.number = 2;
  bench.set_up(0, bench.loops(1, again));
  bench.run_to(450);
  bench.dispatch(0, 0);
  bench.run_to(700);
  EXPECT_THAT(bench.watcher.resumed, ElementsAre(kLoopStart, 451 + kStateMove));
  EXPECT_THAT(bench.watcher.asked, ElementsAre(kLoopStart + kCallback, 451 + kStateMove + kCallback));
}

TEST(LoopUnit, StatesOfAnSmAreMovedOneAfterTheOther) {
  LoopBench bench(loops_of(1000), 3);
  // All three see the word in callbacks that end one cycle after another.
  bench.word(HostWord::Kind::kYield, 1, kLoopStart + 50);
  bench.run_to(kLoopStart + 300);
  const Cycle first = kLoopStart + kCallback + kStateMove;
  EXPECT_THAT(bench.watcher.left, ElementsAre(first, first + kStateMove, first + 2 * kStateMove));
}

TEST(LoopUnit, AKillEndsThreadBlocksInTheNextCycleAndItsMoveWithThem) {
  LoopBench bench(loops_of(1000), 2);
  bench.word(HostWord::Kind::kYield, 1, kLoopStart + 50);
  bench.word(HostWord::Kind::kKill, 1, kLoopStart + kCallback + 10);
  bench.run_to(kLoopStart + 300);
  EXPECT_EQ(bench.first(SmEventKind::kTbDone), kLoopStart + kCallback + 11);
  EXPECT_EQ(bench.watcher.finished.size(), 2U);
  EXPECT_TRUE(bench.watcher.left.empty());
  EXPECT_EQ(bench.loop_memory().loops_left(0), 2U);
}

// Frozen in 41 cycles; the move under way is begun again from nothing.
TEST(LoopUnit, ATrapWithdrawsAMoveAndTheLoopBeginsItAgain) {
  LoopBench bench(loops_of(1000));
  bench.word(HostWord::Kind::kYield, 1, kLoopStart + 50);
  bench.run_to(kLoopStart + kCallback - 20);
  bench.trap(0);
  bench.run_to(400);
  EXPECT_EQ(bench.watcher.frozen_at, kLoopStart + kCallback - 20 + 41);
  EXPECT_EQ(bench.first(SmEventKind::kTbDone), kNever);
  ASSERT_EQ(bench.handles.size(), 1U);
  bench.set_up(0, 0);
  bench.run_to(450);
  bench.restore(0, bench.handles[0], true);
  bench.run_to(600);
  const Cycle restored = 450 + 256 / kBytesPerCycle;
  EXPECT_THAT(bench.taken(SmEventKind::kRestoreDone), ElementsAre(restored));
  EXPECT_EQ(bench.first(SmEventKind::kTbDone), restored + kStateMove);
  EXPECT_FALSE(bench.watcher.has_mismatch);
}

// It polls, is saved, and what it waited for is done meanwhile: its last step.
TEST(LoopUnit, ARestoredLoopWithNothingLeftToDoIsOverInTheNextCycle) {
  LoopBench bench(loops_of(1, true));
  bench.run_to(kLoopStart + kCallback + 20);
  bench.trap(0);
  bench.run_to(400);
  bench.word(HostWord::Kind::kIoDone, 0, 420);
  bench.set_up(0, 0);
  bench.run_to(450);
  bench.restore(0, bench.handles.at(0), true);
  bench.run_to(600);
  const Cycle restored = 450 + 256 / kBytesPerCycle;
  EXPECT_THAT(bench.watcher.left, ElementsAre(restored + 1));
  EXPECT_EQ(bench.watcher.finished.back().second, restored + 1);
}

// The callback under way goes on where it stood.
TEST(LoopUnit, AFrozenCallbackTakesWhatWasLeftOfIt) {
  LoopBench bench(loops_of(3));
  bench.run_to(kLoopStart + 130);
  bench.trap(0);
  bench.run_to(400);
  const Cycle done = bench.watcher.frozen_at - kLoopStart;
  bench.set_up(0, 0);
  bench.run_to(450);
  bench.restore(0, bench.handles.at(0), true);
  bench.word(HostWord::Kind::kYield, 1, 470);
  bench.run_to(700);
  const Cycle restored = 450 + 256 / kBytesPerCycle;
  EXPECT_EQ(done, 171U);
  EXPECT_EQ(bench.first(SmEventKind::kTbDone), restored + 200 - done + kStateMove);
}

}  // namespace
}  // namespace tessera::rtl_model::test
