// SPDX-License-Identifier: Apache-2.0
// The latency at which all that is asked of memory is what memory answers (docs/concepts/loaded_memory.md).
#include <gtest/gtest.h>

#include "model/base/time.h"
#include "model/spec/gpu_spec.h"
#include "model/workload/memory_traffic.h"

namespace tessera::workload {
namespace {

constexpr std::uint64_t kGbps = 1'000'000'000;

// A factor in thousandths, rounded to the nearest.
std::uint64_t thousandths(std::uint64_t factor) { return mul_div_round(factor, 1000, kUnloaded); }

MemoryTraffic traffic_under(std::vector<spec::LatencyPoint> curve) {
  spec::MemoryLatencySpec memory;
  memory.curve = std::move(curve);
  return MemoryTraffic(memory);
}

TEST(LatencyCurve, IsAStraightLineBetweenPointsAndFromOneAtNoTraffic) {
  spec::MemoryLatencySpec memory;
  memory.curve = {{100, 1'500'000}, {200, 3'000'000}};
  const LatencyCurve curve(memory);
  EXPECT_FALSE(curve.is_above(0, kUnloaded));
  EXPECT_FALSE(curve.is_above(50, kUnloaded * 5 / 4));
  EXPECT_TRUE(curve.is_above(50, kUnloaded * 5 / 4 - 1));
  EXPECT_FALSE(curve.is_above(150, kUnloaded * 9 / 4));
  EXPECT_TRUE(curve.is_above(150, kUnloaded * 9 / 4 - 1));
  EXPECT_FALSE(curve.is_above(200, kUnloaded * 3));
  EXPECT_TRUE(curve.is_above(201, kUnloaded * 100));
}

TEST(MemoryTraffic, OfOneThatAsksForLessThanTheRoofIsAnsweredAtOnce) {
  MemoryTraffic traffic = traffic_under({{1000 * kGbps, 1'000'000}});
  traffic.add(MemoryTraffic::unlimited(900 * kGbps));
  EXPECT_FALSE(traffic.settle());
  EXPECT_EQ(traffic.factor(), kUnloaded);
  EXPECT_EQ(traffic.traffic(), 900 * kGbps);
}

TEST(MemoryTraffic, AtASharpRoofIsNeverMore) {
  MemoryTraffic traffic = traffic_under({{1000 * kGbps, 1'000'000}});
  for (int i = 0; i < 4; ++i) traffic.add(MemoryTraffic::unlimited(900 * kGbps));
  EXPECT_TRUE(traffic.settle());
  EXPECT_EQ(thousandths(traffic.factor()), 3600U);
  EXPECT_LE(traffic.traffic(), 1000 * kGbps);
  EXPECT_GE(traffic.traffic(), 999 * kGbps);
}

// f = 1 + X / 1000 with X = 2000 / f: f (f - 1) = 2.
TEST(MemoryTraffic, OnASlopeIsWhereBothAgree) {
  MemoryTraffic traffic = traffic_under({{4000 * kGbps, 5'000'000}});
  traffic.add(MemoryTraffic::unlimited(2000 * kGbps));
  EXPECT_TRUE(traffic.settle());
  EXPECT_EQ(thousandths(traffic.factor()), 2000U);
}

// Each could have 1000, and asks for 400 over its work: 3 x 400 are too many for a roof of 900, and so is each until
// memory limits it, from a factor of 2.5 on. At 10 / 3 it has 300.
TEST(MemoryTraffic, OfThoseWhoseWorkTakesLongerIsSpreadOverTheirWork) {
  MemoryTraffic traffic = traffic_under({{900 * kGbps, 1'000'000}});
  const MemoryDemand demand = MemoryTraffic::demand(400 * kGbps, 1000 * kGbps);
  traffic.add(demand);
  traffic.add(demand);
  EXPECT_FALSE(traffic.settle());
  EXPECT_EQ(traffic.traffic(), 800 * kGbps);
  traffic.add(demand);
  EXPECT_TRUE(traffic.settle());
  EXPECT_EQ(thousandths(traffic.factor()), 3333U);
  traffic.remove(demand);
  EXPECT_TRUE(traffic.settle());
  EXPECT_EQ(traffic.factor(), kUnloaded);
  EXPECT_EQ(traffic.traffic(), 800 * kGbps);
}

// One that only memory limits, and one that asks for 100 of its 1000 until the factor is 10: 1000 / f + 100 = 600.
TEST(MemoryTraffic, SlowsWhoIsLimitedByMemoryAndNotWhoIsNot) {
  MemoryTraffic traffic = traffic_under({{600 * kGbps, 1'000'000}});
  traffic.add(MemoryTraffic::unlimited(1000 * kGbps));
  traffic.add(MemoryTraffic::demand(100 * kGbps, 1000 * kGbps));
  EXPECT_TRUE(traffic.settle());
  EXPECT_EQ(thousandths(traffic.factor()), 2000U);
}

TEST(MemoryTraffic, OfCopiesIsNotSlowedDown) {
  MemoryTraffic traffic = traffic_under({{600 * kGbps, 1'000'000}});
  traffic.add(MemoryTraffic::unlimited(1000 * kGbps));
  traffic.add_fixed(200 * kGbps);
  EXPECT_TRUE(traffic.settle());
  EXPECT_EQ(thousandths(traffic.factor()), 2500U);
  traffic.remove_fixed(200 * kGbps);
  EXPECT_TRUE(traffic.settle());
  EXPECT_EQ(thousandths(traffic.factor()), 1667U);
}

// 640 + 10 is as much as 1/64 more, 640 + 11 is more.
TEST(MemoryTraffic, ThatMovesByNoMoreThanA64thChangesNothing) {
  MemoryTraffic traffic = traffic_under({{1000 * kGbps, 2'000'000}});
  traffic.add_fixed(640 * kGbps);
  EXPECT_TRUE(traffic.settle());
  const std::uint64_t before = traffic.factor();
  EXPECT_EQ(thousandths(before), 1640U);
  traffic.add_fixed(10 * kGbps);
  EXPECT_FALSE(traffic.settle());
  EXPECT_EQ(traffic.factor(), before);
  traffic.add_fixed(1 * kGbps);
  EXPECT_TRUE(traffic.settle());
  EXPECT_EQ(thousandths(traffic.factor()), 1651U);
}

// Sums by bins, against each demand asked by itself: no more off than a bin is wide.
TEST(MemoryTraffic, OfManyUnequalOnesIsThatOfEach) {
  constexpr std::uint64_t kRoof = 1000 * kGbps;
  MemoryTraffic traffic = traffic_under({{kRoof, 1'000'000}});
  std::vector<MemoryDemand> all;
  for (std::uint64_t i = 1; i <= 300; ++i) {
    all.push_back(MemoryTraffic::demand(i * 20 * kGbps / 300, (300 + 7 * (i * 131 % 300)) * kGbps / 30));
    traffic.add(all.back());
  }
  EXPECT_TRUE(traffic.settle());
  std::uint64_t asked = 0;
  for (const MemoryDemand& one : all)
    asked += std::min(one.spread, mul_div_floor(one.most, kUnloaded, traffic.factor()));
  EXPECT_GT(thousandths(traffic.factor()), 1500U);
  EXPECT_LE(asked, kRoof);
  EXPECT_GE(asked, kRoof - kRoof / 100);
  for (const MemoryDemand& one : all) traffic.remove(one);
  EXPECT_TRUE(traffic.settle());
  EXPECT_EQ(traffic.traffic(), 0U);
  EXPECT_EQ(traffic.factor(), kUnloaded);
}

}  // namespace
}  // namespace tessera::workload
