// SPDX-License-Identifier: Apache-2.0
// The GPU as programs embed it: from files, and with a summary (tests/install has a program that sees nothing else).
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include "tessera/gpu.h"
#include "tests/tlm/gpu_bench.h"
#include "tests/tlm/systemc_test.h"

namespace tessera::tlm_model::test {
namespace {

const std::string kConfigs = TESSERA_SOURCE_DIR "/configs/";

class EmbeddedGpu : public SystemCTest {};

// A host with a ring for each of two contexts, queue by queue.
struct Platform {
  explicit Platform(const GpuDescription& description) : gpu("gpu", description) {
    host.bus_isock.bind(gpu.registers_tsock());
    device.bus_isock.bind(gpu.device_memory_tsock());
    gpu.system_memory_isock().bind(memory.bus_tsock);
    gpu.irq_o().bind(irq);
  }

  void write(std::uint64_t offset, std::uint64_t value) {
    Bytes bytes(sizeof(value));
    std::memcpy(bytes.data(), &value, sizeof(value));
    ASSERT_EQ(host.write(offset, bytes), tlm::TLM_OK_RESPONSE);
  }
  void enable() {
    for (std::uint64_t i = 0; i < 2; ++i) {
      write(reg::kQueues + i * reg::kQueueStride + reg::kBase, ring(i));
      write(reg::kQueues + i * reg::kQueueStride + reg::kEntries, 16);
      write(reg::kContexts + i * reg::kContextStride + reg::kPriority, i);
    }
    write(reg::kControl, 1);
  }
  // The first command of context and queue `id`.
  void launch(std::uint32_t id, std::uint32_t num_tbs) {
    KernelDescriptor kernel = small_kernel(num_tbs, 1'000'000, id);
    kernel.regs_per_tb = 32'768;
    kernel.threads_per_tb = 256;
    Command command;
    command.opcode = Opcode::kLaunch;
    command.context = id;
    command.source = ring(id) + sizeof(command);
    memory.bytes.write(ring(id), reinterpret_cast<const std::uint8_t*>(&command), sizeof(command));
    memory.bytes.write(command.source, reinterpret_cast<const std::uint8_t*>(&kernel), sizeof(kernel));
    write(reg::kQueues + id * reg::kQueueStride + reg::kDoorbell, 1);
  }
  static std::uint64_t ring(std::uint64_t id) { return 0x1000 * id; }

  SystemMemory memory{"memory", sc_core::SC_ZERO_TIME, Timing::kWaits};
  TestInitiator host{"host"};
  TestInitiator device{"device"};
  sc_core::sc_signal<bool> irq{"irq"};
  tessera::Gpu gpu;
};

const sc_core::sc_time kMillisecond(1, sc_core::SC_MS);

TEST_F(EmbeddedGpu, WithAnExperimentsSchedulerPreempts) {
  Platform platform(GpuDescription::of_experiment(kConfigs + "experiments/quickstart.yaml"));
  simulate([&] {
    platform.enable();
    platform.launch(0, 100);
    sc_core::wait(kMillisecond);
    platform.launch(1, 1);
  });
  const GpuSummary summary = platform.gpu.finish();
  EXPECT_EQ(summary.thread_blocks, 101U);
  EXPECT_GT(summary.cycles, 4'000'000U);  // two thread blocks an SM, 13 SMs, one of them taken for a while
  EXPECT_GT(summary.busy_sm_cycles, 50'000'000U);
  EXPECT_GT(summary.policy_invocations, 0U);
  EXPECT_TRUE(summary.broken_invariants.empty());
  for (const PreemptionSummary& preemptions : summary.preemptions) {
    const bool is_ours = preemptions.technique == "context_switch";
    EXPECT_EQ(preemptions.count, is_ours ? 1U : 0U) << preemptions.technique;
    EXPECT_EQ(preemptions.max_latency_cycles > 0, is_ours);
    EXPECT_EQ(preemptions.mean_latency_cycles, static_cast<double>(preemptions.max_latency_cycles));
    EXPECT_EQ(preemptions.bytes_saved, is_ours ? 2U * 4 * 32'768 : 0U);
    EXPECT_EQ(preemptions.bytes_restored, preemptions.bytes_saved);
  }
}

TEST_F(EmbeddedGpu, OverridesAreThoseOfTheCommandLine) {
  Platform platform(GpuDescription::of_experiment(kConfigs + "experiments/quickstart.yaml",
                                                  {"scheduler.policy=fcfs", "gpu.num_sms=1"}));
  simulate([&] {
    platform.enable();
    platform.launch(0, 3);
  });
  const GpuSummary summary = platform.gpu.finish();
  EXPECT_EQ(summary.thread_blocks, 3U);
  EXPECT_GT(summary.cycles, 2'000'000U);
}

TEST_F(EmbeddedGpu, GoesNoFurtherThanTheEndOfASlice) {
  Platform platform(GpuDescription::of_gpu(kConfigs + "gpus/k20c.yaml", 2));
  platform.gpu.set_end(kMillisecond);
  platform.enable();
  platform.launch(0, 1);
  sc_core::sc_start(kMillisecond);
  const GpuSummary summary = platform.gpu.finish();
  EXPECT_EQ(summary.thread_blocks, 0U);
  EXPECT_EQ(summary.cycles, 706'000U + 1);  // 706 MHz
  EXPECT_GT(summary.busy_sm_cycles, 700'000U);
}

TEST_F(EmbeddedGpu, WrongInputIsALineForEachMistake) {
  const auto problem = [](auto load) -> std::string {
    try {
      load();
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(problem([] { GpuDescription::of_gpu(kConfigs + "gpus/k20c.yaml"); }), "none");
  EXPECT_NE(problem([] { GpuDescription::of_gpu("no such.yaml"); }).find("no such.yaml:1:1: "), std::string::npos);
  EXPECT_NE(problem([] { GpuDescription::of_gpu(kConfigs + "experiments/quickstart.yaml"); }).find("a GPU file"),
            std::string::npos);
  const std::string two = problem([] {
    GpuDescription::of_experiment(kConfigs + "experiments/quickstart.yaml", {"gpu.num_sms=0", "scheduler.policy=pqp"});
  });
  EXPECT_NE(two.find("num_sms"), std::string::npos) << two;
  EXPECT_NE(two.find("nearest is ppq"), std::string::npos) << two;
  EXPECT_EQ(std::count(two.begin(), two.end(), '\n'), 1);
  EXPECT_NE(problem([] { tessera::Gpu gpu("gpu", GpuDescription::of_gpu(kConfigs + "gpus/k20c.yaml", 0)); }), "none");
}

}  // namespace
}  // namespace tessera::tlm_model::test
