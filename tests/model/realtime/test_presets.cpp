// SPDX-License-Identifier: Apache-2.0
// Partitions of the sizes that a preset has: rounded up, merged until they fit, and still each a partition that passes.
#include <gtest/gtest.h>

#include "model/realtime/demand.h"
#include "model/realtime/generation.h"
#include "model/realtime/partition_sizes.h"
#include "model/realtime/partitioning.h"

namespace tessera::realtime {
namespace {

const spec::PresetSpec kSlicesOfA100{spec::PresetKind::kMig, 14};
const spec::PresetSpec kSlicesOf68{spec::PresetKind::kMig, 8};
const spec::PresetSpec kPairsOfSms{spec::PresetKind::kMps, 0};

// As [Z21] 7.1 has them, in ms.
Task paper_task(TaskKind kind, Nanoseconds work, Nanoseconds period, Nanoseconds deadline) {
  constexpr Nanoseconds kMillisecond = 1'000'000;
  Task task;
  task.kind = kind;
  task.period = period * kMillisecond;
  task.deadline = deadline * kMillisecond;
  task.work = work * kMillisecond;
  task.tail_parts = paper_tail_parts(kind, task.work);
  return task;
}

Partitioning found_for(const std::vector<Task>& tasks, const std::optional<spec::PresetSpec>& preset,
                       Stop stop = Stop::kFits) {
  TaskSet set;
  set.tasks = tasks;
  set.num_sms = 68;
  PartitioningOptions options;
  options.stop = stop;
  options.preset = preset;
  return partition(set, options);
}

std::vector<Partition> of_slices(const std::vector<std::uint32_t>& slices) {
  std::vector<Partition> partitions;
  for (const std::uint32_t each : slices) partitions.push_back({{}, each * 14});
  return partitions;
}

TEST(PartitionSizes, AreTheInstancesOfAnA100) {
  const PartitionSizes sizes(108, kSlicesOfA100);
  EXPECT_EQ(sizes.largest(), 98U);
  const std::pair<std::uint32_t, std::uint32_t> rounded[] = {{1, 14},  {14, 14}, {15, 28}, {28, 28},
                                                             {29, 42}, {43, 56}, {57, 98}, {98, 98}};
  for (const auto& [fewest, size] : rounded) EXPECT_EQ(sizes.at_least(fewest), size) << fewest;
}

TEST(PartitionSizes, ArePairsAndAtMostAllSms) {
  const PartitionSizes sizes(13, kPairsOfSms);
  EXPECT_EQ(sizes.at_least(1), 2U);
  EXPECT_EQ(sizes.at_least(2), 2U);
  EXPECT_EQ(sizes.at_least(13), 13U);
  EXPECT_EQ(PartitionSizes(13, std::nullopt).at_least(5), 5U);
}

// 1 and 3 take as many compute slices as 4, and a memory slice more; 2 and 2 one compute slice more than 3.
TEST(PartitionSizes, SlicesCountBeforeSlicesOfMemory) {
  const PartitionSizes sizes(108, kSlicesOfA100);
  const auto cost = [&](std::uint32_t slices) { return sizes.cost(slices * 14); };
  EXPECT_LT(cost(4), cost(3) + cost(1));
  EXPECT_LT(cost(3), cost(2) + cost(2));
  EXPECT_EQ(cost(2), cost(1) + cost(1));
  EXPECT_GT(cost(3), cost(2) + cost(1)) << "four slices of memory against three";
  EXPECT_EQ(cost(7), cost(4) + cost(3));
}

TEST(PartitionSizes, InstancesFitAsTheirSlicesAndThoseOfMemoryDo) {
  const PartitionSizes sizes(108, kSlicesOfA100);
  EXPECT_TRUE(sizes.fit(of_slices({4, 3})));
  EXPECT_TRUE(sizes.fit(of_slices({3, 2, 2})));
  EXPECT_FALSE(sizes.fit(of_slices({3, 3, 1}))) << "nine of memory";
  EXPECT_FALSE(sizes.fit(of_slices({4, 4})));
  EXPECT_FALSE(PartitionSizes(200, kPairsOfSms).fit(std::vector<Partition>(49, {{}, 2}))) << "49 clients";
}

// The readings' second example: 0.41 and 0.33 of an SM, together 1 SM.
TEST(PresetPartitions, ThatFitStayApartAndLoseWhatTheyDoNotNeed) {
  const std::vector<Task> tasks{paper_task(TaskKind::kCompute, 40, 100, 75),
                                paper_task(TaskKind::kMemory, 30, 200, 150)};
  const Partitioning apart = found_for(tasks, kSlicesOf68);
  ASSERT_EQ(apart.partitions.size(), 2U);
  for (const Partition& partition : apart.partitions) {
    EXPECT_EQ(partition.num_sms, 8U);
    EXPECT_EQ(partition.fewest_sms, 1U);
  }
  const Partitioning together = found_for(tasks, kSlicesOf68, Stop::kFixpoint);
  ASSERT_EQ(together.partitions.size(), 1U);
  EXPECT_EQ(together.num_sms, 8U);
  EXPECT_EQ(together.partitions[0].fewest_sms, 1U);
  EXPECT_EQ(found_for(tasks, kPairsOfSms, Stop::kFixpoint).num_sms, 2U);
}

TEST(PresetPartitions, AreMergedUntilTheInstancesFit) {
  const std::vector<Task> eight(8, paper_task(TaskKind::kCompute, 1, 100, 75));
  EXPECT_EQ(found_for(eight, std::nullopt).partitions.size(), 8U);
  const Partitioning found = found_for(eight, kSlicesOf68);
  EXPECT_TRUE(found.is_schedulable);
  EXPECT_EQ(found.partitions.size(), 7U);
}

// C(3) = 71.5 of 75 alone; two in conflict keep 2 * 2.3 * 16.5 = 75.9 however many SMs they have.
TEST(PresetPartitions, ThatCannotBeMergedAreTooMany) {
  const std::vector<Task> eight(8, paper_task(TaskKind::kMemory, 165, 200, 75));
  EXPECT_TRUE(found_for(eight, std::nullopt).is_schedulable);
  EXPECT_EQ(found_for(eight, std::nullopt).num_sms, 24U);
  EXPECT_TRUE(found_for(eight, kPairsOfSms).is_schedulable);
  EXPECT_EQ(found_for(eight, kPairsOfSms).num_sms, 32U);
  const Partitioning sliced = found_for(eight, kSlicesOf68);
  EXPECT_FALSE(sliced.is_schedulable);
  EXPECT_EQ(sliced.partitions.size(), 8U);
}

// C(m) = 450 / m + 9 <= 17 needs 57 SMs: more than seven slices of eight have.
TEST(PresetPartitions, AreNoneWhereATaskNeedsMoreThanAllSlices) {
  const std::vector<Task> one{paper_task(TaskKind::kCompute, 450, 500, 17)};
  EXPECT_EQ(found_for(one, std::nullopt).num_sms, 57U);
  EXPECT_FALSE(found_for(one, kSlicesOf68).is_schedulable);
  EXPECT_TRUE(found_for(one, kSlicesOf68).partitions.empty());
  EXPECT_EQ(found_for(one, kPairsOfSms).num_sms, 58U);
}

TEST(PresetPartitions, PassTheTestAtTheirSizesWhereverMergingStops) {
  std::uint32_t accepted = 0;
  for (std::uint64_t number = 0; number < 120; ++number) {
    GenerationOptions generation;
    generation.num_tasks = 12;
    generation.utilisation = 4 + static_cast<std::uint32_t>(number % 24);
    const TaskSet set = generate(generation, 7, number);
    const TestPoints points(set.tasks);
    for (const spec::PresetSpec& preset : {kSlicesOf68, kPairsOfSms}) {
      PartitioningOptions options;
      options.preset = preset;
      const Partitioning fits = partition(set, options);
      options.stop = Stop::kFixpoint;
      EXPECT_EQ(partition(set, options).is_schedulable, fits.is_schedulable) << number;
      if (!fits.is_schedulable) continue;
      ++accepted;
      EXPECT_TRUE(PartitionSizes(set.num_sms, preset).fit(fits.partitions)) << number;
      for (const Partition& each : fits.partitions) {
        EXPECT_EQ(PartitionSizes(set.num_sms, preset).at_least(each.fewest_sms), each.num_sms);
        EXPECT_TRUE(demand_of(set, points, each.tasks).fits(each.num_sms)) << number;
        EXPECT_TRUE(each.fewest_sms == 1 || !demand_of(set, points, each.tasks).fits(each.fewest_sms - 1)) << number;
      }
    }
  }
  EXPECT_GT(accepted, 50U);
}

}  // namespace
}  // namespace tessera::realtime
