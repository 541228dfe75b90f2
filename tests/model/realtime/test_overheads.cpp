// SPDX-License-Identifier: Apache-2.0
// What the machine takes beyond C(m): each term against the latencies of the Spec, and what becomes of tasks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/realtime/machine_partitioning.h"
#include "model/realtime/task_kernels.h"
#include "model/spec/loader.h"
#include "model/spec/spec.h"
#include "model/spec/task_set_spec.h"
#include "model/workload/kernel_model.h"

namespace tessera::realtime {
namespace {

using spec::TechniqueKind;

constexpr Nanoseconds kOneMillisecond = 1'000'000;

struct OverheadSample {
  explicit OverheadSample(TechniqueKind technique = TechniqueKind::kContextSwitch) {
    set.name = "sample";
    set.gpu = spec::load_gpu(TESSERA_SOURCE_DIR "/configs/gpus/rtx2080ti.yaml");
    add(TaskKind::kCompute, 40 * kOneMillisecond, 100 * kOneMillisecond);
    add(TaskKind::kMemory, 30 * kOneMillisecond, 200 * kOneMillisecond);
    machine = machine_of(set, technique);
    kernels = kernels_of(set);
    tasks = task_set_of(set, {{}, {}});
  }
  void add(TaskKind kind, Nanoseconds work, Nanoseconds period) {
    spec::TaskSpec& task = set.tasks.emplace_back();
    task.name = "t" + std::to_string(set.tasks.size());
    task.kind = kind;
    task.work = work;
    task.tail_parts = paper_tail_parts(kind, work);
    task.period = period;
    task.deadline = period * 3 / 4;
  }
  Overheads overheads(const Sharing& sharing = {}) const { return overheads_of(tasks, machine, kernels, sharing); }
  TaskSet adjusted() const { return with_overheads(tasks, machine, kernels, overheads()); }

