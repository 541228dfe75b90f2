// SPDX-License-Identifier: Apache-2.0
// Task sets of [Z21] on the machine: what is run is what the scheme says, and what is told of it is what happened.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "campaign/papers.h"
#include "campaign/z21/study.h"
#include "campaign/z21/survival.h"
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

spec::Spec base() { return load_paper(TESSERA_SOURCE_DIR "/configs/papers/z21.yaml", {}); }

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

// Readings, example 5: one SM; x has 10 ms of work every 50 ms, y thread blocks of 45 ms. A block and a job of x make
// 55 ms, so that y's next block begins 5 ms later after each release of x; the sixth waits 30 ms for the rest of one.
spec::TaskSetSpec draining_counter_example() {
  spec::TaskSetSpec set = task_set(base(), {}, 2, 1, 0);
  set.gpu.num_sms = 1;
  constexpr realtime::Nanoseconds kMs = 1'000'000;
  const auto define = [&](std::size_t i, realtime::TaskKind kind, realtime::Nanoseconds work,
                          realtime::Nanoseconds period, realtime::Nanoseconds tail_share) {
    spec::TaskSpec& task = set.tasks.at(i);
    task.kind = kind;
    task.work = work;
    task.tail_parts = work * realtime::kTailParts / tail_share;
    task.period = period;
    task.deadline = period * 3 / 4;
  };
  define(0, realtime::TaskKind::kCompute, 10 * kMs, 50 * kMs, 50);
  define(1, realtime::TaskKind::kMemory, 450 * kMs, 4000 * kMs, 10);
  return set;
}

TEST(Z21Machine, TheCauseOfTheFirstLateJobByDrainIsTheBlockThatItWaitedFor) {
  const spec::TaskSetSpec set = draining_counter_example();
  const MachineOutcome result = outcome_of(set, kPartitionsByDrain, {}, "test", [] { return false; });
  ASSERT_FALSE(result.is_rejected);
  ASSERT_TRUE(result.first_late.has_value());
  const LateJob& late = *result.first_late;
  EXPECT_EQ(late.task, set.tasks[0].name);
  EXPECT_EQ(late.run, 6U);
  EXPECT_TRUE(late.has_ended);
  constexpr double kMachine = 0.2;  // launches, set-ups and thread blocks' issue since time 0, in ms
  EXPECT_NEAR(late.response_ms, 40, kMachine);
  EXPECT_NEAR(late.busy_ms, 40, kMachine);
  EXPECT_NEAR(late.lost_ms[static_cast<std::size_t>(Loss::kBlocking)], 30, kMachine);
  EXPECT_NEAR(late.lost(), 30, kMachine);
  EXPECT_GT(late.lost_ms[static_cast<std::size_t>(Loss::kPaths)], 0.005);  // a launch call takes 5 us
  EXPECT_EQ(late.cause(), "blocking");
}

TEST(Z21Machine, ByContextSwitchTheSameTasksAreNotLate) {
  const MachineOutcome result = outcome_of(draining_counter_example(), kPartitions, {}, "test", [] { return false; });
  ASSERT_FALSE(result.is_rejected);
  EXPECT_EQ(result.missed, 0U);
}

// A launch call alone takes 5 us, which is the deadline of this job of 2 us.
TEST(Z21Machine, TheCauseOfALateShortJobIsTheLaunch) {
  spec::TaskSetSpec set = draining_counter_example();
  set.tasks.resize(1);
  set.tasks[0].work = 2'000;
  set.tasks[0].tail_parts = 2'000 * realtime::kTailParts / 50;
  set.tasks[0].period = 4'000'000;
  set.tasks[0].deadline = 5'000;
  const MachineOutcome result = outcome_of(set, kPartitions, {}, "test", [] { return false; });
  ASSERT_FALSE(result.is_rejected);
  ASSERT_TRUE(result.first_late.has_value());
  EXPECT_EQ(result.first_late->run, 0U);
  EXPECT_EQ(result.first_late->cause(), "launch and completion");
}

// With its deadline behind it, that is; without partitions nobody says why.
TEST(Z21Machine, AJobThatIsOpenAtTheEndIsLate) {
  spec::Spec experiment = base();
  experiment.processes[0].deadline = 1'000'000;
  FirstLate first_late(experiment);
  record::Record released;
  released.kind = record::Kind::kRunReleased;
  released.process = 0;
  released.run = 3;
  released.cycle = 100;
  released.cycles = 50;
  first_late.consume(released);
  first_late.finish(150);
  EXPECT_FALSE(first_late.late().has_value());
  first_late.finish(151);
  ASSERT_TRUE(first_late.late().has_value());
  EXPECT_EQ(first_late.late()->run, 3U);
  EXPECT_FALSE(first_late.late()->has_ended);
  EXPECT_EQ(first_late.late()->cause(), "");  // no partitions: nothing was promised
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
