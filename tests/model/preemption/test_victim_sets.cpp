// SPDX-License-Identifier: Apache-2.0
// Whom each position of a guest needs gone: the figures and the table of [S16], and brute force over single registers
// and bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

#include "model/preemption/victim_selection.h"
#include "model/preemption/victim_sets.h"
#include "tests/model/preemption/victim_support.h"

namespace tessera::preemption {
namespace {

using test::extended;
using test::set_of;
using testing::ElementsAre;

constexpr SmRoom kGtx480{32768, 49152, 1536, 8};  // [S16] Table 4.1
constexpr TbSize kSynthetic{4096, 2048, 256};     // [S16] 4.2: the guest
constexpr std::uint64_t kAll = ~std::uint64_t{0};

std::vector<Placed> row_of(const TbSize& size, std::uint32_t count) {
  std::vector<Placed> tbs;
  for (std::uint32_t i = 0; i < count; ++i) tbs.push_back({i, size});
  return tbs;
}

// As the figures write a set: slot 0 stands first.
std::string bits_of(std::uint64_t set, std::uint32_t slots) {
  std::string text;
  for (std::uint32_t i = 0; i < slots; ++i) text += (set >> i & 1) != 0 ? '1' : '0';
  return text;
}
std::vector<std::string> bits_of(const std::vector<std::uint64_t>& sets, std::uint32_t slots) {
  std::vector<std::string> texts;
  for (const std::uint64_t set : sets) texts.push_back(bits_of(set, slots));
  return texts;
}
// ---- the figures ---------------------------------------------------------------------------------------------------

// Eight TBs of R registers, positions P apart: slot 2 lies across position 1, slot 4 across position 2 and slot 6
// across position 3, so 2 R < P, 2 P < 5 R and 3 P < 7 R. R is a size of Table 4.2, P = 2 1/4 R.
constexpr std::uint32_t kFigureR = 3584;
constexpr std::uint32_t kFigureP = 8064;

std::vector<std::uint64_t> sets_of_figure(std::uint32_t stride) {
  const TbSize guest{stride, 0, 256};
  return victim_sets(row_of({kFigureR, 0, 128}, 8), 0xFF, guest, 4);
}

TEST(VictimSets, AreThoseOfFigure38) {
  EXPECT_EQ(num_positions(kGtx480, {kFigureP, 0, 256}), 4U);
  EXPECT_THAT(bits_of(sets_of_figure(kFigureP), 8), ElementsAre("11100000", "00111000", "00001110", "00000011"));
}

TEST(VictimSets, OfFigure38NeedAStrideBetweenTwoTbsAndTwoAndAThird) {
  const auto figure = sets_of_figure(kFigureP);
  for (std::uint32_t stride = 7000; stride < 9000; ++stride) {
    EXPECT_EQ(sets_of_figure(stride) == figure, 2 * kFigureR < stride && 3 * stride < 7 * kFigureR) << stride;
  }
}

TEST(VictimSets, AfterCandidate1HasGoneAreThoseOfFigure39) {
  auto sets = sets_of_figure(kFigureP);
  evict(sets, sets[1]);
  EXPECT_THAT(bits_of(sets, 8), ElementsAre("11000000", "00000000", "00000110", "00000011"));
}

// Figure 3.3(b): the resource between positions 0 and 1 is occupied by TB 0, TB 1 and TB 2.
TEST(VictimSets, OfFigure33HoldWhoLiesBetweenTwoPositions) {
  EXPECT_EQ(sets_of_figure(kFigureP)[0], set_of({0, 1, 2}));
}

// Figure 3.2: a guest's TB takes as much as two; TB 1 and TB 2 gone free no position, TB 0 and TB 3 gone then free
// both.
TEST(VictimSets, OfFigure32AlignSoThatNothingFragments) {
  auto sets = victim_sets(row_of({8192, 0, 256}, 4), 0xF, {16384, 0, 256}, 2);
  evict(sets, set_of({1, 2}));
  EXPECT_THAT(sets, ElementsAre(set_of({0}), set_of({3})));
  evict(sets, set_of({0}));
  EXPECT_THAT(sets, ElementsAre(0, set_of({3})));
}

TEST(VictimSets, EvictingATwiceGoneSetChangesNothing) {
  auto sets = sets_of_figure(kFigureP);
  evict(sets, 0);
  EXPECT_EQ(sets, sets_of_figure(kFigureP));
  evict(sets, set_of({2}));
  const auto once = sets;
  evict(sets, set_of({2}));
  EXPECT_EQ(sets, once);
}

// ---- positions -----------------------------------------------------------------------------------------------------

TEST(VictimSets, TheSyntheticGuestHasEightPositions) {
  EXPECT_EQ(num_positions(kGtx480, kSynthetic), 8U);
  EXPECT_EQ(num_positions({65536, 49152, 2048, 16}, kSynthetic), 16U) << "[S16] 3.4.5: up to 16 candidates";
}

TEST(VictimSets, TheScarcerResourceLimitsThePositions) {
  EXPECT_EQ(num_positions({1000, 1000, 0, 0}, {100, 0, 0}), 10U) << "no shared memory, no limit by it";
  EXPECT_EQ(num_positions({1000, 1000, 0, 0}, {100, 250, 0}), 4U);
  EXPECT_EQ(num_positions({1000, 1000, 0, 0}, {1001, 1, 0}), 0U);
  EXPECT_EQ(num_positions({1000, 1000, 0, 0}, {1, 1001, 0}), 0U);
  EXPECT_EQ(num_positions({1000, 1000, 0, 0}, {999, 1000, 0}), 1U);
  EXPECT_EQ(num_positions({65536, 49152, 0, 0}, {1, 0, 0}), kMaxPositions);
}

TEST(VictimSets, RegisterAndSharedMemoryRangesUnite) {
  // TB 0: registers [0, 10), bytes [0, 25); TB 1: registers [10, 20), bytes [25, 50).
  const auto tbs = row_of({10, 25, 1}, 2);
  EXPECT_THAT(bits_of(victim_sets(tbs, kAll, {10, 0, 1}, 5), 2), ElementsAre("10", "01", "00", "00", "00"));
  EXPECT_THAT(bits_of(victim_sets(tbs, kAll, {10, 10, 1}, 5), 2), ElementsAre("10", "11", "11", "01", "01"));
}

TEST(VictimSets, NoTbOverlapsAPositionThatIsNotThere) {
  const Placed tb{0, {100, 0, 1}};
  EXPECT_EQ(overlapped_positions(tb, {10, 0, 1}, 10), 0x3FFU);
  EXPECT_EQ(overlapped_positions(tb, {10, 0, 1}, 4), 0xFU);
  EXPECT_EQ(overlapped_positions(tb, {10, 0, 1}, 0), 0U);
}

TEST(VictimSets, HoldNoSlotThatIsNotOccupied) {
  EXPECT_THAT(bits_of(victim_sets(row_of({4096, 2048, 256}, 3), set_of({0, 2}), kSynthetic, 4), 3),
              ElementsAre("100", "000", "001", "000"));
}

// ---- brute force ---------------------------------------------------------------------------------------------------

bool intersect(std::uint32_t begin_a, std::uint32_t size_a, std::uint32_t begin_b, std::uint32_t size_b) {
  for (std::uint32_t unit = begin_a; unit < begin_a + size_a; ++unit) {
    if (unit >= begin_b && unit < begin_b + size_b) return true;
  }
  return false;
}

bool are_in_each_others_way(const Placed& tb, std::uint32_t position, const TbSize& guest) {
  return intersect(tb.position * tb.size.registers, tb.size.registers, position * guest.registers, guest.registers) ||
         intersect(tb.position * tb.size.shared_memory_bytes, tb.size.shared_memory_bytes,
                   position * guest.shared_memory_bytes, guest.shared_memory_bytes);
}

// Machines of up to 64 positions and slots; TBs of several sizes and at any position, as where guests have come before.
RC_GTEST_PROP(VictimSets, HoldATbIfAndOnlyIfOneOfItsRegistersOrBytesIsInTheWay, ()) {
  const auto in = [](std::uint32_t low, std::uint32_t high) { return *rc::gen::inRange(low, high + 1); };
  const SmRoom room{in(1, 130), in(0, 130), 0, 64};
  const TbSize guest{in(1, room.registers), in(0, room.shared_memory_bytes), 0};
  const std::uint32_t positions = num_positions(room, guest);
  std::vector<Placed> tbs(in(0, 64));
  for (Placed& tb : tbs) tb = {in(0, 12), {in(1, 40), in(0, 40), 0}};
  const auto occupied = *rc::gen::arbitrary<std::uint64_t>();
  const auto sets = victim_sets(tbs, occupied, guest, positions);
  RC_ASSERT(sets.size() == positions);
  for (std::uint32_t p = 0; p < positions; ++p) {
    for (std::uint32_t slot = 0; slot < 64; ++slot) {
      const bool is_there = slot < tbs.size() && (occupied >> slot & 1) != 0;
      RC_ASSERT(((sets[p] >> slot & 1) != 0) == (is_there && are_in_each_others_way(tbs[slot], p, guest)));
    }
  }
}

RC_GTEST_PROP(VictimSets, OnceASetHasGoneNobodyElseIsInItsPositionsWay, ()) {
  const std::uint32_t r = *rc::gen::inRange(1U, 5000U);
  const TbSize guest{*rc::gen::inRange(1U, 9000U), *rc::gen::inRange(0U, 9000U), 0};
  const std::uint32_t positions = num_positions(kGtx480, guest);
  RC_PRE(positions > 0);
  auto sets = victim_sets(row_of({r, r, 0}, std::min(8U, kGtx480.registers / r)), kAll, guest, positions);
  const auto before = sets;
  const auto gone = *rc::gen::inRange(0U, positions);
  evict(sets, before[gone]);
  RC_ASSERT(sets[gone] == 0);
  for (std::uint32_t p = 0; p < positions; ++p) RC_ASSERT(sets[p] == (before[p] & ~before[gone]));
}

TEST(VictimSets, OfTheLargestMachineDoNotOverflow) {
  const TbSize huge{0x10000, 0xFFFFFFFF, 1};
  EXPECT_EQ(overlapped_positions({kMaxPositions - 1, huge}, huge, kMaxPositions), std::uint64_t{1} << 63);
  EXPECT_EQ(overlapped_positions({0, huge}, {1, 1, 1}, kMaxPositions), kAll);
  EXPECT_EQ(overlapped_positions({0xFFFFFFFF, huge}, {1, 1, 1}, kMaxPositions), 0U);
}

// ---- [S16] Table 4.2 -----------------------------------------------------------------------------------------------

struct Kernel {
  const char* name;
  TbSize size;
  std::uint32_t tbs_per_sm;  // as the table has it
};
constexpr Kernel kTable42[] = {
    {"dynproc", {4096, 2048, 256}, 6},
    {"calculate_temp", {9216, 3072, 256}, 3},
    {"Kernel_compute_cost", {6144, 0, 512}, 3},
    {"c_CopySrcToComponents", {3584, 3096, 64}, 8},
    {"Fdwt53Kernel", {3072, 768, 256}, 6},
    {"invert_mapping", {3072, 3072, 256}, 6},
    {"kmeansPoint", {3072, 3072, 256}, 6},
    {"block2D_hybrid_coarsen_x", {3584, 0, 128}, 8},
    {"srad_cuda_1", {5120, 6144, 256}, 6},
    {"srad_cuda_2", {5120, 5120, 256}, 6},
    {"findRangeK", {5120, 0, 256}, 6},
    {"findK", {4096, 0, 256}, 6},
    {"needle_cuda_shared_1", {1536, 2180, 32}, 8},
    {"needle_cuda_shared_2", {1536, 2180, 32}, 8},
    {"bfs Kernel", {8192, 0, 512}, 3},
    {"bfs Kernel2", {6144, 0, 512}, 3},
    {"bpnn_layerforward_cuda", {3072, 1088, 256}, 6},
    {"bpnn_adjust_weights_cuda", {6144, 0, 256}, 5},
    {"heartwall kernel", {8192, 11872, 256}, 4},
};

std::vector<std::uint64_t> sets_for_synthetic(const Kernel& victim) {
  return victim_sets(row_of(victim.size, victim.tbs_per_sm), kAll, kSynthetic, num_positions(kGtx480, kSynthetic));
}
std::int64_t spare_threads(const Kernel& victim) {
  return std::int64_t{kGtx480.threads} - std::int64_t{victim.tbs_per_sm} * victim.size.threads;
}
std::int64_t spare_slots(const Kernel& victim) { return std::int64_t{kGtx480.slots} - victim.tbs_per_sm; }

TEST(VictimSets, OfTable42AreEmptyForNineKernelsOfWhichEightHaveNoThreadOrSlotToSpare) {
  int empty = 0;
  int blocked = 0;
  for (const Kernel& kernel : kTable42) {
    const auto sets = sets_for_synthetic(kernel);
    if (std::count(sets.begin(), sets.end(), 0U) == 0) continue;
    ++empty;
    const bool has_room = spare_threads(kernel) >= kSynthetic.threads && spare_slots(kernel) >= 1;
    if (!has_room) ++blocked;
    EXPECT_EQ(has_room, kernel.name == std::string("calculate_temp")) << kernel.name;
  }
  EXPECT_EQ(std::size(kTable42), 19U);
  EXPECT_EQ(empty, 9);
  EXPECT_EQ(blocked, 8);
}

TEST(VictimSets, HotspotsFirstGuestNeedsNobodyGone) {
  const auto sets = sets_for_synthetic(kTable42[1]);
  EXPECT_EQ(sets[7], 0U);
  for (std::uint32_t p = 0; p < 7; ++p) EXPECT_NE(sets[p], 0U) << p;
}

// ---- empty sets and full SMs ---------------------------------------------------------------------------------------

constexpr SwitchPrice kSlowSwitch{spec::SwitchPricing::kChannel, 20, 0, 5000, 1};

TEST(VictimSets, StreamclustersEmptyPositionsNeedItsCheapestTbGone) {
  const Kernel& streamcluster = kTable42[2];
  const auto sets = sets_for_synthetic(streamcluster);
  for (std::uint32_t p = 0; p < 8; ++p) EXPECT_EQ(sets[p] == 0, p >= 5) << p;
  ASSERT_EQ(spare_threads(streamcluster), 0);
  std::vector<TbStatus> tbs(3);
  for (std::uint32_t i = 0; i < 3; ++i) tbs[i] = {i, 1000 - 300 * (i % 2), 2000, kNever, true, false, 0};
  const Spare spare{0, spare_slots(streamcluster), 0, spare_slots(streamcluster)};
  const auto slots =
      extended(tbs, sets[5], streamcluster.size.threads, kSynthetic.threads, spare, 100, kSlowSwitch, {});
  EXPECT_EQ(slots, set_of({1})) << "700 instructions instead of 1000";
}

TEST(VictimSets, HotspotsEmptyPositionNeedsNobodyElseEither) {
  const Kernel& hotspot = kTable42[1];
  const Spare spare{spare_threads(hotspot), spare_slots(hotspot), spare_threads(hotspot), spare_slots(hotspot)};
  const std::vector<TbStatus> tbs = {{0, 1, 1, 1, true, false, 0}, {1, 1, 1, 1, true, false, 0}};
  EXPECT_EQ(extended(tbs, 0, hotspot.size.threads, kSynthetic.threads, spare, 100, kSlowSwitch, {}), 0U);
}

}  // namespace
}  // namespace tessera::preemption
