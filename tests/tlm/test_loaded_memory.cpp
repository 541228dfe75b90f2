// SPDX-License-Identifier: Apache-2.0
// Thread blocks whose bytes come later the more is asked of memory: timelines by hand (docs/concepts/loaded_memory.md).
#include <map>

#include "tests/tlm/loaded_machine.h"
#include "tlm/execution_engine/sm_array/ends_loop.h"

namespace tessera::tlm_model::test {
namespace {

constexpr Cycle kUs = 1000;                    // cycles
constexpr std::uint64_t kBytesPerUs = 10'000;  // of an SM that has all that it may have

// Nothing follows; a TB that has ended leaves its slot at once.
struct NobodyFollows {
  static constexpr bool kPaces = false;
  static constexpr bool kStretches = false;
  void over(const TbEnd&) const {}
  Cycle start_of_next(const TbEnd&, const Sm&, const KernelRun&) const { return kNever; }
  Cycle duration_of_next(const TbEnd&, const KernelRun& kernel) const { return kernel.next_duration; }
};
struct NextFollows : NobodyFollows {
  Cycle start_of_next(const TbEnd& end, const Sm&, const KernelRun& kernel) const {
    return kernel.has_fresh() ? end.cycle : kNever;
  }
};

class LoadedMemories : public testing::Test, private IMoveTimer {
 protected:
  static constexpr std::uint32_t kSms = 4;

  void make(const spec::MemoryLatencySpec& memory, const spec::GpuSwitchSpec& gpu_switch = {}) {
    spec_ = with_loaded_memory(tiny_machine(kSms, 1), memory);
    spec_.gpu.framework.gpu_switch = gpu_switch;
    array_ = std::make_unique<SmArray>(spec_, log_, nullptr, nullptr);
    array_->set_move_timer(this);
    move_ends_.assign(kSms, kNever);
  }
  // A kernel whose TBs have `work` and `bytes`, `in_flight` of them at once.
  KsrId kernel(Cycle work, std::uint64_t bytes, std::uint32_t in_flight = kSmBytes, std::uint32_t num_tbs = 64) {
    KernelLaunch launch;
    launch.num_tbs = num_tbs;
    launch.regs_per_tb = 64;
    launch.threads_per_tb = 8;
    launch.durations = workload::TbDurations({work, 0}, 0);
    launch.dram_bytes_per_tb = bytes;
    launch.bytes_in_flight_per_tb = in_flight;
    const KsrId ksr{static_cast<std::uint16_t>(num_kernels_++)};
    array_->begin_kernel(ksr, LaunchId(index(ksr)), launch, 4);
    return ksr;
  }
  void start(std::uint32_t sm, std::uint32_t slot, KsrId ksr, Cycle at) {
    run_before(at);
    array_->set_now(at);
    array_->start_fresh(SmId(sm), {slot, slot}, ksr, at, array_->kernel(ksr).next_duration);
  }
  // Ends before `limit`, as (cycle, SM, slot).
  void run_before(Cycle limit) {
    NobodyFollows rule;
    while (array_->next_end() < limit) {
      if (const std::optional<TbEnd> end = array_->run_ends(limit, rule)) leave(*end);
    }
  }
  void leave(const TbEnd& end) {
    array_->vacate(end.sm, slot_bit(end.slot), end.cycle);
    ends_[{static_cast<std::uint32_t>(index(end.sm)), end.slot}] = end.cycle;
  }
  Cycle end_of(std::uint32_t sm, std::uint32_t slot = 0) {
    run_before(kNever);
    const auto found = ends_.find({sm, slot});
    return found == ends_.end() ? kNever : found->second;
  }
  const MemoryTotals& totals() const { return array_->memory()->totals(); }

  spec::Spec spec_;
  record::RecordLog log_;
  std::unique_ptr<SmArray> array_;
  std::vector<Cycle> move_ends_;  // by SM, as last told

 private:
  void move_will_end(SmId sm, Cycle end) override { move_ends_[index(sm)] = end; }

