// SPDX-License-Identifier: Apache-2.0
// The SM array by itself, through its public interface: no scheduler says what it shall do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/tlm/core_bench.h"
#include "tlm/execution_engine/sm_array/ends_loop.h"

namespace tessera::tlm_model::test {
namespace {

constexpr SmId kSm{0};
constexpr std::uint64_t kAll = ~std::uint64_t{0};

// A TB that ends is followed where its slot may be refilled, in the cycle after.
struct FollowInTheNextCycle {
  static constexpr bool kPaces = true;
  static constexpr bool kStretches = true;
  void over(const TbEnd&) const {}
  Cycle start_of_next(const TbEnd& end, const Sm& sm, const KernelRun& kernel) const {
    return has_slot(sm.refill, end.slot) && kernel.has_fresh() ? end.cycle + 1 : kNever;
  }
  Cycle duration_of_next(const TbEnd&, const KernelRun& kernel) const { return kernel.next_duration; }
};

class SmArrays : public testing::Test, private IMoveTimer {
 protected:
  SmArrays() : spec_(tiny_machine(1, 1)), array_(spec_, log_, &monitor_, nullptr) {
    array_.set_move_timer(this);
    log_.add_sink(&sink_);
  }

  void begin(KsrId ksr, std::uint32_t num_tbs, Cycle duration, std::uint32_t regs_per_tb,
             std::int32_t occupancy_speedup_ppm = 0) {
    KernelLaunch launch;
    launch.num_tbs = num_tbs;
    launch.regs_per_tb = regs_per_tb;
    launch.threads_per_tb = 8;
    launch.smem_bytes_per_tb = 32;
    launch.durations = workload::TbDurations({duration, 0}, 0);
    launch.occupancy_speedup_ppm = occupancy_speedup_ppm;
    array_.begin_kernel(ksr, LaunchId(index(ksr)), launch, 4);
  }
  void start(std::uint32_t slot, KsrId ksr, Cycle at) {
    array_.start_fresh(kSm, {slot, slot}, ksr, at, array_.kernel(ksr).next_duration);
  }
  std::optional<TbEnd> next_end(Cycle before) {
    FollowInTheNextCycle rule;
    return array_.run_ends(before, rule);
  }
  std::vector<Cycle> cycles(record::Kind kind) const {
    std::vector<Cycle> cycles;
    for (const record::Record& record : sink_.records()) {
      if (record.kind == kind) cycles.push_back(record.cycle);
    }
    return cycles;
  }

  spec::Spec spec_;
  record::RecordLog log_;
  record::MemorySink sink_;
  record::InvariantMonitor monitor_{8, {65536, 4096, kMaxThreadsPerSm, 4}};
  SmArray array_;
  Cycle move_ends_ = kNever;

