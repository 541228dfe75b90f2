// SPDX-License-Identifier: Apache-2.0
// The GPU that a profile names is the one that its kernels get, or a line says what they get instead.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "importer/experiment_yaml.h"
#include "importer/gpu_choice.h"
#include "importer/import.h"
#include "model/spec/loader.h"
#include "tests/importer/traces.h"

namespace tessera::importer::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

std::vector<spec::GpuSpec> files_at_hand() {
  std::vector<spec::GpuSpec> gpus;
  for (const char* name : {"a100", "h100", "h200", "v100"}) {
    gpus.push_back(
        spec::load_gpu(std::filesystem::path(TESSERA_SOURCE_DIR) / "configs/gpus" / (std::string(name) + ".yaml")));
  }
  return gpus;
}

// Of a kernel on device `number`, where the profile lists `device` as number 0.
GpuChoice choice_for(const DeviceProperties& device, std::uint64_t number = 0) {
  ProfileBench bench;
  bench.kernel("k", 100, 10).device = number;
  bench.profile.devices[0] = device;
  const std::vector<Workload> workloads = workloads_of(bench.profile, Collectives::kKeep);
  return choose_gpu(bench.profile, workloads.front(), files_at_hand(), std::nullopt);
}

DeviceProperties named(const std::string& name, std::uint32_t num_sms) {
  DeviceProperties device;
  device.name = name;
  device.num_sms = num_sms;
  device.max_threads_per_sm = 2048;
  device.registers_per_sm = 65536;
  return device;
}

TEST(GpuChoice, TheNameGoesBeforeTheNumberOfSms) {
  EXPECT_EQ(choice_for(named("NVIDIA H200", 132)).gpu.name, "h200");
  EXPECT_EQ(choice_for(named("NVIDIA H100 80GB HBM3", 132)).gpu.name, "h100");
  EXPECT_EQ(choice_for(named("NVIDIA A100-SXM4-40GB", 108)).gpu.name, "a100");
}

TEST(GpuChoice, ANameIsAWordAndNoPartOfOne) {
  const GpuChoice choice = choice_for(named("NVIDIA A1000 6GB Laptop", 20));
  EXPECT_EQ(choice.gpu.name, "nvidia_a1000_6gb_laptop");
  EXPECT_EQ(choice.gpu.num_sms, 20U);
  EXPECT_THAT(choice.notes, Contains(HasSubstr("no file describes the profile's GPU, NVIDIA A1000 6GB Laptop")));
}

