// SPDX-License-Identifier: Apache-2.0
// Random task sets as [Z21] 7.1 draws them: sums, limits, periods, kinds, and that a set has a name.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>

#include "model/realtime/generation.h"
#include "tests/model/realtime/oracle.h"

namespace tessera::realtime::test {
namespace {

constexpr Nanoseconds kMs = 1'000'000;
constexpr std::array<Nanoseconds, 13> kPeriods{50, 80, 100, 125, 160, 200, 250, 400, 500, 800, 1000, 2000, 4000};

GenerationOptions options_of(std::uint32_t num_tasks, std::uint32_t utilisation) {
  GenerationOptions options;
  options.num_tasks = num_tasks;
  options.utilisation = utilisation;
  return options;
}

double utilisation_of(const Task& task) { return static_cast<double>(task.work) / static_cast<double>(task.period); }

TEST(RealtimeGeneration, UtilisationsSumUpExactly) {
  for (const std::uint32_t num_tasks : {1U, 2U, 50U, 200U}) {
    for (const std::uint32_t utilisation : {1U, 2U, 35U, 68U}) {
      for (std::uint64_t number = 0; number < 20; ++number) {
        const TaskSet set = generate(options_of(num_tasks, utilisation), 7, number);
        ASSERT_EQ(set.tasks.size(), num_tasks);
        Wide sum = 0;
        for (const Task& task : set.tasks) sum += Wide(task.work) * (4000 * kMs / task.period);
        EXPECT_TRUE(sum == Wide(utilisation) * 4000 * kMs) << num_tasks << " tasks, " << utilisation << ", " << number;
      }
    }
  }
}

TEST(RealtimeGeneration, TasksAreThoseOfThePaper) {
  const TaskSet set = generate(options_of(200, 30), 7, 3);
  EXPECT_EQ(set.num_sms, 68U);
  EXPECT_EQ(set.contention.factor, (std::array<std::int64_t, 2>{1200, 2300}));
  for (const Task& task : set.tasks) {
    EXPECT_NE(std::find(kPeriods.begin(), kPeriods.end(), task.period / kMs), kPeriods.end()) << task.period;
    EXPECT_EQ(task.period % kMs, 0);
    EXPECT_EQ(4 * task.deadline, 3 * task.period);
    const Wide hundredths = task.kind == TaskKind::kCompute ? 2 : 10;  // b / a
    EXPECT_TRUE(Wide(task.tail_parts) * 100 == hundredths * task.work * kTailParts);
    EXPECT_TRUE(task.table.empty());
    EXPECT_EQ(task.overhead, 0);
    EXPECT_EQ(task.blocking_parts, 0);
  }
}

TEST(RealtimeGeneration, PeriodIsLongerWhereTheTaskWouldBeShorterThanAUnit) {
  // Drawn evenly of 13, and moved up to the first with u T >= 1 unit: that one has its own share and all shorter ones'.
  std::uint32_t tasks = 0;
  double expected = 0;
  std::uint32_t at_first = 0;
  for (std::uint64_t number = 0; number < 300; ++number) {
    for (const Task& task : generate(options_of(200, 2), 11, number).tasks) {
      EXPECT_TRUE(task.work >= kMs || task.period == 4000 * kMs) << task.work << " of " << task.period;
      const auto first = std::find_if(kPeriods.begin(), kPeriods.end() - 1, [&](Nanoseconds period) {
        return utilisation_of(task) * static_cast<double>(period) >= 1;
      });
      ++tasks;
      expected += static_cast<double>(first - kPeriods.begin() + 1) / static_cast<double>(kPeriods.size());
      at_first += task.period == *first * kMs;
    }
  }
  const double deviation = std::sqrt(tasks * 0.25);  // at most
  EXPECT_NEAR(at_first, expected, 5 * deviation);
}

TEST(RealtimeGeneration, PeriodsOfLongTasksAreDrawnEvenly) {
  std::map<Nanoseconds, std::uint32_t> of_period;
  std::uint32_t tasks = 0;
  for (std::uint64_t number = 0; number < 400; ++number) {
    for (const Task& task : generate(options_of(50, 60), 12, number).tasks) {
      if (utilisation_of(task) < 0.02) continue;  // 1 unit of the shortest
      ++of_period[task.period / kMs];
      ++tasks;
    }
  }
  ASSERT_GT(tasks, 10'000U);
  const double share = tasks / static_cast<double>(kPeriods.size());
  for (const Nanoseconds period : kPeriods) EXPECT_NEAR(of_period[period], share, 5 * std::sqrt(share)) << period;
}

// UUniFast draws evenly from all vectors of that sum: every place has the mean U / n and the simplex's variance.
TEST(RealtimeGeneration, UtilisationsAreUniformOverTheSimplex) {
  constexpr std::uint32_t kTasks = 5;
  constexpr double kSum = 10;
  constexpr std::uint32_t kSets = 4000;
  std::array<double, kTasks> sums{};
  std::array<double, kTasks> squares{};
  for (std::uint64_t number = 0; number < kSets; ++number) {
    const TaskSet set = generate(options_of(kTasks, 10), 13, number);
    for (std::size_t i = 0; i < kTasks; ++i) {
      sums[i] += utilisation_of(set.tasks[i]);
      squares[i] += utilisation_of(set.tasks[i]) * utilisation_of(set.tasks[i]);
    }
  }
  const double variance = kSum * kSum * (kTasks - 1) / (kTasks * kTasks * (kTasks + 1));
  for (std::size_t i = 0; i < kTasks; ++i) {
    const double mean = sums[i] / kSets;
    EXPECT_NEAR(mean, kSum / kTasks, 5 * std::sqrt(variance / kSets)) << i;
    EXPECT_NEAR(squares[i] / kSets - mean * mean, variance, 0.15 * variance) << i;
  }
}

TEST(RealtimeGeneration, AboutHalfOfTheTasksAreMemoryIntensive) {
  std::uint32_t memory = 0;
  constexpr std::uint32_t kSets = 100;
  for (std::uint64_t number = 0; number < kSets; ++number) {
    for (const Task& task : generate(options_of(200, 40), 14, number).tasks) memory += task.kind == TaskKind::kMemory;
  }
  EXPECT_NEAR(memory, kSets * 100, 5 * std::sqrt(kSets * 200 * 0.25));
  GenerationOptions options = options_of(50, 20);
  for (const std::uint32_t percent : {0U, 100U}) {
    options.memory_percent = percent;
    for (const Task& task : generate(options, 14, 0).tasks) {
      EXPECT_EQ(task.kind, percent == 0 ? TaskKind::kCompute : TaskKind::kMemory);
    }
  }
}

TEST(RealtimeGeneration, NoTaskIsAboveTheLimit) {
  GenerationOptions options = options_of(50, 20);
  options.max_task_utilisation = 1;
  bool has_large = false;
  for (std::uint64_t number = 0; number < 50; ++number) {
    for (const Task& task : generate(options, 15, number).tasks) EXPECT_LE(task.work, task.period);
    for (const Task& task : generate(options_of(50, 20), 15, number).tasks) has_large |= task.work > task.period;
  }
  EXPECT_TRUE(has_large);  // without a limit there are some
}

TEST(RealtimeGeneration, ALimitThatCannotHoldIsToldAsSuch) {
  GenerationOptions options = options_of(50, 52);  // 50 tasks of 1 are 50
  options.max_task_utilisation = 1;
  EXPECT_THROW(generate(options, 15, 0), std::runtime_error);
}

TEST(RealtimeGeneration, ASetIsNamedByItsSeedAndNumber) {
  const auto works = [](std::uint64_t seed, std::uint64_t number) {
    std::vector<Nanoseconds> all;
    for (const Task& task : generate(options_of(50, 30), seed, number).tasks) all.push_back(task.work);
    return all;
  };
  EXPECT_EQ(works(1, 2), works(1, 2));
  EXPECT_NE(works(1, 2), works(1, 3));
  EXPECT_NE(works(1, 2), works(2, 2));
}

TEST(RealtimeGeneration, UnitsScaleAllTimes) {
  GenerationOptions options = options_of(50, 30);
  const TaskSet of_ms = generate(options, 1, 5);
  options.time_unit = kMs / 10;
  const TaskSet of_tenths = generate(options, 1, 5);
  for (std::size_t i = 0; i < of_ms.tasks.size(); ++i) {
    EXPECT_EQ(of_ms.tasks[i].period, 10 * of_tenths.tasks[i].period);
    EXPECT_EQ(of_ms.tasks[i].deadline, 10 * of_tenths.tasks[i].deadline);
    EXPECT_NEAR(utilisation_of(of_ms.tasks[i]), utilisation_of(of_tenths.tasks[i]), 1e-4);
  }
}

}  // namespace
}  // namespace tessera::realtime::test
