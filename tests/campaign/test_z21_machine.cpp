// SPDX-License-Identifier: Apache-2.0
// Task sets of [Z21] on the machine: what is run is what the scheme says, and what is told of it is what happened.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "campaign/z21/study.h"
#include "campaign/z21/survival.h"
#include "model/spec/loader.h"
#include "platform/worker_pool.h"

namespace tessera::campaign::z21 {
namespace {

constexpr Scheme kPartitions{"partitions", true, spec::PolicyKind::kStaticPartition,
                             spec::TechniqueKind::kContextSwitch};
constexpr Scheme kPartitionsByDrain{"partitions, drain", true, spec::PolicyKind::kStaticPartition,
                                    spec::TechniqueKind::kDrain};
constexpr Scheme kWholeGpu{"EDF", false, spec::PolicyKind::kEdf, spec::TechniqueKind::kContextSwitch};
constexpr Scheme kByTurns{"fcfs", false, spec::PolicyKind::kFcfs, spec::TechniqueKind::kContextSwitch};
constexpr std::uint32_t kFew = 12;

spec::Spec base() { return spec::load_experiment(TESSERA_SOURCE_DIR "/configs/papers/z21.yaml", {}); }

MachineOutcome outcome(const Scheme& scheme, const Conditions& conditions, std::uint32_t utilisation) {
  const spec::TaskSetSpec set = task_set(base(), conditions, kFew, utilisation, utilisation);
  return outcome_of(set, scheme, conditions, "test", [] { return false; });
}

// Jobs that are due within the hyperperiod and the longest deadline that a simulation lasts.
std::uint64_t jobs_due(const spec::TaskSetSpec& set) {
  realtime::Nanoseconds hyperperiod = 1;
  realtime::Nanoseconds longest = 0;
  for (const spec::TaskSpec& task : set.tasks) {
    hyperperiod = std::lcm(hyperperiod, task.period);
    longest = std::max(longest, task.deadline);
  }
  std::uint64_t jobs = 0;
  for (const spec::TaskSpec& task : set.tasks) {
    jobs += static_cast<std::uint64_t>((hyperperiod + longest - task.deadline) / task.period) + 1;
  }
  return jobs;
}

TEST(Z21Machine, PartitionsThatCountOverheadsMissNothingAndKeepTheirBounds) {
  Conditions conditions;
  conditions.has_overheads = true;
  const MachineOutcome result = outcome(kPartitions, conditions, 16);
  ASSERT_FALSE(result.is_rejected);
  EXPECT_THAT(result.faults, ::testing::IsEmpty());
  EXPECT_EQ(result.missed, 0U);
  EXPECT_LE(result.worst_of_bound, 1);
  EXPECT_GT(result.worst_of_bound, 0.5);  // else it was compared with something else
  EXPECT_FALSE(result.first_late.has_value());
  const spec::TaskSetSpec set = task_set(base(), conditions, kFew, 16, 16);
  EXPECT_GE(result.jobs, jobs_due(set) - 2 * set.tasks.size());  // one may end, or be due, with the simulation
}

// Readings, Execution: by drain none of 20 sets of U = 36 keeps its deadlines.
TEST(Z21Machine, ByDrainTheySayHowLateTheFirstJobIs) {
  const spec::TaskSetSpec set = task_set(base(), {}, kMachineTasks, 36, set_number(36, 0));
  const MachineOutcome result = outcome_of(set, kPartitionsByDrain, {}, "test", [] { return false; });
  ASSERT_FALSE(result.is_rejected);
  EXPECT_TRUE(result.is_refuted());
  EXPECT_GT(result.worst_of_deadline, 1);
  ASSERT_TRUE(result.first_late.has_value());
  const auto task = std::find_if(set.tasks.begin(), set.tasks.end(),
                                 [&](const spec::TaskSpec& one) { return one.name == result.first_late->task; });
  ASSERT_NE(task, set.tasks.end());
  EXPECT_DOUBLE_EQ(result.first_late->deadline_ms, static_cast<double>(task->deadline) / 1e6);
  EXPECT_GT(result.first_late->response_ms, result.first_late->deadline_ms);
}

TEST(Z21Machine, FirstComeFirstServedIsRefutedWherePartitionsAreNot) {
  const MachineOutcome result = outcome(kByTurns, {}, 16);
  EXPECT_FALSE(result.is_rejected);
  EXPECT_TRUE(result.is_refuted());
  EXPECT_GT(result.worst_of_deadline, 1);
  EXPECT_EQ(result.worst_of_bound, 0);  // nobody promised anything
}

TEST(Z21Machine, WhatThePartitionsCannotHoldIsRejectedAndNotRun) {
  const MachineOutcome result = outcome(kPartitions, {}, 66);
  EXPECT_TRUE(result.is_rejected);
  EXPECT_TRUE(result.is_refuted());
  EXPECT_EQ(result.effort.simulations, 0U);
}

TEST(Z21Machine, TheSameTasksAreDrawnWhateverTheConditions) {
  Conditions other;
  other.contention = ContentionOf::kNobody;
  other.granularity = 10;
  other.has_offsets = true;
  const spec::TaskSetSpec one = task_set(base(), {}, kFew, 20, 7);
  const spec::TaskSetSpec two = task_set(base(), other, kFew, 20, 7);
  ASSERT_EQ(one.tasks.size(), two.tasks.size());
  std::set<realtime::Nanoseconds> offsets;
  for (std::size_t i = 0; i < one.tasks.size(); ++i) {
    EXPECT_EQ(one.tasks[i].work, two.tasks[i].work);
    EXPECT_EQ(one.tasks[i].period, two.tasks[i].period);
    EXPECT_EQ(one.tasks[i].offset, 0);
    EXPECT_LT(two.tasks[i].offset, two.tasks[i].period);
    offsets.insert(two.tasks[i].offset);
  }
  EXPECT_GT(offsets.size(), kFew / 2);
  EXPECT_EQ(two.contention.factor[1], realtime::kFactorParts);
}

// One kernel at a time has a partition, so hardly anybody meets there; on the GPU partitions meet all the time.
TEST(Z21Machine, ThoseThatMeetOnTheGpuTakeLongerThanThoseThatMeetInAPartition) {
  const auto worst = [](ContentionOf contention) {
    Conditions conditions;
    conditions.contention = contention;
    return nlohmann::json(outcome(kPartitions, conditions, 16));
  };
  const std::vector<nlohmann::json> answers = platform::run_in_workers(
      {[&] { return worst(ContentionOf::kMetInPartition); }, [&] { return worst(ContentionOf::kMetOnGpu); }}, 2);
  EXPECT_GT(answers.at(1).get<MachineOutcome>().worst_of_deadline,
            answers.at(0).get<MachineOutcome>().worst_of_deadline);
  EXPECT_LE(answers.at(0).get<MachineOutcome>().worst_of_deadline, 1);
}

TEST(Z21Machine, HalfOfTheSetsSurviveWhereTheCurveCrossesIt) {
  EXPECT_DOUBLE_EQ(half_survive({{10, 100}, {20, 100}, {30, 0}}), 25);
  EXPECT_DOUBLE_EQ(half_survive({{10, 100}, {20, 60}, {30, 20}}), 22.5);
  EXPECT_DOUBLE_EQ(half_survive({{10, 100}, {20, 50}}), 20);
  EXPECT_DOUBLE_EQ(half_survive({{10, 40}, {20, 0}}), 0);
}

TEST(Z21Machine, AWholeGpuIsTheSameUnderContentionOfAPartitionAndOfTheGpu) {
  Request request;
  request.target = "z21-execution";
  request.load = [](const std::vector<std::string>&) { return base(); };
  request.options.is_interrupted = [] { return false; };
  Survival survival(request, 1);
  Conditions on_gpu;
  on_gpu.contention = ContentionOf::kGpu;
  EXPECT_EQ(&survival.of(kWholeGpu, {}, 8), &survival.of(kWholeGpu, on_gpu, 8));
  EXPECT_NE(&survival.of(kPartitions, {}, 8), &survival.of(kPartitions, on_gpu, 8));
}

}  // namespace
}  // namespace tessera::campaign::z21
