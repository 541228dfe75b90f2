// SPDX-License-Identifier: Apache-2.0
// What a good experiment becomes: values, units, defaults, references, overrides.
// Expected values are those written in support.h, converted by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/spec/core_cycles.h"
#include "model/spec/search_cycles.h"
#include "tests/model/spec/support.h"

namespace tessera::spec {
namespace {

using test::Files;
using testing::ElementsAre;

TEST(SpecLoader, GpuIsReadInBaseUnits) {
  const GpuSpec gpu = Files().load().gpu;
  EXPECT_EQ(gpu.name, "tiny");
  EXPECT_EQ(gpu.clock_hz, 706'500'000U);
  EXPECT_EQ(gpu.num_sms, 4U);
  EXPECT_THAT(gpu.shared_memory_bytes, ElementsAre(16384U, 49152U));
  EXPECT_EQ(gpu.memory_bandwidth_bytes_per_s, 208'250'000'000U);
  EXPECT_EQ(gpu.pcie.bytes_per_second(), 8'000'000'000U);  // [T14] Table 2
  EXPECT_EQ(gpu.framework.sm_setup_cycles, 9U);
}

TEST(SpecLoader, KeysThatAreNotGivenKeepTheDefaultsOfTheSpec) {
  const Spec spec = Files().load();
  EXPECT_EQ(spec.gpu.num_hardware_queues, GpuSpec{}.num_hardware_queues);
  EXPECT_EQ(spec.gpu.framework.dispatch_cycles, FrameworkSpec{}.dispatch_cycles);
  EXPECT_EQ(spec.host.copy, HostSpec{}.copy);
  EXPECT_EQ(spec.scheduler.fill, SchedulerSpec{}.fill);
  EXPECT_EQ(spec.processes[1].priority, ProcessSpec{}.priority);
  EXPECT_EQ(spec.processes[1].deadline, std::nullopt);
  EXPECT_EQ(spec.processes[1].tokens, std::nullopt);
}

// Of the four SMs of the GPU file, two in a step; two core cycles in an SM cycle.
TEST(SearchCycles, OfTheIdealEngineAreCyclesOfTheSearchsStepsAlone) {
  const Files files;
  const Spec spec = files.load({"scheduler.search_width=2", "scheduler.tbs_per_cycle=2",
                                "gpu.framework.search_entry_cycles=3", "gpu.framework.kernel_activation_cycles=4"});
  EXPECT_EQ(search_steps(spec), 2U);
  EXPECT_EQ(search_core_cycles(spec), 2U * 3 * 2);
  EXPECT_EQ(given_activation_cycles(spec), 8U);
}

TEST(SpecLoader, KernelStatusRegistersDefaultToOnePerSm) {
  const Files files;
  EXPECT_EQ(files.load().gpu.framework.num_ksrs, 4U);
  EXPECT_EQ(files.load({"gpu.num_sms=32"}).gpu.framework.num_ksrs, 32U);
  EXPECT_EQ(files.load({"gpu.framework.num_ksrs=5"}).gpu.framework.num_ksrs, 5U);
}

TEST(SpecLoader, KernelsHaveTimesInPicosecondsAndSpreadInPpm) {
  const ApplicationSpec application = Files().load().applications.at(0);
  ASSERT_EQ(application.kernels.size(), 3U);
  EXPECT_EQ(application.kernels[0].kernel_time, 2'905'810'000U);
  EXPECT_EQ(application.kernels[0].tb_time, std::nullopt);
  EXPECT_EQ(application.kernels[1].tb_time, 2'420'000U);
  EXPECT_EQ(application.kernels[1].tb_time_spread_ppm, 100'000U);
  EXPECT_TRUE(application.kernels[2].is_persistent);
}

TEST(SpecLoader, ProgramStepsKeepTheirOrderAndNesting) {
  const ApplicationSpec application = Files().load().applications.at(0);
  ASSERT_EQ(application.program.size(), 6U);
  EXPECT_EQ(std::get<CpuPhase>(application.program[0]).time, 100'000'000U);
  const auto& to_gpu = std::get<Copy>(application.program[1]);
  EXPECT_EQ(to_gpu.direction, CopyDirection::kToGpu);
  EXPECT_EQ(to_gpu.bytes, 4096U);
  EXPECT_EQ(to_gpu.stream, 1U);
  EXPECT_TRUE(to_gpu.is_async);
  const auto& loop = std::get<Loop>(application.program[2]);
  EXPECT_EQ(loop.count, 50U);
  ASSERT_EQ(loop.body.size(), 2U);
  EXPECT_EQ(std::get<Launch>(loop.body[0]).kernel, 0U);
  EXPECT_EQ(std::get<Launch>(loop.body[0]).stream, 2U);
  EXPECT_EQ(std::get<Synchronise>(loop.body[1]).stream, 2U);
  EXPECT_EQ(std::get<Launch>(application.program[3]).kernel, 1U);
  EXPECT_EQ(std::get<Synchronise>(application.program[4]).stream, std::nullopt);
  EXPECT_FALSE(std::get<Copy>(application.program[5]).is_async);
}

TEST(SpecLoader, StreamsAreCountedInsideLoopsToo) {
  EXPECT_EQ(Files().load().applications.at(0).num_streams(), 3U);  // 0, 1, and 2 in the loop
  EXPECT_EQ(ApplicationSpec{}.num_streams(), 0U);
}

TEST(SpecLoader, ProcessesOfOneFileShareItsApplication) {
  const Spec spec = Files().load();
  ASSERT_EQ(spec.applications.size(), 1U);
  ASSERT_EQ(spec.processes.size(), 2U);
  EXPECT_EQ(spec.processes[0].name, "front");
  EXPECT_EQ(spec.processes[0].priority, 3U);
  EXPECT_EQ(spec.processes[0].tokens, 2U);
  EXPECT_EQ(spec.processes[0].start, 1'500'000U);
  EXPECT_EQ(spec.processes[0].application, spec.processes[1].application);
  EXPECT_TRUE(spec.processes[1].is_background);
}

TEST(SpecLoader, BaselineTakesWhatItDoesNotSayFromTheScheduler) {
  const Spec spec = Files().load();
  ASSERT_TRUE(spec.baseline.has_value());
  EXPECT_EQ(spec.baseline->policy, PolicyKind::kFcfs);
  EXPECT_EQ(spec.baseline->technique, TechniqueKind::kDrain);
  EXPECT_EQ(spec.baseline->token_scope, TokenScope::kProcess);
  EXPECT_EQ(spec.baseline->search_width, 2U);
}

TEST(SpecLoader, ExperimentWithoutBaselineHasNone) {
  Files files;
  files.replace("experiment.yaml", "baseline: {policy: fcfs}\n", "");
  EXPECT_FALSE(files.load().baseline.has_value());
  EXPECT_EQ(files.load({"baseline.policy=npq"}).baseline->policy, PolicyKind::kNpq);
}

TEST(SpecLoader, TheRestOfTheExperimentIsRead) {
  const Spec spec = Files().load();
  EXPECT_EQ(spec.name, "small_test");
  EXPECT_EQ(spec.seed, 7U);
  EXPECT_EQ(spec.host.launch, 1'250'000U);
  EXPECT_EQ(spec.scheduler.policy, PolicyKind::kDss);
  EXPECT_EQ(spec.dma_policy, DmaPolicy::kNpq);
  EXPECT_EQ(spec.channel_sharing, ChannelSharing::kFair);
  EXPECT_EQ(spec.stop.min_runs, 2U);
  EXPECT_EQ(spec.stop.max_time, 5'000'000'000U);
  EXPECT_FALSE(spec.checks.enable_invariants);
  EXPECT_TRUE(spec.checks.enable_context_check);
}

TEST(SpecLoader, MappingsMayStandWhereAPathMay) {
  Files files;
  files.replace("experiment.yaml", "host: parts/host.yaml", "host: {name: inline, copy_us: 3}");
  EXPECT_EQ(files.load().host.copy, 3'000'000U);
}

TEST(SpecLoader, PathsAreRelativeToTheExperimentOrAbsolute) {
  Files files;
  const std::string absolute = files.path("parts/gpu.yaml");
  EXPECT_EQ(files.load({"gpu=" + absolute}).gpu.name, "tiny");
  EXPECT_EQ(files.load({"gpu=parts/../parts/gpu.yaml"}).gpu.name, "tiny");
}

TEST(SpecOverrides, ValueReplacesWhatTheFileSays) {
  const Spec spec = Files().load({"scheduler.policy=ppq", "seed=18446744073709551615", "stop={min_runs: 9}"});
  EXPECT_EQ(spec.scheduler.policy, PolicyKind::kPpq);
  EXPECT_EQ(spec.seed, 18446744073709551615U);
  EXPECT_EQ(spec.stop.min_runs, 9U);
  EXPECT_EQ(spec.stop.max_time, StopSpec{}.max_time);
}

TEST(SpecOverrides, ReachIntoReferredFilesAndLists) {
  const Spec spec = Files().load({"gpu.num_sms=32", "host.name=other", "workload.processes.0.priority=5",
                                  "gpu.shared_memory_bytes.0=8192", "gpu.framework.dispatch_cycles=3"});
  EXPECT_EQ(spec.gpu.num_sms, 32U);
  EXPECT_EQ(spec.host.name, "other");
  EXPECT_EQ(spec.processes[0].priority, 5U);
  EXPECT_THAT(spec.gpu.shared_memory_bytes, ElementsAre(8192U, 49152U));
  EXPECT_EQ(spec.gpu.framework.dispatch_cycles, 3U);
}

TEST(SpecOverrides, ReplaceAReferenceAndAKeyBehindItInAnyOrder) {
  Files files;
  files.write("parts/big.yaml", files.text("parts/gpu.yaml"));
  files.replace("parts/big.yaml", "name: tiny", "name: big");
  const std::vector<std::string> overrides = {"gpu.num_sms=32", "gpu=parts/big.yaml"};
  for (const auto& order : {overrides, std::vector<std::string>(overrides.rbegin(), overrides.rend())}) {
    const GpuSpec gpu = files.load(order).gpu;
    EXPECT_EQ(gpu.name, "big");
    EXPECT_EQ(gpu.num_sms, 32U);
  }
}

TEST(SpecOverrides, ReplaceADanglingReference) {
  Files files;
  files.replace("experiment.yaml", "gpu: parts/gpu.yaml", "gpu: parts/nowhere.yaml");
  EXPECT_EQ(files.load({"gpu=parts/gpu.yaml"}).gpu.name, "tiny");
}

TEST(SpecOverrides, OfOneKeyTwiceAreRefusedEvenWithEqualValues) {
  const Files files;
  for (const char* second : {"seed=3", "seed=4"}) {
    const auto mistakes = files.mistakes({"seed=3", "stop.min_runs=1", second});
    ASSERT_EQ(mistakes.size(), 1U);
    EXPECT_EQ(to_string(mistakes[0]),
              std::string("--set:1:1: seed: is set twice (") + second + "; the first was seed=3)");
  }
  EXPECT_EQ(files.mistakes({"workload.processes.0.priority=1", "workload.processes.00.priority=2"}).size(), 1U);
}

TEST(SpecOverrides, AnApplicationChangedForOneProcessIsItsOwn) {
  const std::string application = "workload.processes.0.application.";
  const Spec spec = Files().load({application + "kernels.0.num_tbs=5", application + "name=changed"});
  ASSERT_EQ(spec.applications.size(), 2U);
  EXPECT_EQ(spec.applications[spec.processes[0].application].kernels[0].num_tbs, 5U);
  EXPECT_EQ(spec.applications[spec.processes[1].application].kernels[0].num_tbs, 100U);
}

// The system's share is allocated beside what the kernel asks for; results say what the file says.
TEST(SpecLoader, TheReserveOfTheGpuIsPartOfWhatAThreadBlockIsAllocated) {
  test::Files files;
  const Spec plain = files.load();
  const Spec reserved = files.load({"gpu.shared_memory_reserve_bytes=100"});
  const KernelSpec& kernel = reserved.applications.at(0).kernels.at(0);
  EXPECT_EQ(kernel.smem_bytes_per_tb, plain.applications.at(0).kernels.at(0).smem_bytes_per_tb + 100);
  EXPECT_EQ(to_json(reserved.applications.at(0)), to_json(plain.applications.at(0)));
}

}  // namespace
}  // namespace tessera::spec
