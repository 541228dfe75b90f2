// SPDX-License-Identifier: Apache-2.0
// Every configuration that we ship is good input, and means what its name says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "model/spec/loader.h"
#include "model/spec/spec.h"
#include "model/workload/kernel_model.h"

namespace tessera::spec {
namespace {

namespace fs = std::filesystem;

const fs::path kConfigs = fs::path(TESSERA_SOURCE_DIR) / "configs";

std::vector<fs::path> files_of(const fs::path& folder, const char* extension = ".yaml") {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> mistakes(const fs::path& file) {
  std::vector<std::string> lines;
  for (const Diagnostic& diagnostic : validate_file(file)) lines.push_back(to_string(diagnostic));
  return lines;
}

TEST(Configs, EveryFileOfEveryKindValidates) {
  for (const char* kind :
       {"gpus", "hosts", "applications", "experiments", "papers", "silicon", "synthesis", "sweeps", "tasks"}) {
    const std::vector<fs::path> files = files_of(kConfigs / kind);
    EXPECT_FALSE(files.empty()) << kind;
    for (const fs::path& file : files) EXPECT_THAT(mistakes(file), ::testing::IsEmpty()) << file;
  }
}

TEST(Configs, EveryFileSaysItsStatusFirst) {
  for (const char* extension : {".yaml", ".spec"}) {
    for (const fs::path& file : files_of(kConfigs, extension)) {
      std::ifstream in(file);
      std::string line;
      std::getline(in, line);
      EXPECT_EQ(line.rfind("# status: ", 0), 0u) << file;
    }
  }
}

TEST(Configs, K20cIsTheMachineOfTable2) {
  const GpuSpec gpu = load_experiment(kConfigs / "experiments/quickstart.yaml").gpu;
  EXPECT_EQ(gpu.clock_hz, 706'000'000u);
  EXPECT_EQ(gpu.num_sms, 13u);
  EXPECT_EQ(gpu.max_tbs_per_sm, 16u);
  EXPECT_EQ(gpu.max_threads_per_sm, 2048u);
  EXPECT_EQ(gpu.registers_per_sm, 65536u);
  EXPECT_EQ(gpu.shared_memory_bytes, (std::vector<std::uint32_t>{16u << 10, 32u << 10, 48u << 10}));
  EXPECT_EQ(gpu.memory_bandwidth_bytes_per_s, 208'000'000'000u);
  EXPECT_EQ(gpu.pcie.bytes_per_second(), 8'000'000'000u);
}

TEST(Configs, GeForce9800GtIsTheCardWithOneChannelAtATime) {
  const GpuSpec gpu = load_gpu(kConfigs / "gpus/geforce_9800gt.yaml");
  constexpr std::uint32_t kCoresPerSm = 8;
  EXPECT_EQ(gpu.num_sms * kCoresPerSm, 112u);
  EXPECT_EQ(gpu.max_threads_per_sm, 24 * 32u);                                // warps of 32
  EXPECT_EQ(gpu.memory_bandwidth_bytes_per_s, 256 / 8 * 2 * 900'000'000ull);  // 256 bits, both edges of 900 MHz
  const GpuSpec k20c = load_gpu(kConfigs / "gpus/k20c.yaml");
  EXPECT_EQ(gpu.pcie.latency, k20c.pcie.latency);
  const auto microseconds = [](const GpuSpec& g) { return g.framework.dispatch_cycles * 1'000'000 / g.clock_hz; };
  EXPECT_EQ(microseconds(gpu), microseconds(k20c));
  EXPECT_EQ(gpu.framework.channels, Channels::kOne);
  EXPECT_EQ(k20c.framework.channels, Channels::kAll);
}

TEST(Configs, Rtx2080TiHasRoomForAllTasksOfThePaper) {
  const GpuSpec gpu = load_gpu(kConfigs / "gpus/rtx2080ti.yaml");
  constexpr std::uint32_t kTasks = 200;      // [Z21] 7.2
  EXPECT_EQ(gpu.num_sms, 68u);               // [Z21] 3.1
  EXPECT_EQ(gpu.max_threads_per_sm, 1024u);  // Turing's, half of Volta's
  EXPECT_EQ(gpu.memory_bandwidth_bytes_per_s, 352 / 8 * 14'000'000'000ull);
  EXPECT_GE(gpu.num_hardware_queues, kTasks);
  EXPECT_GE(gpu.framework.num_ksrs, kTasks);
  EXPECT_GE(gpu.framework.num_command_buffers, kTasks);
}

TEST(Configs, QuickstartHasOneInteractiveProcessAboveThreeBatchJobs) {
  const Spec spec = load_experiment(kConfigs / "experiments/quickstart.yaml");
  ASSERT_EQ(spec.processes.size(), 4u);
  EXPECT_EQ(spec.processes[0].name, "interactive");
  EXPECT_EQ(spec.applications[spec.processes[0].application].name, "histo");
  for (std::size_t i = 1; i < spec.processes.size(); ++i) {
    EXPECT_LT(spec.processes[i].priority, spec.processes[0].priority) << spec.processes[i].name;
  }
  EXPECT_EQ(spec.scheduler.policy, PolicyKind::kPpq);
  EXPECT_EQ(spec.scheduler.technique, TechniqueKind::kContextSwitch);
  ASSERT_TRUE(spec.baseline.has_value());
  EXPECT_EQ(spec.baseline->policy, PolicyKind::kFcfs);
}

TEST(Configs, PersistentKernelFillsTheMachineOnce) {
  const Spec spec = load_experiment(kConfigs / "experiments/persistent.yaml");
  ASSERT_TRUE(spec.processes[0].is_background);
  const KernelSpec& kernel = spec.applications[spec.processes[0].application].kernels.at(0);
  EXPECT_TRUE(kernel.is_persistent);
  EXPECT_EQ(kernel.num_tbs, spec.gpu.num_sms * workload::occupancy(spec.gpu, kernel).tbs_per_sm);
}

TEST(Configs, PersistentExperimentComparesTheTechniquesUnderOnePolicy) {
  const Spec spec = load_experiment(kConfigs / "experiments/persistent.yaml");
  ASSERT_TRUE(spec.baseline.has_value());
  EXPECT_EQ(spec.baseline->policy, spec.scheduler.policy);
  EXPECT_EQ(spec.scheduler.technique, TechniqueKind::kContextSwitch);
  EXPECT_EQ(spec.baseline->technique, TechniqueKind::kDrain);
}

TEST(Configs, EqualSharingRunsEightDifferentApplicationsOfOnePriority) {
  const Spec spec = load_experiment(kConfigs / "experiments/dss_equal_sharing.yaml");
  EXPECT_EQ(spec.scheduler.policy, PolicyKind::kDss);
  EXPECT_EQ(spec.processes.size(), 8u);
  std::set<std::uint32_t> applications;
  for (const ProcessSpec& process : spec.processes) {
    applications.insert(process.application);
    EXPECT_EQ(process.priority, spec.processes[0].priority) << process.name;
    EXPECT_FALSE(process.tokens.has_value()) << process.name;
  }
  EXPECT_EQ(applications.size(), spec.processes.size());
}

}  // namespace
}  // namespace tessera::spec