 private:
  void move_will_end(SmId, Cycle end) override { move_ends_ = end; }
};

// Two TBs are stopped and go to memory together. Alone on its SM the third is three times as fast as beside them.
TEST_F(SmArrays, OfThreeKernelsOnOneSmTwoAreSavedInOneMoveAndTheThirdRunsOnAtItsOwnPace) {
  const KsrId a{0};
  const KsrId b{1};
  const KsrId c{2};
  begin(a, 1, 1000, 100);
  begin(b, 1, 2000, 60);
  begin(c, 1, 3000, 40, 1'000'000);  // alone on an SM of four it is four times as fast
  start(0, a, 0);
  start(1, b, 0);
  start(2, c, 0);
  EXPECT_EQ(array_.end_of(kSm, 0), 1000U);
  EXPECT_EQ(array_.end_of(kSm, 1), 2000U);
  EXPECT_EQ(array_.end_of(kSm, 2), 2250U);  // 3 of 4 are there: 4/3 of its pace

  array_.set_now(750);
  array_.stop(kSm, 0b011, 750);
  EXPECT_EQ(array_.sm(kSm).running(), 0b100U);
  EXPECT_EQ(array_.end_of(kSm, 0), kNever);
  EXPECT_EQ(array_.slot(kSm, 0).remaining, 250U);
  EXPECT_EQ(array_.slot(kSm, 1).remaining, 1250U);
  EXPECT_EQ(array_.end_of(kSm, 2), 2250U);  // who stands still is still there

  array_.start_move(kSm, true, 0b011, 750);
  const ContextMove move = array_.sm(kSm).moves.front();
  EXPECT_EQ(move.bytes, 4U * (100 + 60) + 2 * 32);
  EXPECT_EQ(move.warps, 2U);
  EXPECT_EQ(move.shared_memory_bytes, 64U);
  EXPECT_EQ(move_ends_, 750 + move.bytes / kBytesPerCycle);
  array_.set_now(move_ends_);
  array_.end_move(kSm, 0b011, move_ends_);
  std::vector<TbHandle> handles;
  array_.take_out(kSm, 0b011, move_ends_, [&](const TbHandle& handle) { handles.push_back(handle); });
  EXPECT_EQ(array_.sm(kSm).occupied, 0b100U);
  EXPECT_EQ(array_.kernel(a).tbs.away, 1U);
  EXPECT_EQ(array_.kernel(b).tbs.away, 1U);

  // 3000 cycles of work, of which 794 were done at 4/3 of a cycle each; the rest at 4.
  const Cycle left = (3 * 3000 - 4 * move_ends_ + 2) / 3;
  EXPECT_EQ(array_.end_of(kSm, 2), move_ends_ + (left + 3) / 4);

  // The first comes back, and runs on from where it stood.
  array_.await_context(kSm, {3, 3}, a, handles[0]);
  EXPECT_EQ(array_.sm(kSm).coming(), 0b1000U);
  array_.start_move(kSm, false, 0b1000, 900, 50);
  EXPECT_EQ(array_.end_of_move(kSm, array_.sm(kSm).moves.front()), 950U);
  array_.set_now(950);
  array_.end_move(kSm, 0b1000, 950);
  EXPECT_EQ(array_.end_of(kSm, 3), 950U + 250);
  EXPECT_EQ(array_.kernel(a).tbs.away, 0U);
  EXPECT_TRUE(monitor_.all_hold());
}

TEST_F(SmArrays, OnlyAnEndThatNoOtherTbFollowsIsReported) {
  begin(KsrId{0}, 3, 10, 64);
  start(0, KsrId{0}, 0);
  array_.set_refill(kSm, kAll);
  const std::optional<TbEnd> end = next_end(100);
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->cycle, 10U + 11 + 11);
  EXPECT_EQ(array_.kernel(KsrId{0}).tbs.finished, 3U);
  EXPECT_EQ(array_.sm(kSm).occupied, 1U);  // until it is taken out
  EXPECT_EQ(array_.sm(kSm).running(), 0U);
  array_.vacate(kSm, 1, end->cycle);
  EXPECT_EQ(array_.sm(kSm).occupied, 0U);
  EXPECT_FALSE(next_end(100).has_value());
}

TEST_F(SmArrays, ADroppedTbStartsAgainFromItsBeginningAndKnowsHowOftenItWas) {
  const KsrId ksr{0};
  begin(ksr, 2, 100, 64);
  start(0, ksr, 0);
  array_.set_now(60);
  array_.drop(kSm, 1, 60);
  EXPECT_EQ(array_.sm(kSm).running(), 0U);
  std::vector<TbHandle> handles;
  array_.take_out(kSm, 1, 60, [&](const TbHandle& handle) { handles.push_back(handle); });
  ASSERT_EQ(handles.size(), 1U);
  EXPECT_TRUE(handles[0].is_flushed());
  EXPECT_EQ(array_.kernel(ksr).tbs.away, 1U);
  array_.start_again(kSm, {2, 2}, ksr, handles[0], 70);
  EXPECT_EQ(array_.kernel(ksr).tbs.away, 0U);
  EXPECT_EQ(array_.end_of(kSm, 2), 170U);
  EXPECT_EQ(array_.slot(kSm, 2).num_flushes, 1U);
  start(0, ksr, 80);
  EXPECT_EQ(array_.slot(kSm, 0).num_flushes, 0U);  // another TB
}

TEST_F(SmArrays, MovesOfAFixedPriceGoSideBySide) {
  begin(KsrId{0}, 2, 1000, 64);
  start(0, KsrId{0}, 0);
  start(1, KsrId{0}, 0);
  array_.set_now(10);
  array_.stop(kSm, 0b11, 10);
  array_.start_move(kSm, true, 0b01, 10, 30);
  array_.start_move(kSm, true, 0b10, 20, 30);
  EXPECT_EQ(array_.sm(kSm).moves.size(), 2U);
  EXPECT_EQ(array_.end_of_move(kSm, array_.sm(kSm).moves[0]), 40U);
  EXPECT_EQ(array_.end_of_move(kSm, array_.sm(kSm).moves[1]), 50U);
  array_.end_move(kSm, 0b01, 40);
  ASSERT_EQ(array_.sm(kSm).moves.size(), 1U);
  EXPECT_EQ(array_.sm(kSm).moves[0].slots, 0b10U);
}

TEST_F(SmArrays, MoreResidentsThanAnSmHasRoomForAreAViolation) {
  begin(KsrId{0}, 2, 1000, 40'000);
  start(0, KsrId{0}, 0);
  EXPECT_EQ(array_.sm(kSm).free.registers, 65536 - 40'000);
  EXPECT_EQ(array_.sm(kSm).free.threads, static_cast<std::int32_t>(kMaxThreadsPerSm) - 8);
  EXPECT_TRUE(monitor_.all_hold());
  start(1, KsrId{0}, 0);
  EXPECT_FALSE(monitor_.all_hold());
}

}  // namespace
}  // namespace tessera::tlm_model::test