TEST(GpuChoice, AnUnknownGpuHasTheFiguresOfTheProfile) {
  DeviceProperties device = named("NVIDIA L40S", 142);
  device.smem_bytes_per_sm = 102'400;
  device.clock_hz = 2'520'000'000;
  device.memory_bandwidth_bytes_per_s = 864'000'000'000;
  const GpuChoice choice = choice_for(device);
  EXPECT_EQ(choice.gpu.name, "nvidia_l40s");
  EXPECT_EQ(choice.gpu.num_sms, 142U);
  EXPECT_EQ(choice.gpu.clock_hz, device.clock_hz);
  EXPECT_EQ(choice.gpu.memory_bandwidth_bytes_per_s, device.memory_bandwidth_bytes_per_s);
  EXPECT_EQ(choice.gpu.shared_memory_bytes, std::vector<std::uint32_t>{102'400});
}

// What a lane hands out in a cycle is what recorded machines do: imports stand on hardware that there is.
TEST(GpuChoice, AGpuWithARefillLaneKeepsItsEngine) {
  const spec::FrameworkSpec large = choice_for(named("NVIDIA H200", 132)).gpu.framework;
  EXPECT_EQ(large.engine, spec::Engine::kSerialised);
  EXPECT_TRUE(large.refill_lane);
  std::vector<spec::GpuSpec> without = files_at_hand();
  for (spec::GpuSpec& gpu : without) gpu.framework.refill_lane = false;
  ProfileBench bench;
  bench.kernel("k", 100, 10);
  bench.profile.devices[0] = named("NVIDIA H200", 132);
  const std::vector<Workload> workloads = workloads_of(bench.profile, Collectives::kKeep);
  const GpuChoice choice = choose_gpu(bench.profile, workloads.front(), without, std::nullopt);
  EXPECT_EQ(choice.gpu.framework.engine, spec::Engine::kIdeal);
  EXPECT_EQ(choice.gpu.framework.setup_tag_bits, 0U);
}

TEST(GpuChoice, WhatIsWrittenOfAGpuHasItsLaneAndItsLinks) {
  spec::GpuSpec gpu = files_at_hand().front();
  gpu.framework.link_cycles = {std::vector<std::uint32_t>(gpu.num_sms, 2), std::vector<std::uint32_t>(gpu.num_sms, 3)};
  for (const bool has_lane : {false, true}) {
    gpu.framework.refill_lane = has_lane;
    const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "imported_gpu.yaml";
    std::ofstream(file) << gpu_yaml(gpu);
    const spec::FrameworkSpec read = spec::load_gpu(file).framework;
    EXPECT_EQ(read.refill_lane, has_lane);
    EXPECT_EQ(read.link_cycles.up, gpu.framework.link_cycles.up);
    EXPECT_EQ(read.link_cycles.down, gpu.framework.link_cycles.down);
  }
}

TEST(GpuChoice, ADeviceOfAnotherNumberIsTheOneKindThatIsListed) {
  EXPECT_EQ(choice_for(named("NVIDIA H200", 132), 5).gpu.name, "h200");
}

TEST(GpuChoice, MoreSmsThanTheModelHasAreSaid) {
  DeviceProperties device = named("AMD Instinct MI300X", 304);
  device.registers_per_sm = 0;
  device.most_registers_per_tb = 65536;
  device.most_smem_bytes_per_tb = 65536;
  const GpuChoice choice = choice_for(device, 2);
  EXPECT_EQ(choice.gpu.name, "amd_instinct_mi300x");
  EXPECT_EQ(choice.gpu.num_sms, spec::kMaxSms);
  EXPECT_EQ(choice.gpu.shared_memory_bytes, std::vector<std::uint32_t>{65536});
  EXPECT_EQ(choice.gpu.shared_memory_reserve_bytes, 0U) << "that is NVIDIA's";
  EXPECT_THAT(choice.notes, Contains(HasSubstr("the profile's GPU has 304 SMs, and a model at most 256")));
}

// Larger sizes than the device has go; the list stays in order.
TEST(GpuChoice, SharedMemoryIsAtMostWhatTheDeviceHas) {
  DeviceProperties device = named("NVIDIA A100-SXM4-40GB", 108);
  device.smem_bytes_per_sm = 40'000;
  EXPECT_EQ(choice_for(device).gpu.shared_memory_bytes, (std::vector<std::uint32_t>{8192, 16384, 32768, 40'000}));
}

TEST(GpuChoice, EachGpuOfAProfileHasItsFileAndItsApplicationRunsOnIt) {
  Import import;
  import.options.gpus = files_at_hand();
  const ImportResult result =
      import.of(R"({"deviceProperties": [{"id": 0, "name": "NVIDIA A100-SXM4-40GB", "numSms": 108},
    {"id": 1, "name": "NVIDIA H100 80GB HBM3", "numSms": 132}], "traceEvents": [
    {"ph": "X", "cat": "kernel", "name": "a", "ts": 10, "dur": 50, "args": {"device": 0, "context": 1, "grid": [108, 1, 1], "block": [64, 1, 1]}},
    {"ph": "X", "cat": "kernel", "name": "b", "ts": 90, "dur": 50, "args": {"device": 1, "context": 2, "grid": [132, 1, 1], "block": [64, 1, 1]}}]})");
  EXPECT_EQ(result.gpu, "a100, h100");
  ASSERT_EQ(result.applications.size(), 2U);
  EXPECT_THAT(import.text_of(result.applications[0].alone), HasSubstr("gpu: gpu.yaml"));
  EXPECT_THAT(import.text_of(result.applications[1].alone), HasSubstr("gpu: gpu_2.yaml"));
  EXPECT_THAT(import.text_of("gpu_2.yaml"), HasSubstr("name: h100"));
  EXPECT_THAT(import.text_of(result.experiment), HasSubstr("gpu: gpu.yaml"));
  EXPECT_THAT(result.assumptions, Contains(HasSubstr("in shared.yaml all have a100")));
}

}  // namespace
}  // namespace tessera::importer::test
