// SPDX-License-Identifier: Apache-2.0
// [Z21]'s sizes, demands and merges on examples worked out by hand (docs/papers/reproducing_z21.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/realtime/demand.h"
#include "model/realtime/load.h"
#include "model/realtime/partitioning.h"
#include "model/realtime/response.h"
#include "tests/model/realtime/oracle.h"

namespace tessera::realtime::test {
namespace {

constexpr Nanoseconds kUnit = 1'000'000;  // of the periods in the examples: 1 ms
constexpr std::uint32_t kRtx2080TiSms = 68;

Task compute_units(Nanoseconds a, Nanoseconds period) { return compute_task(a * kUnit, period * kUnit); }
Task memory_units(Nanoseconds a, Nanoseconds period) { return memory_task(a * kUnit, period * kUnit); }

TaskSet set_of(std::vector<Task> tasks, std::uint32_t num_sms = kRtx2080TiSms) {
  TaskSet set;
  set.tasks = std::move(tasks);
  set.num_sms = num_sms;
  return set;
}

Demand demand_of_all(const TaskSet& set, const TestPoints& points) {
  Demand demand(set, points, set.tasks.front());
  for (std::size_t i = 1; i < set.tasks.size(); ++i) demand.add(Demand(set, points, set.tasks[i]));
  return demand;
}

std::uint32_t size_of(const TaskSet& set) {
  const TestPoints points(set.tasks);
  return demand_of_all(set, points).smallest_size(set.num_sms);
}

// The demand of all jobs due by a time, on m SMs, in thousandths of a unit: the fractions of the examples are coarser.
std::int64_t demand_in_thousandths(const std::vector<Task>& tasks, std::uint32_t num_sms, Nanoseconds time) {
  const Wide demand = oracle_demand(tasks, oracle_times(tasks, num_sms), time * kUnit);
  return static_cast<std::int64_t>(demand * 1000 / (Wide(kOraclePartsPerUnit) * num_sms * kUnit));
}

std::vector<std::vector<std::uint32_t>> tasks_of(const Partitioning& partitioning) {
  std::vector<std::vector<std::uint32_t>> tasks;
  for (const Partition& partition : partitioning.partitions) tasks.push_back(partition.tasks);
  return tasks;
}

TEST(RealtimeExamples, TimesOnOneSmGiveSizesAlone) {
  EXPECT_EQ(demand_in_thousandths({compute_units(100, 200)}, 1, 150), 102'000);
  EXPECT_EQ(size_of(set_of({compute_units(100, 200)})), 1U);
  EXPECT_EQ(demand_in_thousandths({memory_units(100, 100)}, 1, 75), 110'000);
  EXPECT_EQ(demand_in_thousandths({memory_units(100, 100)}, 2, 75), 60'000);
  EXPECT_EQ(size_of(set_of({memory_units(100, 100)})), 2U);
}

TEST(RealtimeExamples, LoadAtOneSmIsOverAHyperperiod) {
  const TaskSet set = set_of({compute_units(100, 200)});
  const TestPoints points(set.tasks);
  EXPECT_EQ(points.hyperperiod(), 200 * kUnit);
  EXPECT_THAT(points.times(), testing::ElementsAre(150 * kUnit, 200 * kUnit));
  const Wide load = demand_of_all(set, points).load();  // 102 / 200 over 200 units
  EXPECT_TRUE(load == Wide(102) * kUnit * kTailParts * kFactorParts);
  EXPECT_DOUBLE_EQ(load_without_contention(set), 0.51);
}

TEST(RealtimeExamples, AComputeAndAMemoryTaskShareAnSm) {
  const std::vector<Task> tasks{compute_units(40, 100), memory_units(30, 200)};
  EXPECT_EQ(demand_in_thousandths(tasks, 1, 75), 40'800);
  EXPECT_EQ(demand_in_thousandths(tasks, 1, 150), 73'800);
  EXPECT_EQ(demand_in_thousandths(tasks, 1, 175), 114'600);
  EXPECT_EQ(size_of(set_of(tasks)), 1U);
  EXPECT_NEAR(load_without_contention(set_of(tasks)), 0.573, 1e-12);
  const Partitioning partitioning = partition(set_of(tasks, 1), {});
  EXPECT_TRUE(partitioning.is_schedulable);
  EXPECT_EQ(partitioning.num_sms, 1U);
}

TEST(RealtimeExamples, TwoMemoryTasksTogetherTakeTwiceTheSms) {
  const std::vector<Task> tasks{memory_units(40, 100), memory_units(40, 100)};
  const std::int64_t at_deadline[] = {202'400, 110'400, 79'733, 64'400};
  for (std::uint32_t m = 1; m <= 4; ++m) EXPECT_EQ(demand_in_thousandths(tasks, m, 75), at_deadline[m - 1]);
  EXPECT_EQ(size_of(set_of(tasks)), 4U);
  EXPECT_EQ(size_of(set_of({tasks.front()})), 1U);
  for (const Forbidden forbidden : {Forbidden::kAct, Forbidden::kIna}) {
    const Partitioning partitioning = partition(set_of(tasks), {Heuristic::kSms, forbidden, Stop::kFixpoint});
    EXPECT_EQ(partitioning.partitions.size(), 2U);
    EXPECT_EQ(partitioning.num_sms, 2U);
  }
}

TEST(RealtimeExamples, InaAcceptsWhatActRejects) {
  const TaskSet set = set_of({memory_units(15, 100), memory_units(15, 100), compute_units(148, 200)}, 2);
  EXPECT_EQ(size_of(set_of({set.tasks[0]})), 1U);
  EXPECT_EQ(size_of(set_of({set.tasks[2]})), 2U);
  EXPECT_EQ(demand_in_thousandths({set.tasks[0], set.tasks[1]}, 1, 75), 75'900);
  EXPECT_EQ(size_of(set_of({set.tasks[0], set.tasks[2]})), 2U);
  EXPECT_EQ(size_of(set), 2U);
  const Partitioning ina = partition(set, {Heuristic::kSms, Forbidden::kIna, Stop::kFits});
  EXPECT_TRUE(ina.is_schedulable);
  EXPECT_THAT(tasks_of(ina), testing::ElementsAre(testing::ElementsAre(0, 1, 2)));
  EXPECT_EQ(ina.num_sms, 2U);
  const Partitioning act = partition(set, {Heuristic::kSms, Forbidden::kAct, Stop::kFits});
  EXPECT_FALSE(act.is_schedulable);
  EXPECT_EQ(act.num_sms, 3U);
}

// What a memory task of long thread blocks does to a compute task under drain, and does not under free switching.
TEST(RealtimeExamples, UnderFreeSwitchingALongTaskDelaysNoShortOne) {
  const TaskSet set = set_of({compute_units(10, 50), memory_units(450, 4000)}, 1);
  EXPECT_NEAR(load_without_contention(set), 10.2 / 50 + 495.0 / 4000, 1e-12);  // 0.328
  EXPECT_EQ(size_of(set), 1U);
  const auto bounds = response_bounds(set, {0, 1}, 1);
  ASSERT_EQ(bounds.size(), 2U);
  EXPECT_EQ(bounds[0], 10'200'000);                     // C(1): y is never more urgent while x is open
  EXPECT_EQ(bounds[1], 495 * kUnit + 13 * 10'200'000);  // 13 jobs of x are released in 627.6 units
}

TEST(RealtimeExamples, UnderDrainALongThreadBlockBreaksTheShortTasksDeadline) {
  TaskSet set = set_of({compute_units(10, 50), memory_units(450, 4000)});
  set.tasks[0].blocking_parts = kUnit / 5 * kTailParts;   // 50 thread blocks of 0.2
  set.tasks[1].blocking_parts = 45 * kUnit * kTailParts;  // 10 of 45
  EXPECT_EQ(size_of(set), kNoSize);                       // 45 + b > 37.5, whatever m is
  const auto bounds = response_bounds(set, {0, 1}, 1);
  ASSERT_TRUE(bounds[0]);
  EXPECT_GT(*bounds[0], set.tasks[0].deadline);
}

// [Z21] 4.2: nine compute tasks are in conflict, the memory task among them is not.
TEST(RealtimeExamples, ASingleMemoryTaskAmongNineComputeTasksIsNotInConflict) {
  std::vector<Task> tasks(9, compute_units(10, 400));
  tasks.push_back(memory_units(10, 400));
  const TaskSet set = set_of(tasks);
  const TestPoints points(set.tasks);
  const Demand demand = demand_of_all(set, points);
  EXPECT_EQ(demand.num_tasks(), 10U);
  EXPECT_TRUE(demand.has_conflict(TaskKind::kCompute));
  EXPECT_FALSE(demand.has_conflict(TaskKind::kMemory));
  // 9 * 1.2 * 10.2 + 11 = 121.16 in one hyperperiod
  EXPECT_TRUE(demand.load() == Wide(121'160) * (kUnit / 1000) * kTailParts * kFactorParts);
  EXPECT_NEAR(load_with_contention(set), 121.16 / 400, 1e-12);
}

}  // namespace
}  // namespace tessera::realtime::test
