// SPDX-License-Identifier: Apache-2.0
// Tasks in their partitions as an experiment, in memory and as a file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "model/realtime/partition_experiment.h"
#include "model/realtime/task_kernels.h"
#include "model/spec/loader.h"
#include "model/spec/spec.h"
#include "model/spec/spec_json.h"
#include "model/spec/task_set_spec.h"

namespace tessera::realtime {
namespace {

class PartitionExperiment : public testing::Test {
 protected:
  PartitionExperiment()
      : path_(std::filesystem::temp_directory_path() / ("experiment_" + std::to_string(::getpid()) + ".yaml")),
        set_(spec::load_task_set(TESSERA_SOURCE_DIR "/configs/tasks/paper_dozen.yaml")),
        machine_(machine_of(set_, spec::TechniqueKind::kContextSwitch)),
        kernels_(kernels_of(set_)),
        tasks_(task_set_of(set_, std::vector<std::vector<Nanoseconds>>(set_.tasks.size()))),
        partitioning_(partition_on_machine(of(), {Heuristic::kSms, Forbidden::kIna, Stop::kFixpoint})) {
    for (std::size_t i = 0; i < partitioning_.partitions.size(); ++i) names_.push_back("part" + std::to_string(i));
  }
  ~PartitionExperiment() override { std::filesystem::remove(path_); }

  MachineTasks of() const { return {&tasks_, &machine_, &kernels_, false}; }
  spec::Spec experiment(SimulatedContention contention) const {
    return experiment_of(set_, of(), partitioning_, names_, contention);
  }

  std::filesystem::path path_;
  spec::TaskSetSpec set_;
  spec::Spec machine_;
  std::vector<spec::KernelSpec> kernels_;
  TaskSet tasks_;
  MachinePartitioning partitioning_;
  std::vector<std::string> names_;
};

TEST_F(PartitionExperiment, IsReadBackFromItsFile) {
  const spec::Spec experiment = this->experiment(SimulatedContention::kAssumed);
  std::ofstream(path_) << experiment_text(experiment);
  EXPECT_EQ(spec::content_hash(spec::load_experiment(path_)), spec::content_hash(experiment));
}

TEST_F(PartitionExperiment, HasAProcessATaskInItsPartition) {
  const spec::Spec experiment = this->experiment(SimulatedContention::kAssumed);
  ASSERT_EQ(experiment.processes.size(), set_.tasks.size());
  ASSERT_EQ(experiment.partitions.size(), partitioning_.partitions.size());
  std::uint32_t next_sm = 0;
  for (std::size_t i = 0; i < partitioning_.partitions.size(); ++i) {
    const Partition& partition = partitioning_.partitions[i].partition;
    EXPECT_EQ(experiment.partitions[i].name, names_[i]);
    EXPECT_EQ(experiment.partitions[i].sms.size(), partition.num_sms);
    EXPECT_EQ(experiment.partitions[i].sms.front(), next_sm);
    next_sm += partition.num_sms;
    for (const std::uint32_t task : partition.tasks) EXPECT_EQ(experiment.processes[task].partition, i);
  }
  for (std::size_t i = 0; i < set_.tasks.size(); ++i) {
    const spec::ProcessSpec& process = experiment.processes[i];
    EXPECT_EQ(process.name, set_.tasks[i].name);
    EXPECT_EQ(*process.deadline, static_cast<Picoseconds>(set_.tasks[i].deadline) * 1000);
    EXPECT_EQ(process.releases->period, static_cast<Picoseconds>(set_.tasks[i].period) * 1000);
  }
}

// The hyperperiod is 2 s, the longest deadline 1.5 s, and there are no offsets.
TEST_F(PartitionExperiment, EndsAHyperperiodAndADeadlineLater) {
  EXPECT_EQ(experiment(SimulatedContention::kNone).stop.max_time, 3'500 * (kPicosecondsPerSecond / 1000));
}

TEST_F(PartitionExperiment, ThreadBlocksInConflictTakeAsMuchLongerAsAssumed) {
  const spec::Spec assumed = experiment(SimulatedContention::kAssumed);
  const spec::Spec none = experiment(SimulatedContention::kNone);
  bool has_conflict = false;
  for (const AnalysedPartition& each : partitioning_.partitions) {
    for (const std::uint32_t task : each.partition.tasks) {
      std::uint32_t alike = 0;
      for (const std::uint32_t other : each.partition.tasks) alike += set_.tasks[other].kind == set_.tasks[task].kind;
      const std::int64_t factor = set_.contention.of(set_.tasks[task].kind, alike > 1);
      has_conflict = has_conflict || alike > 1;
      const auto time = [task](const spec::Spec& spec) { return *spec.applications.at(task).kernels.at(0).tb_time; };
      EXPECT_EQ(time(none), *kernels_[task].tb_time);
      EXPECT_EQ(time(assumed), mul_div_ceil(time(none), static_cast<std::uint64_t>(factor), kFactorParts));
    }
  }
  EXPECT_TRUE(has_conflict);
}

TEST_F(PartitionExperiment, KernelsHaveTheKindsOfTheirTasks) {
  const spec::Spec experiment = this->experiment(SimulatedContention::kNone);
  for (std::size_t i = 0; i < set_.tasks.size(); ++i) {
    EXPECT_EQ(experiment.applications.at(i).kernels.at(0).kind, set_.tasks[i].kind) << set_.tasks[i].name;
  }
  EXPECT_FALSE(experiment.contention.is_on());
}

// As slow as the file says, and none the slower before it meets another of its kind.
TEST_F(PartitionExperiment, CoRunningLeavesItToTheMachineWhatIsSlower) {
  set_.contention.factor = {1250, 3001};
  tasks_.contention = set_.contention;
  const spec::Spec experiment = this->experiment(SimulatedContention::kCoRunning);
  EXPECT_EQ(experiment.contention.model, spec::ContentionModel::kCoRunning);
  EXPECT_EQ(experiment.contention.domain, spec::ContentionDomain::kPartition);
  EXPECT_THAT(experiment.contention.factor_ppm, testing::ElementsAre(1'250'000U, 3'001'000U));
  for (std::size_t i = 0; i < set_.tasks.size(); ++i) {
    EXPECT_EQ(experiment.applications.at(i).kernels.at(0).tb_time, kernels_[i].tb_time);
  }
  std::ofstream(path_) << experiment_text(experiment);
  EXPECT_EQ(spec::content_hash(spec::load_experiment(path_)), spec::content_hash(experiment));
}

// What waits for a thread block waits for it once.
TEST_F(PartitionExperiment, DrainEmptiesAPartition) {
  machine_ = machine_of(set_, spec::TechniqueKind::kDrain);
  EXPECT_EQ(experiment(SimulatedContention::kNone).scheduler.exclusive_scope, spec::ExclusiveScope::kAll);
}

}  // namespace
}  // namespace tessera::realtime
