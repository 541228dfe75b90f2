// SPDX-License-Identifier: Apache-2.0
// The fewest SMs of a partition in closed form, by [Z21] Algorithm 2 and by the definition; and what the demand test
// says against EDF itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/realtime/demand.h"
#include "tests/model/realtime/oracle.h"

namespace tessera::realtime::test {
namespace {

constexpr std::uint32_t kMostSms = 68;

Demand sum_of(const TaskSet& set, const TestPoints& points) {
  Demand demand(set, points, set.tasks.front());
  for (std::size_t i = 1; i < set.tasks.size(); ++i) demand.add(Demand(set, points, set.tasks[i]));
  return demand;
}

// Some tasks that take one SM and some that take many; a few over the paper's whole hyperperiod.
TaskSet random_partition(std::mt19937_64& random) {
  static const std::vector<Nanoseconds> few{50, 80, 100, 200, 400};
  static const std::vector<Nanoseconds> papers{50, 80, 100, 125, 160, 200, 250, 400, 500, 800, 1000, 2000, 4000};
  static constexpr double kMostWork[] = {0.1, 0.5, 2, 8, 25};
  TaskSet set;
  set.num_sms = kMostSms;
  const auto number = static_cast<std::size_t>(1 + random() % 6);
  set.tasks = random_tasks(random, number, kMostWork[random() % 5], random() % 20 == 0 ? papers : few);
  for (Task& task : set.tasks) {  // times of which nothing is a multiple
    task.work = task.work * 1000 + static_cast<std::int64_t>(random() % 1000);
    task.tail_parts = paper_tail_parts(task.kind, task.work);
    task.period *= 1000;
    task.deadline *= 1000;
  }
  return set;
}

TEST(RealtimeDemand, ClosedFormLinearSearchAndDefinitionGiveTheSameSize) {
  std::mt19937_64 random(21);
  std::vector<std::uint32_t> of_size(kMostSms + 1);
  for (int i = 0; i < 100'000; ++i) {
    const TaskSet set = random_partition(random);
    const TestPoints points(set.tasks);
    const Demand demand = sum_of(set, points);
    const std::uint32_t size = demand.smallest_size(kMostSms);
    ++of_size.at(size);
    ASSERT_EQ(size, demand.smallest_size_by_search(1, kMostSms)) << i;
    const std::uint32_t enough = size == kNoSize ? kMostSms : size;
    ASSERT_EQ(demand.fits(enough), size != kNoSize) << i;
    ASSERT_EQ(oracle_fits(set.tasks, enough), size != kNoSize) << i;
    if (size <= 1) continue;
    ASSERT_FALSE(demand.fits(size - 1)) << i;
    ASSERT_FALSE(oracle_fits(set.tasks, size - 1)) << i;
  }
  for (const std::uint32_t number : of_size) EXPECT_GT(number, 0U);  // every size, and none, came
}

TEST(RealtimeDemand, OfAUnionDoesNotDependOnTheOrderOfItsTasks) {
  std::mt19937_64 random(22);
  for (int i = 0; i < 1000; ++i) {
    TaskSet set = random_partition(random);
    const TestPoints points(set.tasks);
    const Demand demand = sum_of(set, points);
    std::shuffle(set.tasks.begin(), set.tasks.end(), random);
    const Demand shuffled = sum_of(set, points);
    EXPECT_EQ(demand.smallest_size(kMostSms), shuffled.smallest_size(kMostSms));
    EXPECT_TRUE(demand.load() == shuffled.load());
  }
}

TEST(RealtimeDemand, NoSizeAboveTheLimitIsFound) {
  TaskSet set;
  set.tasks = {compute_task(2000, 100)};  // 2000 / m + 40 <= 75: 58 SMs
  set.num_sms = kMostSms;
  const TestPoints points(set.tasks);
  const Demand demand(set, points, set.tasks.front());
  EXPECT_EQ(demand.smallest_size(58), 58U);
  EXPECT_EQ(demand.smallest_size(57), kNoSize);
  EXPECT_EQ(demand.smallest_size_by_search(58, 58), 58U);
  EXPECT_EQ(demand.smallest_size_by_search(1, 57), kNoSize);
}

TEST(RealtimeDemand, TestPointsAreTheDeadlinesUpToTheHyperperiodAndItself) {
  const TestPoints points({compute_task(1, 80), memory_task(1, 200), compute_task(1, 400)});
  EXPECT_THAT(points.times(), testing::ElementsAre(60, 140, 150, 220, 300, 350, 380, 400));
  EXPECT_EQ(TestPoints::jobs_due(compute_task(1, 80), 59), 0);
  EXPECT_EQ(TestPoints::jobs_due(compute_task(1, 80), 60), 1);
  EXPECT_EQ(TestPoints::jobs_due(compute_task(1, 80), 139), 1);
  EXPECT_EQ(TestPoints::jobs_due(compute_task(1, 80), 140), 2);
}

TEST(RealtimeDemand, TooManyTestPointsAreRefused) {
  EXPECT_THROW(TestPoints({compute_task(1, 1'000'003), compute_task(1, 1'000'033)}), std::length_error);
}

// Released together, EDF misses a deadline if and only if the demand test says so.
TEST(RealtimeDemand, TestFailsIfAndOnlyIfEdfMissesADeadline) {
  std::mt19937_64 random(23);
  const std::vector<Nanoseconds> periods{20, 40, 50, 80, 100};
  std::uint32_t misses = 0;
  constexpr std::uint32_t kSets = 10'000;
  for (std::uint32_t i = 0; i < kSets; ++i) {
    TaskSet set;
    const auto number = static_cast<std::size_t>(1 + random() % 5);
    set.num_sms = 1 + static_cast<std::uint32_t>(random() % 4);
    set.tasks = random_tasks(random, number, 1.5 * set.num_sms / static_cast<double>(number), periods);
    const TestPoints points(set.tasks);
    const Wide end = Wide(points.hyperperiod()) * kOraclePartsPerUnit * set.num_sms;
    const bool has_miss = simulate_edf(on_sms(set.tasks, set.num_sms), end).has_miss;
    misses += has_miss;
    ASSERT_EQ(sum_of(set, points).fits(set.num_sms), !has_miss) << i;
  }
  EXPECT_GT(misses, kSets / 10);
  EXPECT_LT(misses, kSets * 9 / 10);
}

// What a scheduler adds: time of each job, whatever m is, and once the longest thread block of a task that is due
// later.
TEST(RealtimeDemand, OverheadAddsToEachJobAndBlockingOnce) {
  std::mt19937_64 random(25);
  const auto fits = [](const TaskSet& set, std::uint32_t m) {
    const std::vector<Wide> times = oracle_times(set.tasks, m);
    const Wide unit = Wide(kOraclePartsPerUnit) * m;
    const auto holds_at = [&](Nanoseconds time) {
      Wide sum = oracle_demand(set.tasks, times, time);
      Wide longest = 0;
      bool is_any_due = false;
      for (std::size_t i = 0; i < set.tasks.size(); ++i) {
        const Task& task = set.tasks[i];
        for (Nanoseconds due = task.deadline; due <= time; due += task.period) sum += task.overhead * unit;
        is_any_due = is_any_due || task.deadline <= time;
        const std::int64_t factor = set.contention.of(task.kind, oracle_has_conflict(set.tasks, i));
        if (task.deadline > time) longest = std::max(longest, Wide(task.blocking_parts) * factor * m);
      }
      return !is_any_due || sum + longest <= time * unit;
    };
    for (const Task& task : set.tasks) {
      for (Nanoseconds due = task.deadline; due <= 400'000; due += task.period) {
        if (!holds_at(due)) return false;
      }
    }
    return holds_at(400'000);
  };
  std::uint32_t changed = 0;
  for (int i = 0; i < 3000; ++i) {
    TaskSet set = random_partition(random);
    if (400'000 % oracle_hyperperiod(set.tasks) != 0) continue;
    const TestPoints points(set.tasks);
    const std::uint32_t without = sum_of(set, points).smallest_size(kMostSms);
    for (Task& task : set.tasks) {
      task.overhead = random_between(random, 0, task.period / 50);
      task.blocking_parts = random_between(random, 0, task.deadline * kTailParts / 5);
    }
    const Demand demand = sum_of(set, points);
    const std::uint32_t size = demand.smallest_size(kMostSms);
    ASSERT_EQ(size, demand.smallest_size_by_search(1, kMostSms)) << i;
    ASSERT_EQ(fits(set, size == kNoSize ? kMostSms : size), size != kNoSize) << i;
    ASSERT_FALSE(size > 1 && fits(set, size - 1)) << i;
    changed += size != without;
  }
  EXPECT_GT(changed, 100U);
}

// A table is a time for each size: that of the formula gives the formula's sizes.
TEST(RealtimeDemand, OfTabledTasksIsThatOfTheirTimes) {
  std::mt19937_64 random(24);
  for (int i = 0; i < 300; ++i) {
    TaskSet set = random_partition(random);
    for (Task& task : set.tasks) {  // whole times at all sizes
      task.tail_parts = task.tail_parts / kTailParts * kTailParts;
      task.table.clear();
      for (std::uint32_t m = 1; m <= kMostSms; ++m) task.table.push_back(task.work / m + task.tail_parts / kTailParts);
    }
    const TestPoints points(set.tasks);
    const Demand demand = sum_of(set, points);
    const std::uint32_t size = demand.smallest_size(kMostSms);
    EXPECT_EQ(size, demand.smallest_size_by_search(1, kMostSms));
    const auto fits = [&](std::uint32_t m) {  // as the definition has it, with the times of the table
      std::vector<Task> tasks = set.tasks;
      for (Task& task : tasks) {
        task.work = 0;
        task.tail_parts = task.table[m - 1] * kTailParts;
      }
      return oracle_fits(tasks, m);
    };
    EXPECT_EQ(fits(size == kNoSize ? kMostSms : size), size != kNoSize);
    EXPECT_FALSE(size > 1 && fits(size - 1));
  }
}

}  // namespace
}  // namespace tessera::realtime::test
