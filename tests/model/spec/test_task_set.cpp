// SPDX-License-Identifier: Apache-2.0
// Task set files: times, kernels, partitions, and what is wrong with them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <tuple>

#include "model/realtime/generation.h"
#include "model/spec/loader.h"
#include "model/spec/task_set_spec.h"
#include "tests/model/spec/wrong_files.h"

namespace tessera::spec {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::string kShippedConfigs = std::string(TESSERA_SOURCE_DIR) + "/configs";

class TaskSetFile : public testing::Test {
 protected:
  TaskSetFile() : path_(std::filesystem::temp_directory_path() / ("tasks_" + std::to_string(::getpid()) + ".yaml")) {}
  ~TaskSetFile() override { std::filesystem::remove(path_); }

  // Lines 1 to 3 are the head, on the K20c: 13 SMs, 16 command buffers, 32 queues.
  TaskSetSpec load(const std::string& rest) {
    write(rest);
    return load_task_set(path_);
  }
  // As the user sees them, without the name of the file.
  std::vector<std::string> mistakes(const std::string& rest) {
    write(rest);
    std::vector<std::string> lines;
    const std::vector<Diagnostic> found = validate_file(path_);
    test::keep_wrong_files(found);
    for (const Diagnostic& diagnostic : found) {
      lines.push_back(to_string(diagnostic).substr(path_.string().size() + 1));
    }
    return lines;
  }
  static std::string one_task(const std::string& keys) {
    return "tasks:\n  - {name: a, kind: compute, " + keys + "}\n";
  }

 private:
  void write(const std::string& rest) {
    std::ofstream(path_) << "schema_version: 1\nname: test\ngpu: " << kShippedConfigs << "/gpus/k20c.yaml\n" << rest;
  }