  spec::TaskSetSpec set;
  spec::Spec machine;
  std::vector<spec::KernelSpec> kernels;
  TaskSet tasks;
};

// docs/concepts/partitioning.md, Times: with s TBs per SM a compute task is 50 s TBs of b, a memory task 10 s.
TEST(TaskKernels, AreAsManyThreadBlocksAsTakeItsWork) {
  OverheadSample sample;
  EXPECT_EQ(sample.kernels[0].num_tbs, 50U);
  EXPECT_EQ(sample.kernels[1].num_tbs, 10U);
  EXPECT_EQ(sample.kernels[0].tb_time, 40'000'000'000U / 50);
  EXPECT_EQ(sample.kernels[1].tb_time, 30'000'000'000U / 10);
  sample.set.tbs_per_sm = 4;
  for (const spec::KernelSpec& kernel : kernels_of(sample.set)) {
    EXPECT_EQ(workload::occupancy(sample.set.gpu, kernel).tbs_per_sm, 4U) << kernel.name;
  }
  EXPECT_EQ(kernels_of(sample.set)[0].num_tbs, 200U);
}

TEST(TaskKernels, ARealKernelTakesAloneWhatItsFileSays) {
  OverheadSample sample;
  sample.set.gpu = spec::load_gpu(TESSERA_SOURCE_DIR "/configs/gpus/k20c.yaml");
  spec::KernelSpec kernel;
  kernel.num_tbs = 13 * 16 * 10;
  kernel.regs_per_tb = 4096;
  kernel.threads_per_tb = 128;
  kernel.kernel_time = 1'000'000'000;
  sample.set.tasks[0].kernel = kernel;
  const Picoseconds ten_waves = 10 * *kernels_of(sample.set)[0].tb_time;
  EXPECT_LT(ten_waves, *kernel.kernel_time);  // its overheads are in it
  EXPECT_GT(ten_waves, *kernel.kernel_time * 9 / 10);
}

TEST(TaskKernels, TheLongestThreadBlockIsWhatAllSpreadsAllow) {
  spec::KernelSpec kernel;
  kernel.tb_time = 1000;
  kernel.tb_time_spread_ppm = 300'000;
  kernel.kernel_time_spread_ppm = 100'000;
  EXPECT_EQ(longest_tb_time(kernel), 1430U);
}

TEST(RealtimeOverheads, LaunchPathIsCallDoorbellTwoReadsAndDispatch) {
  const OverheadSample sample;
  const Nanoseconds dispatch = 1000;  // 1545 cycles
  const Nanoseconds link = 500;
  EXPECT_NEAR(static_cast<double>(sample.overheads().launch_path), 5000 + 5 * link + dispatch, 5);
}

TEST(RealtimeOverheads, CompletionPathIsDispatchFenceAndInterrupt) {
  const OverheadSample sample;
  EXPECT_NEAR(static_cast<double>(sample.overheads().completion_path), 1000 + 500 + 3000, 5);
}

TEST(RealtimeOverheads, AFenceThatComesAfterTheKernelIsWaitedFor) {
  OverheadSample sample;
  const Nanoseconds before = sample.overheads().completion_path;
  sample.machine.host.synchronise = 102'000'000;  // 100 us later than the launch is looked at
  EXPECT_NEAR(static_cast<double>(sample.overheads().completion_path - before), 100'000, 5);
}

TEST(RealtimeOverheads, ASwitchIsASaveAndTwoRestoresTwiceLessOne) {
  OverheadSample sample;
  const Nanoseconds with = sample.overheads().per_job;
  const Nanoseconds save =
      static_cast<Nanoseconds>(workload::projected_save_time(sample.set.gpu, sample.kernels[0])) / 1000;
  sample.machine.gpu.memory_bandwidth_bytes_per_s *= 1'000'000;  // contexts take no time
  EXPECT_NEAR(static_cast<double>(with - sample.overheads().per_job), static_cast<double>(5 * save), 10);
}

TEST(RealtimeOverheads, DrainSavesNothingAndBlocksForItsLongestThreadBlock) {
  const OverheadSample sample(TechniqueKind::kDrain);
  EXPECT_LT(sample.overheads().per_job, OverheadSample().overheads().per_job);
  const TaskSet adjusted = sample.adjusted();
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(adjusted.tasks[i].blocking_parts, adjusted.tasks[i].tail_parts);
    EXPECT_GT(adjusted.tasks[i].blocking_parts, sample.tasks.tasks[i].tail_parts);
    EXPECT_EQ(OverheadSample().adjusted().tasks[i].blocking_parts, 0);
  }
}

TEST(RealtimeOverheads, GrowWithTheSizeOfPartitionsAndTheirNumber) {
  const OverheadSample sample;
  const Nanoseconds least = sample.overheads({1, 1}).per_job;
  EXPECT_GT(sample.overheads({2, 1}).per_job, least);
  EXPECT_GT(sample.overheads({1, 2}).per_job, least);
  EXPECT_EQ(sample.overheads({2, 1}).per_tb, sample.overheads({1, 2}).per_tb);
}

TEST(RealtimeOverheads, AWiderSearchTakesLess) {
  OverheadSample wide;
  wide.machine.scheduler.search_width = 4;
  EXPECT_LT(wide.overheads({8, 8}).per_job, OverheadSample().overheads({8, 8}).per_job);
}

// docs/hardware/timing.md 6.7: ROW waits for the lane, and an event that is not simple goes through it first.
TEST(RealtimeOverheads, ARefillLaneMayDelayWhatTheEngineDoes) {
  OverheadSample with_lane, without;
  with_lane.machine.gpu.framework.refill_lane = true;
  without.machine.gpu.framework.refill_lane = false;
  EXPECT_GT(with_lane.overheads().per_tb, without.overheads().per_tb);
  EXPECT_GT(with_lane.overheads().per_job, without.overheads().per_job);
}

TEST(RealtimeOverheads, OnlyDeadlinesLoseWhatLiesOutsideOfTheEngine) {
  const OverheadSample sample;
  const Overheads overheads = sample.overheads();
  const TaskSet adjusted = sample.adjusted();
  const Nanoseconds outside = overheads.launch_path + overheads.completion_path + overheads.inversion;
  for (std::size_t i = 0; i < 2; ++i) {
    const Task& before = sample.tasks.tasks[i];
    const Task& after = adjusted.tasks[i];
    EXPECT_EQ(after.deadline, before.deadline - outside);
    EXPECT_EQ(after.overhead, overheads.per_job);
    EXPECT_EQ(after.work, before.work + sample.kernels[i].num_tbs * overheads.per_tb);
    EXPECT_EQ(after.tail_parts, before.tail_parts + overheads.per_tb * kTailParts);
    EXPECT_EQ(after.period, before.period);
  }
}

TEST(RealtimeOverheads, ADeadlineBelowThemIsMetByNobody) {
  OverheadSample sample;
  sample.tasks.tasks[0].deadline = 10'000;
  const MachineTasks of{&sample.tasks, &sample.machine, &sample.kernels, true};
  EXPECT_FALSE(partition_on_machine(of, {}).is_schedulable);
}

TEST(MachinePartitioning, CountsAtLeastTheOverheadsOfWhatItFinds) {
  OverheadSample sample;
  for (int i = 0; i < 6; ++i) sample.add(TaskKind::kCompute, 150 * kOneMillisecond, 100 * kOneMillisecond);
  sample.kernels = kernels_of(sample.set);
  sample.tasks = task_set_of(sample.set, std::vector<std::vector<Nanoseconds>>(8));
  const MachineTasks of{&sample.tasks, &sample.machine, &sample.kernels, true};
  const MachinePartitioning found = partition_on_machine(of, {});
  ASSERT_TRUE(found.is_schedulable);
  const auto number = static_cast<std::uint32_t>(found.partitions.size());
  for (const AnalysedPartition& each : found.partitions) {
    EXPECT_TRUE(each.is_schedulable);
    EXPECT_EQ(each.overheads.per_job,
              sample.overheads({1, 1}).per_job > 0
                  ? overheads_of(sample.tasks, sample.machine, sample.kernels, {each.partition.num_sms, number}).per_job
                  : 0);
    for (std::size_t i = 0; i < each.partition.tasks.size(); ++i) {
      ASSERT_TRUE(each.responses[i].has_value());
      EXPECT_LE(*each.responses[i], sample.tasks.tasks[each.partition.tasks[i]].deadline);
    }
  }
}

// Compute (a = 40, T = 100) and memory (30, 200): C(1) is 40.8 and 33, and together they need one SM.
TEST(MachinePartitioning, WithoutOverheadsItIsThePapers) {
  OverheadSample sample;
  sample.tasks.tasks[0].period = 100 * kOneMillisecond;
  const MachineTasks of{&sample.tasks, &sample.machine, &sample.kernels, false};
  const MachinePartitioning together = partition_on_machine(of, {Heuristic::kSms, Forbidden::kIna, Stop::kFixpoint});
  ASSERT_EQ(together.partitions.size(), 1U);
  EXPECT_EQ(together.num_sms, 1U);
  EXPECT_EQ(together.partitions[0].times[0], 40'800'000);
  EXPECT_EQ(together.partitions[0].times[1], 33'000'000);
}

}  // namespace
}  // namespace tessera::realtime
