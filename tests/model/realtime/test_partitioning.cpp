// SPDX-License-Identifier: Apache-2.0
// [Z21] Algorithms 1 to 3: what every partitioning must be, and that where they stop changes no answer.
#include <gtest/gtest.h>

#include <set>

#include "model/realtime/demand.h"
#include "model/realtime/generation.h"
#include "model/realtime/load.h"
#include "model/realtime/partitioning.h"
#include "tests/model/realtime/oracle.h"

namespace tessera::realtime::test {
namespace {

constexpr PartitioningOptions kAllOptions[] = {{Heuristic::kSms, Forbidden::kIna, Stop::kFits},
                                               {Heuristic::kSms, Forbidden::kAct, Stop::kFits},
                                               {Heuristic::kBestFit, Forbidden::kIna, Stop::kFits},
                                               {Heuristic::kBestFit, Forbidden::kAct, Stop::kFits},
                                               {Heuristic::kBestFitLiteral, Forbidden::kIna, Stop::kFits}};

TaskSet drawn(std::uint32_t num_tasks, std::uint32_t utilisation, std::uint64_t number) {
  GenerationOptions options;
  options.num_tasks = num_tasks;
  options.utilisation = utilisation;
  return generate(options, 2021, number);
}

std::vector<Task> tasks_in(const TaskSet& set, const Partition& partition) {
  std::vector<Task> tasks;
  for (const std::uint32_t task : partition.tasks) tasks.push_back(set.tasks[task]);
  return tasks;
}

TEST(RealtimePartitioning, EveryTaskIsInOnePartitionOfTheFewestSms) {
  for (std::uint64_t number = 0; number < 3; ++number) {
    const TaskSet set = drawn(20, 12, number);
    for (const PartitioningOptions& options : kAllOptions) {
      const Partitioning partitioning = partition(set, options);
      std::set<std::uint32_t> seen;
      std::uint32_t sms = 0;
      for (const Partition& one : partitioning.partitions) {
        sms += one.num_sms;
        seen.insert(one.tasks.begin(), one.tasks.end());
        EXPECT_TRUE(std::is_sorted(one.tasks.begin(), one.tasks.end()));
        EXPECT_TRUE(oracle_fits(tasks_in(set, one), one.num_sms));
        EXPECT_FALSE(one.num_sms > 1 && oracle_fits(tasks_in(set, one), one.num_sms - 1));
      }
      std::size_t places = 0;
      for (const Partition& one : partitioning.partitions) places += one.tasks.size();
      EXPECT_EQ(places, set.tasks.size());
      EXPECT_EQ(seen.size(), set.tasks.size());
      EXPECT_EQ(partitioning.num_sms, sms);
      EXPECT_EQ(partitioning.is_schedulable, sms <= set.num_sms);
    }
  }
}

TEST(RealtimePartitioning, WhereItStopsChangesNoAnswer) {
  std::uint32_t accepted = 0;
  std::uint32_t rejected = 0;
  for (const std::uint32_t utilisation : {20U, 38U, 42U, 44U, 46U}) {
    for (std::uint64_t number = 0; number < 4; ++number) {
      const TaskSet set = drawn(50, utilisation, number);
      for (PartitioningOptions options : kAllOptions) {
        options.stop = Stop::kFits;
        const Partitioning fits = partition(set, options);
        options.stop = Stop::kFixpoint;
        const Partitioning fixpoint = partition(set, options);
        EXPECT_EQ(fits.is_schedulable, fixpoint.is_schedulable) << utilisation << ", " << number;
        EXPECT_LE(fixpoint.num_sms, fits.num_sms);
        EXPECT_LE(fits.merges_tried, fixpoint.merges_tried);
        ++(fits.is_schedulable ? accepted : rejected);
      }
    }
  }
  EXPECT_GT(accepted, 0U);
  EXPECT_GT(rejected, 0U);
}

// At a fixpoint no eligible merge is left that saves an SM; without a forbidden pair met on the way, none at all.
TEST(RealtimePartitioning, ActNeverPutsAForbiddenPairTogether) {
  for (std::uint64_t number = 0; number < 3; ++number) {
    const TaskSet set = drawn(30, 25, number);
    const Partitioning partitioning = partition(set, {Heuristic::kSms, Forbidden::kAct, Stop::kFixpoint});
    const TestPoints points(set.tasks);
    for (const Partition& one : partitioning.partitions) {
      for (const std::uint32_t a : one.tasks) {
        for (const std::uint32_t b : one.tasks) {
          if (a >= b) continue;
          const Demand of_a(set, points, set.tasks[a]);
          const Demand of_b(set, points, set.tasks[b]);
          Demand both = of_a;
          both.add(of_b);
          const std::uint32_t apart = of_a.smallest_size(set.num_sms) + of_b.smallest_size(set.num_sms);
          const std::uint32_t together = both.smallest_size(set.num_sms);
          EXPECT_TRUE(together != kNoSize && together < apart) << a << " and " << b;
        }
      }
    }
  }
}

TEST(RealtimePartitioning, ATaskThatNoSizeSufficesForLeavesNoPartitions) {
  TaskSet set;
  set.num_sms = 68;
  set.tasks = {compute_task(10, 100), memory_task(800, 100)};  // b = 80 > D = 75
  for (const PartitioningOptions& options : kAllOptions) {
    const Partitioning partitioning = partition(set, options);
    EXPECT_FALSE(partitioning.is_schedulable);
    EXPECT_TRUE(partitioning.partitions.empty());
  }
}

TEST(RealtimePartitioning, LoadDecidesLemma1AndThePrintedSingleGpu) {
  // Two compute tasks: alone 1.02 a / T each, in conflict 1.2 times that.
  TaskSet set;
  set.num_sms = 2;
  set.tasks = {compute_task(100, 100), compute_task(96, 100)};  // 1.02 + 0.9792 = 1.9992
  EXPECT_FALSE(is_overloaded(set));
  EXPECT_NEAR(load_without_contention(set), 1.9992, 1e-12);
  EXPECT_NEAR(load_with_contention(set), 1.2 * 1.9992, 1e-12);
  EXPECT_FALSE(accepts_1g_as_printed(set));
  set.tasks[1] = compute_task(97, 100);  // 2.0094
  EXPECT_TRUE(is_overloaded(set));
  set.num_sms = 3;
  EXPECT_TRUE(accepts_1g_as_printed(set));
}

TEST(RealtimePartitioning, TheSoundTestOfTheWholeGpuIsTheDemandOfAllTasks) {
  std::uint32_t accepted = 0;
  for (const std::uint32_t utilisation : {2U, 4U, 6U, 8U}) {
    for (std::uint64_t number = 0; number < 4; ++number) {
      const TaskSet set = drawn(10, utilisation, number);
      EXPECT_EQ(accepts_1g(set), oracle_fits(set.tasks, set.num_sms));
      if (accepts_1g(set)) {
        ++accepted;
        EXPECT_TRUE(accepts_1g_as_printed(set));
      }
    }
  }
  EXPECT_GT(accepted, 0U);
}

TEST(RealtimePartitioning, LoadLiesBetweenItsBounds) {
  for (std::uint64_t number = 0; number < 3; ++number) {
    const TaskSet set = drawn(50, 30, number);
    for (const PartitioningOptions& options : kAllOptions) {
      const double load = load_of(set, partition(set, options).partitions);
      EXPECT_GE(load, load_without_contention(set) * (1 - 1e-12));
      EXPECT_LE(load, load_with_contention(set) * (1 + 1e-12));
    }
  }
}

}  // namespace
}  // namespace tessera::realtime::test