  std::filesystem::path path_;
};

TEST_F(TaskSetFile, TimesAreExactInAnyUnit) {
  const TaskSetSpec set = load("time_unit_us: 7\n" + one_task("work: 1.001, period: 30.5, deadline: 20, offset: 0.25"));
  ASSERT_THAT(set.tasks, SizeIs(1));
  EXPECT_EQ(set.tasks[0].work, 7 * 1001);
  EXPECT_EQ(set.tasks[0].period, 7 * 30500);
  EXPECT_EQ(set.tasks[0].deadline, 7 * 20000);
  EXPECT_EQ(set.tasks[0].offset, 7 * 250);
}

TEST_F(TaskSetFile, TheUnitIsAMillisecondUnlessSaidOtherwise) {
  EXPECT_EQ(load(one_task("work: 3, period: 30")).tasks[0].work, 3'000'000);
}

TEST_F(TaskSetFile, AJobIsDueWhenTheNextOneComesUnlessSaidOtherwise) {
  const TaskSetSpec set = load(one_task("work: 3, period: 30"));
  EXPECT_EQ(set.tasks[0].deadline, set.tasks[0].period);
}

// [Z21] 7.1: b = 0.02 a or 0.1 a.
TEST_F(TaskSetFile, TheTailIsThatOfItsKindUnlessSaidOtherwise) {
  const TaskSetSpec set = load(
      "tasks:\n"
      "  - {name: a, kind: compute, work: 100, period: 200}\n"
      "  - {name: b, kind: memory, work: 100, period: 200}\n"
      "  - {name: c, kind: memory, work: 100, tail: 3, period: 200}\n");
  const auto tail = [&set](std::size_t i) { return set.tasks[i].tail_parts / realtime::kTailParts; };
  EXPECT_EQ(tail(0), set.tasks[0].work / 50);
  EXPECT_EQ(tail(1), set.tasks[1].work / 10);
  EXPECT_EQ(tail(2), 3'000'000);
}

TEST_F(TaskSetFile, ContentionIsThePapersUnlessSaidOtherwise) {
  const TaskSetSpec set = load("contention: {memory: 2}\n" + one_task("work: 3, period: 30"));
  EXPECT_THAT(set.contention.factor, ElementsAre(1200, 2000));
}

TEST_F(TaskSetFile, AKernelIsThatOfItsApplication) {
  const TaskSetSpec set =
      load(one_task("application: " + kShippedConfigs + "/applications/sgemm.yaml, kernel: mysgemmNT, period: 30"));
  ASSERT_TRUE(set.tasks[0].kernel.has_value());
  EXPECT_EQ(set.tasks[0].kernel->num_tbs, 528U);
  EXPECT_EQ(set.tasks[0].work, 0);
}

TEST_F(TaskSetFile, PartitionsHaveTheTasksThatTheyName) {
  const TaskSetSpec set = load(
      "tasks:\n"
      "  - {name: a, kind: compute, work: 1, period: 20}\n"
      "  - {name: b, kind: memory, work: 1, period: 20}\n"
      "  - {name: c, kind: memory, work: 1, period: 20}\n"
      "partitions:\n"
      "  - {name: left, num_sms: 12, tasks: [c, a]}\n"
      "  - {name: right, num_sms: 1, tasks: [b]}\n");
  ASSERT_THAT(set.partitions, SizeIs(2));
  EXPECT_THAT(set.partitions[0].tasks, ElementsAre(0, 2));
  EXPECT_THAT(set.partitions[1].tasks, ElementsAre(1));
  EXPECT_EQ(set.partitions[0].num_sms, 12U);
}

// ---- tasks that are drawn ----------------------------------------------------------------------------------------

// 13 KSRs: so many tasks.
TEST_F(TaskSetFile, DrawnTasksKeepTheLimitAndAddUpToTheUtilisation) {
  bool has_large = false;
  for (const std::string seed : {"1", "2", "3", "4", "5", "6", "7", "8"}) {
    const std::string start = "generate: {tasks: 13, utilisation: 5, seed: " + seed;
    const TaskSetSpec set = load(start + ", max_task_utilisation: 1}\n");
    ASSERT_THAT(set.tasks, SizeIs(13));
    realtime::Wide sum = 0;  // a / T, over the longest period
    for (const TaskSpec& task : set.tasks) {
      EXPECT_LE(task.work, task.period);
      sum += realtime::Wide{task.work} * (4'000'000'000 / task.period);
    }
    EXPECT_TRUE(sum == realtime::Wide{5} * 4'000'000'000);
    for (const TaskSpec& task : load(start + "}\n").tasks) has_large = has_large || task.work > task.period;
  }
  EXPECT_TRUE(has_large);  // without a limit there are some
}

TEST_F(TaskSetFile, DrawnTasksAreThoseOfTheListThatTheSeedNames) {
  realtime::GenerationOptions options;
  options.num_tasks = 12;
  options.utilisation = 4;
  options.memory_percent = 20;
  options.deadline_percent = 60;
  options.time_unit = 100'000;
  const realtime::TaskSet drawn = realtime::generate(options, 2021, 4'000'007);
  const TaskSetSpec set = load(
      "time_unit_us: 100\n"
      "generate: {tasks: 12, utilisation: 4, seed: 2021, number: 4000007, memory_percent: 20, deadline_percent: 60}\n");
  ASSERT_THAT(set.tasks, SizeIs(12));
  for (std::size_t i = 0; i < set.tasks.size(); ++i) {
    const TaskSpec& task = set.tasks[i];
    const realtime::Task& wanted = drawn.tasks[i];
    EXPECT_EQ(std::tie(task.name, task.kind, task.period, task.deadline, task.work, task.tail_parts),
              std::tie(wanted.name, wanted.kind, wanted.period, wanted.deadline, wanted.work, wanted.tail_parts));
    EXPECT_EQ(task.offset, 0);
  }
}

TEST_F(TaskSetFile, ALimitThatCannotBeMetIsTold) {
  EXPECT_THAT(mistakes("generate: {tasks: 6, utilisation: 13, max_task_utilisation: 2}\n"),
              ElementsAre("4:61: generate.max_task_utilisation: is too low: so many tasks do not add up to the "
                          "utilisation (2; at least 3)"));
  // One vector of all fits, which is never drawn.
  EXPECT_THAT(mistakes("generate: {tasks: 6, utilisation: 12, max_task_utilisation: 2}\n"),
              ElementsAre(AllOf(HasSubstr("4:61: generate.max_task_utilisation: no task set in 10,000 draws"),
                                HasSubstr("(2; a higher limit"))));
}

TEST_F(TaskSetFile, WhatIsWrongWithDrawnTasksIsToldALineEach) {
  EXPECT_THAT(mistakes("generate: {tasks: 300, utilisation: 0, sed: 2, deadline_percent: 101}\n"),
              testing::UnorderedElementsAre(HasSubstr("generate.tasks: "), HasSubstr("generate.utilisation: "),
                                            HasSubstr("generate.sed: unknown key (nearest known key: seed)"),
                                            HasSubstr("generate.deadline_percent: ")));
  EXPECT_THAT(mistakes("generate: {}\n"),
              ElementsAre(HasSubstr("generate.tasks: is missing"), HasSubstr("generate.utilisation: is missing")));
  EXPECT_THAT(mistakes("generate: {tasks: 20, utilisation: 2}\n"),
              ElementsAre(HasSubstr("4:11: generate: too many tasks for the framework.num_command_buffers"),
                          HasSubstr("4:11: generate: too many tasks for the framework.num_ksrs")));
  EXPECT_THAT(mistakes("time_unit_us: 1000000\ngenerate: {tasks: 1, utilisation: 256}\n"),
              ElementsAre(HasSubstr("generate.utilisation: makes a task of more than 1000 s")));
}

TEST_F(TaskSetFile, TasksAreListedOrDrawn) {
  EXPECT_THAT(mistakes("generate: {tasks: 2, utilisation: 1}\n" + one_task("work: 3, period: 30")),
              ElementsAre(HasSubstr("generate: cannot be combined with tasks (one of them)")));
  EXPECT_THAT(mistakes("time_unit_us: 5\n"), ElementsAre(HasSubstr("tasks: is missing, and so is generate")));
  EXPECT_THAT(mistakes("time_unit_us: 5\ntasks: []\n"), ElementsAre(HasSubstr("tasks: is empty")));
}

// ---- one line for each mistake -----------------------------------------------------------------------------------

TEST_F(TaskSetFile, ADeadlineAboveThePeriodIsTold) {
  EXPECT_THAT(mistakes(one_task("work: 3, period: 30, deadline: 31")),
              ElementsAre("5:61: tasks.0.deadline: is above its period (31; at most 30)"));
}

TEST_F(TaskSetFile, AnUnknownKindIsTold) {
  EXPECT_THAT(mistakes("tasks:\n  - {name: a, kind: both, work: 3, period: 30}\n"),
              ElementsAre(AllOf(HasSubstr("5:21: tasks.0.kind: "), HasSubstr("compute, memory"))));
}

TEST_F(TaskSetFile, ATaskWithoutWorkOrTailIsTold) {
  EXPECT_THAT(mistakes(one_task("work: 0, period: 30")), ElementsAre(HasSubstr("tasks.0.work: ")));
  EXPECT_THAT(mistakes(one_task("work: 3, tail: 0, period: 30")), ElementsAre(HasSubstr("tasks.0.tail: ")));
  EXPECT_THAT(mistakes(one_task("period: 30")),
              ElementsAre(HasSubstr("tasks.0.work: is missing, and so is application")));
}

TEST_F(TaskSetFile, ATailOfTooManyThreadBlocksIsTold) {
  EXPECT_THAT(mistakes(one_task("work: 100000, tail: 0.001, period: 200000")),
              ElementsAre(HasSubstr("tasks.0.tail: is too small beside work")));
}

TEST_F(TaskSetFile, ANameThatTwoTasksHaveIsTold) {
  EXPECT_THAT(mistakes("tasks:\n  - {name: a, kind: compute, work: 3, period: 30}\n"
                       "  - {name: a, kind: compute, work: 3, period: 30}\n"),
              ElementsAre("6:12: tasks.1.name: duplicate name (a; first in line 5)"));
}

TEST_F(TaskSetFile, AKernelThatDoesNotExistIsTold) {
  const std::string application = "application: " + kShippedConfigs + "/applications/sgemm.yaml, ";
  EXPECT_THAT(mistakes(one_task(application + "kernel: sgem, period: 30")),
              ElementsAre(AllOf(HasSubstr("tasks.0.kernel: application 'sgemm' has no such kernel"),
                                HasSubstr("(sgem; mysgemmNT)"))));
  EXPECT_THAT(mistakes(one_task(application + "period: 30")), ElementsAre(HasSubstr("tasks.0.kernel: is missing")));
  EXPECT_THAT(mistakes(one_task(application + "kernel: mysgemmNT, work: 3, period: 30")),
              ElementsAre(HasSubstr("tasks.0.application: cannot be combined with work")));
}

TEST_F(TaskSetFile, AKernelThatNeverEndsIsNoTask) {
  EXPECT_THAT(mistakes(one_task("application: " + kShippedConfigs +
                                "/applications/persistent.yaml, kernel: server, period: 30")),
              ElementsAre(HasSubstr("tasks.0.kernel: is persistent")));
}

TEST_F(TaskSetFile, AFileThatIsNoApplicationIsTold) {
  EXPECT_THAT(mistakes(one_task("application: " + kShippedConfigs + "/gpus/k20c.yaml, kernel: k, period: 30")),
              ElementsAre(HasSubstr("is a GPU file (an application file)")));
}

TEST_F(TaskSetFile, MoreTasksThanTheGpuHasRoomForAreTold) {
  std::string tasks = "tasks:\n";
  for (int i = 0; i < 17; ++i) {
    tasks += "  - {name: t" + std::to_string(i) + ", kind: compute, work: 1, period: 20}\n";
  }
  EXPECT_THAT(mistakes(tasks),
              ElementsAre(HasSubstr("too many tasks for the framework.num_command_buffers of the GPU (17; 1 .. 16)"),
                          HasSubstr("too many tasks for the framework.num_ksrs of the GPU (17; 1 .. 13)")));
}

TEST(TaskSets, AGpuOfOneChannelAtATimeHasNoPartitions) {
  const std::string path = std::filesystem::temp_directory_path() / ("channel_" + std::to_string(::getpid()) + ".yaml");
  std::ofstream(path) << "schema_version: 1\nname: test\ngpu: " << kShippedConfigs
                      << "/gpus/geforce_9800gt.yaml\ntasks: [{name: a, kind: compute, work: 1, period: 20}]\n";
  const std::vector<Diagnostic> found = validate_file(path);
  std::filesystem::remove(path);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].key, "gpu");
  EXPECT_THAT(found[0].problem, HasSubstr("channels: one"));
}

TEST_F(TaskSetFile, AHyperperiodThatIsTooLongIsTold) {
  EXPECT_THAT(mistakes("tasks:\n  - {name: a, kind: compute, work: 1, period: 1000.001}\n"
                       "  - {name: b, kind: compute, work: 1, period: 999.999}\n"
                       "  - {name: c, kind: compute, work: 1, period: 1000.003}\n"),
              ElementsAre(HasSubstr("tasks: the least common multiple of the periods is too long")));
}

TEST_F(TaskSetFile, ATaskIsInOnePartition) {
  const std::string two =
      "tasks:\n  - {name: a, kind: compute, work: 1, period: 20}\n"
      "  - {name: b, kind: memory, work: 1, period: 20}\n";
  EXPECT_THAT(mistakes(two + "partitions: [{name: p, num_sms: 1, tasks: [a]}]\n"),
              ElementsAre("7:13: partitions: task 'b' is in none (each task once)"));
  EXPECT_THAT(mistakes(two + "partitions: [{name: p, num_sms: 1, tasks: [a, b, a]}]\n"),
              ElementsAre(HasSubstr("partitions.0.tasks.2: is in partition 'p' already")));
  EXPECT_THAT(mistakes(two + "partitions: [{name: p, num_sms: 1, tasks: [a, b, c]}]\n"),
              ElementsAre(HasSubstr("partitions.0.tasks.2: no task has this name (c)")));
}

TEST_F(TaskSetFile, PartitionsHaveNoMoreSmsThanTheGpu) {
  EXPECT_THAT(mistakes("tasks:\n  - {name: a, kind: compute, work: 1, period: 20}\n"
                       "  - {name: b, kind: memory, work: 1, period: 20}\n"
                       "partitions:\n  - {name: p, num_sms: 10, tasks: [a]}\n  - {name: q, num_sms: 4, tasks: [b]}\n"),
              ElementsAre(HasSubstr("partitions.1.num_sms: is more SMs than are left (4; at most 3)")));
}

TEST_F(TaskSetFile, EveryMistakeIsToldAtOnce) {
  EXPECT_THAT(mistakes("contention: {compute: 0.5}\ntime_unit: 5\n" + one_task("work: 3, period: 0")), SizeIs(3));
}

TEST_F(TaskSetFile, AnExperimentIsNoTaskSet) {
  EXPECT_THROW(load_task_set(kShippedConfigs + "/experiments/quickstart.yaml"), InputError);
}

}  // namespace
}  // namespace tessera::spec