  std::map<std::pair<std::uint32_t, std::uint32_t>, Cycle> ends_;
  std::uint32_t num_kernels_ = 0;
};

TEST_F(LoadedMemories, ATbEndsWhenItsWorkAndItsBytesDo) {
  make(memory_with_roof(100));
  start(0, 0, kernel(500 * kUs, 300 * kBytesPerUs), 0);  // the work is longer
  start(1, 0, kernel(500 * kUs, 700 * kBytesPerUs), 0);  // the bytes are
  start(2, 0, kernel(500 * kUs, 0), 0);
  EXPECT_EQ(end_of(0), 500 * kUs);
  EXPECT_EQ(end_of(1), 700 * kUs);
  EXPECT_EQ(end_of(2), 500 * kUs);
}

// ---- three timelines -----------------------------------------------------------------------------------------

// 1. It would take 1,000 us. At 499.5 another one comes, which asks for as much: from the end of that epoch, at 500,
// each has half. 500 us of its bytes are left, and take 1,000.
TEST_F(LoadedMemories, WhoseRateIsHalvedAt500Of1000UsEndsAt1500) {
  make(memory_with_roof(10));
  start(0, 0, kernel(1, 1000 * kBytesPerUs), 0);
  start(1, 0, kernel(1, 5000 * kBytesPerUs), 499 * kUs + 500);
  EXPECT_EQ(end_of(0), 1500 * kUs);
  EXPECT_EQ(totals().largest_factor, 2 * kUnloaded);
}

// 2. The other one has bytes for 100.5 us: half a us alone, and from 500 to 700 at half the rate. It ends at 700, which
// counts from 701 on; the first one has had 500 + 201 / 2 by then, and 399.5 us are left.
TEST_F(LoadedMemories, WhenTheOtherOneEndsItGoesOnAsBefore) {
  make(memory_with_roof(10));
  start(0, 0, kernel(1, 1000 * kBytesPerUs), 0);
  start(1, 0, kernel(1, 100 * kBytesPerUs + kBytesPerUs / 2), 499 * kUs + 500);
  EXPECT_EQ(end_of(1), 700 * kUs);
  EXPECT_EQ(end_of(0), 1100 * kUs + 500);
}

// 3. Each could have its bytes in half of its time: it asks for half of what it could have. Two get that, and end at
// 1,000. With a third, from 201 on, 3 x 10 / f = 10: f = 3. By 201 each of the two has had 201 us of its 500; 299 us of
// bytes are left, and take 897: 1,098.
TEST_F(LoadedMemories, WhoIsLimitedByItsWorkIsSlowedOnlyOnceMemoryIsSlowEnough) {
  make(memory_with_roof(10));
  const KsrId ksr = kernel(1000 * kUs, 500 * kBytesPerUs);
  start(0, 0, ksr, 0);
  start(1, 0, ksr, 0);
  run_before(150 * kUs);
  EXPECT_EQ(totals().largest_factor, kUnloaded);
  start(2, 0, ksr, 200 * kUs);
  const Cycle end = end_of(0);
  EXPECT_NEAR(static_cast<double>(end), 1098.0 * kUs, 15);  // a third is no whole number of 2^-16
  EXPECT_EQ(end_of(1), end);
}

TEST_F(LoadedMemories, BesideTwoOnlyOthersAreSlowedBySoMuch) {
  make(memory_with_roof(10));
  const KsrId ksr = kernel(1000 * kUs, 500 * kBytesPerUs);
  start(0, 0, ksr, 0);
  start(1, 0, ksr, 0);
  EXPECT_EQ(end_of(0), 1000 * kUs);
  EXPECT_EQ(end_of(1), 1000 * kUs);
}

// Two others read when it comes at 10.5: by the clock of then its bytes would take until 810.5, and its work until
// 610.5. They have 14 of their 20 us left when f becomes 3, at 11, and end at 53. From 54 on it is alone, and its bytes
// are there by 440.
TEST_F(LoadedMemories, WhoseBytesComeSoonerThanWasExpectedEndsWithItsWork) {
  make(memory_with_roof(10));
  const KsrId others = kernel(1, 20 * kBytesPerUs);
  start(0, 0, others, 0);
  start(1, 0, others, 0);
  start(2, 0, kernel(600 * kUs, 400 * kBytesPerUs), 10 * kUs + 500);
  EXPECT_EQ(array_->end_of(SmId(2), 0), 610 * kUs + 500);  // of its work
  EXPECT_EQ(end_of(2), 610 * kUs + 500);
  EXPECT_NEAR(static_cast<double>(end_of(0)), 53.0 * kUs, 2);
}

// ---- an SM's cap ---------------------------------------------------------------------------------------------

TEST_F(LoadedMemories, ATbHasNoMoreThanItsOwnBytesOnTheirWay) {
  make(memory_with_roof(100));
  start(0, 0, kernel(1, 100 * kBytesPerUs, kSmBytes / 4), 0);
  EXPECT_EQ(end_of(0), 400 * kUs);
}

TEST_F(LoadedMemories, BytesOnTheirWayAreThoseOfTheThreadsIfTheKernelDoesNotSay) {
  make(memory_with_roof(100));
  start(0, 0, kernel(1, 32'000, 0), 0);  // 8 threads of 4 bytes: 32 bytes in 100 cycles
  EXPECT_EQ(end_of(0), 100'000U);
}

TEST_F(LoadedMemories, TbsOfAnSmShareItsCapByWhatTheyHaveOnTheirWay) {
  make(memory_with_roof(100));
  // 1,000 and 500 of 1,000: two thirds and one third.
  start(0, 0, kernel(1, 100 * kBytesPerUs, 1000), 0);
  start(0, 1, kernel(1, 50 * kBytesPerUs, 500), 0);
  start(1, 0, kernel(1, 50 * kBytesPerUs, 500), 0);
  EXPECT_EQ(end_of(0, 0), 150 * kUs);
  EXPECT_EQ(end_of(0, 1), 150 * kUs);
  EXPECT_EQ(end_of(1), 100 * kUs);
}

// Both have half from the start. One ends at 200; the other one has 100 of its 200 us left, and goes on as before.
TEST_F(LoadedMemories, TheCapOfAnSmIsSetWhenATbComesAndNotWhenOneGoes) {
  make(memory_with_roof(100));
  start(0, 0, kernel(1, 100 * kBytesPerUs), 0);
  start(0, 1, kernel(1, 200 * kBytesPerUs), 0);
  EXPECT_EQ(end_of(0, 0), 200 * kUs);
  EXPECT_EQ(end_of(0, 1), 400 * kUs);
}

// The first one goes at 200. At 300 one comes that wants 250 of 1,000: now 1,250 are wanted instead of 2,000, and the
// second one, whose last 50 us of bytes would take 100, has them in 62.5.
TEST_F(LoadedMemories, WhoComesLaterMayFindASmallerSumAndAllOfTheSmGetTheNewShare) {
  make(memory_with_roof(100));
  start(0, 0, kernel(1, 100 * kBytesPerUs), 0);
  start(0, 1, kernel(1, 200 * kBytesPerUs), 0);
  start(0, 2, kernel(1, 100 * kBytesPerUs, 250), 300 * kUs);
  EXPECT_EQ(end_of(0, 1), 362 * kUs + 500);
  EXPECT_EQ(end_of(0, 2), 300 * kUs + 500 * kUs);
}

TEST_F(LoadedMemories, NextTbsOfAKernelFindTheSameShare) {
  make(memory_with_roof(100));
  const KsrId ksr = kernel(1, 10 * kBytesPerUs, kSmBytes, 10);
  start(0, 0, ksr, 0);
  start(0, 1, ksr, 0);
  NextFollows rule;
  Cycle last = 0;
  while (array_->next_end() < kNever) {
    const std::optional<TbEnd> end = array_->run_ends(kNever, rule);
    if (!end) continue;
    last = end->cycle;
    leave(*end);
  }
  EXPECT_EQ(last, 100 * kUs);
  EXPECT_EQ(totals().bytes, 100 * kBytesPerUs);
}

// ---- the clock -----------------------------------------------------------------------------------------------

// 96 bytes a cycle are asked for at first; one more is less than a 64th, two more are not.
TEST_F(LoadedMemories, EachOfWhomMovesTrafficByLessThanA64thChangesTheClockWhenTheyDoTogether) {
  spec::MemoryLatencySpec memory = memory_with_roof(100);
  memory.sm_bytes_per_s = 1000 * kGbps;  // no cap
  memory.curve = {{100 * kGbps, 2'000'000}};
  make(memory);
  start(0, 0, kernel(1, 1'000'000'000, 9600), 0);  // 96 bytes a cycle
  run_before(2 * kUs);
  const std::uint64_t first = totals().largest_factor;
  EXPECT_GT(first, kUnloaded);
  start(1, 0, kernel(1, 1'000'000'000, 100), 3 * kUs);
  run_before(5 * kUs);
  EXPECT_EQ(totals().largest_factor, first);  // 97
  start(2, 0, kernel(1, 1'000'000'000, 100), 6 * kUs);
  run_before(8 * kUs);
  EXPECT_GT(totals().largest_factor, first);  // 98: 2/96
}

TEST_F(LoadedMemories, TbsWithoutBytesKnowNothingOfIt) {
  make(memory_with_roof(1));
  start(0, 0, kernel(1, 1000 * kBytesPerUs), 0);
  start(1, 0, kernel(700 * kUs, 0), 0);
  EXPECT_EQ(end_of(1), 700 * kUs);
}

// ---- contexts, copies ----------------------------------------------------------------------------------------

TEST_F(LoadedMemories, AMoveThatComesAndGoesWithinAnEpochSlowsNobody) {
  make(memory_with_roof(10));
  start(0, 0, kernel(1, 200 * kBytesPerUs), 0);
  const KsrId large = kernel(1000 * kUs, 0);
  start(1, 0, large, 0);
  run_before(99 * kUs + 1);
  array_->set_now(99 * kUs + 500);
  array_->stop(SmId(1), 1, 99 * kUs + 500);
  array_->start_move(SmId(1), true, 1, 99 * kUs + 500);
  // 256 bytes, 10 a cycle.
  EXPECT_EQ(move_ends_[1], 99 * kUs + 500 + 26);
  EXPECT_EQ(totals().bytes, 0U);
  array_->end_move(SmId(1), 1, 99 * kUs + 526);
  EXPECT_EQ(totals().bytes, 256U);
  EXPECT_EQ(end_of(0), 200 * kUs);
}

// A save of 20 us begins at 99.5. The roof is one SM's: from 100 on each has half, until the end of the epoch in which
// it has left.
TEST_F(LoadedMemories, APreemptionSlowsWhoRunsAndIsSlowedByIt) {
  make(memory_with_roof(10));
  start(0, 0, kernel(1, 200 * kBytesPerUs), 0);
  KernelLaunch launch;
  launch.num_tbs = 1;
  launch.regs_per_tb = 50'000;  // 200,000 bytes: 20 us
  launch.durations = workload::TbDurations({1000 * kUs, 0}, 0);
  array_->begin_kernel(KsrId{7}, LaunchId(7), launch, 1);
  start(1, 0, KsrId{7}, 0);
  run_before(99 * kUs + 1);
  array_->set_now(99 * kUs + 500);
  array_->stop(SmId(1), 1, 99 * kUs + 500);
  array_->start_move(SmId(1), true, 1, 99 * kUs + 500);
  EXPECT_EQ(move_ends_[1], 119 * kUs + 500);
  run_before(100 * kUs + 1);
  EXPECT_EQ(move_ends_[1], 139 * kUs);  // 19.5 us are left, and take 39
  run_before(139 * kUs);
  array_->set_now(139 * kUs);
  array_->end_move(SmId(1), 1, 139 * kUs);
  // From 100 to 140 at half the rate.
  EXPECT_EQ(end_of(0), 220 * kUs);
  EXPECT_EQ(totals().bytes, 200 * kBytesPerUs + 200'000);
}

// Of 20 bytes a cycle for four SMs an SM has 5.
TEST_F(LoadedMemories, WithMicrocodeAnSmsMoveHasItsShareOfTheMicrocodesBandwidth) {
  spec::GpuSwitchSpec gpu_switch;
  gpu_switch.model = spec::SaveModel::kMicrocode;
  gpu_switch.microcode.bandwidth = kSms * 5 * kGbps;
  make(memory_with_roof(100), gpu_switch);
  start(1, 0, kernel(1000 * kUs, 0), 0);
  array_->set_now(100);
  array_->stop(SmId(1), 1, 100);
  array_->start_move(SmId(1), true, 1, 100);
  EXPECT_EQ(move_ends_[1], 100U + 52);  // 256 bytes
}

TEST_F(LoadedMemories, WhatIsLeftOfTheBytesComesBackWithTheContext) {
  make(memory_with_roof(100));
  const KsrId ksr = kernel(100 * kUs, 300 * kBytesPerUs);
  start(0, 0, ksr, 0);
  run_before(150 * kUs);  // its work is over, half of its bytes are there
  array_->set_now(150 * kUs);
  array_->stop(SmId(0), 1, 150 * kUs);
  EXPECT_EQ(array_->slot(SmId(0), 0).remaining, 0U);
  EXPECT_EQ(array_->slot(SmId(0), 0).bytes_left, 150 * kBytesPerUs);
  EXPECT_EQ(totals().bytes, 150 * kBytesPerUs);
  array_->start_move(SmId(0), true, 1, 150 * kUs, 1);
  array_->end_move(SmId(0), 1, 150 * kUs + 1);
  TbHandle handle;
  array_->take_out(SmId(0), 1, 150 * kUs + 1, [&](const TbHandle& out) { handle = out; });
  array_->await_context(SmId(3), {2, 2}, ksr, handle);
  array_->set_now(400 * kUs);
  array_->start_move(SmId(3), false, 1 << 2, 400 * kUs, 10);
  array_->set_now(400 * kUs + 10);
  array_->end_move(SmId(3), 1 << 2, 400 * kUs + 10);
  EXPECT_EQ(end_of(3, 2), 550 * kUs + 10);
  EXPECT_EQ(totals().bytes, 300 * kBytesPerUs);
}

TEST_F(LoadedMemories, ATbThatStopsInItsWorkHasBothLeft) {
  make(memory_with_roof(100));
  const KsrId ksr = kernel(100 * kUs, 40 * kBytesPerUs);
  start(0, 0, ksr, 0);
  run_before(30 * kUs);
  array_->set_now(30 * kUs);
  array_->stop(SmId(0), 1, 30 * kUs);
  EXPECT_EQ(array_->slot(SmId(0), 0).remaining, 70 * kUs);
  EXPECT_EQ(array_->slot(SmId(0), 0).bytes_left, 10 * kBytesPerUs);
}

TEST_F(LoadedMemories, SoHasOneWhoseBytesWouldHaveComeLast) {
  make(memory_with_roof(100));
  start(0, 0, kernel(100 * kUs, 300 * kBytesPerUs), 0);
  run_before(50 * kUs);
  array_->set_now(50 * kUs);
  array_->stop(SmId(0), 1, 50 * kUs);
  EXPECT_EQ(array_->slot(SmId(0), 0).remaining, 50 * kUs);
  EXPECT_EQ(array_->slot(SmId(0), 0).bytes_left, 250 * kBytesPerUs);
}

TEST_F(LoadedMemories, CopiesTakeWhatTheLinkMoves) {
  spec::MemoryLatencySpec memory = memory_with_roof(10);
  make(memory);
  spec_.gpu.pcie.clock_hz = 5 * kGbps;
  spec_.gpu.pcie.num_lanes = 2;  // 5 bytes a cycle
  start(0, 0, kernel(1, 1000 * kBytesPerUs), 0);
  run_before(100 * kUs);
  array_->copy_moves(true, 99 * kUs + 500);
  run_before(300 * kUs);
  array_->copy_moves(false, 299 * kUs + 500);
  EXPECT_EQ(end_of(0), 1100 * kUs);  // 200 us at half the rate
}

TEST_F(LoadedMemories, NoByteIsLostOrMadeHoweverTbsComeAndGo) {
  spec::MemoryLatencySpec memory = memory_with_roof(20);
  memory.curve = {{5 * kGbps, 1'100'000}, {12 * kGbps, 1'700'000}, {15 * kGbps, 2'500'000}};
  make(memory);
  std::uint64_t expected = 0;
  std::uint64_t state = 12345;
  const auto below = [&](std::uint64_t n) { return (state = workload::mix64(state)) % n; };
  std::vector<KsrId> kernels;
  std::vector<std::uint64_t> bytes_of;
  for (int i = 0; i < 6; ++i) {
    bytes_of.push_back(1 + below(60'000));
    kernels.push_back(kernel(1 + below(9000), bytes_of.back(), static_cast<std::uint32_t>(1 + below(900)), 2000));
  }
  Cycle now = 0;
  for (int i = 0; i < 2000; ++i) {
    now += below(3000);
    run_before(now);
    array_->set_now(now);
    const auto sm = static_cast<std::uint32_t>(below(kSms));
    const std::uint64_t occupied = array_->sm(SmId(sm)).occupied;
    const auto slot = static_cast<std::uint32_t>(below(4));
    if (has_slot(occupied, slot)) continue;
    const std::size_t which = below(kernels.size());
    start(sm, slot, kernels[which], now);
    expected += bytes_of[which];
  }
  run_before(kNever);
  EXPECT_GT(expected, 20'000'000U);
  EXPECT_EQ(totals().bytes, expected);
}

}  // namespace
}  // namespace tessera::tlm_model::test
