// SPDX-License-Identifier: Apache-2.0
// Queues that wait for each other, and launches with a priority of their own (docs/hardware/register_map.md).
#include <algorithm>
#include <vector>

#include "tests/tlm/gpu_bench.h"
#include "tests/tlm/systemc_test.h"

namespace tessera::tlm_model::test {
namespace {

class GpuWaits : public SystemCTest {
 protected:
  static Command wait_command(std::uint32_t queue, std::uint64_t commands) {
    Command command;
    command.opcode = Opcode::kWait;
    command.flags = kInterruptWhenDone;
    command.source = queue;
    command.bytes = commands;
    return command;
  }
  static KernelDescriptor kernel_number(std::uint32_t number, Cycle cycles) {
    KernelDescriptor kernel = small_kernel(1, cycles);
    kernel.kernel = number;
    return kernel;
  }
  // Of the only record of a kind about a kernel.
  static Cycle when(const GpuBench& bench, Kind kind, std::uint16_t kernel) {
    const std::vector<record::Record> all = bench.records(kind);
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const record::Record& r) { return r.kernel == kernel; });
    EXPECT_NE(found, all.end()) << to_string(kind) << " of kernel " << kernel;
    return found == all.end() ? 0 : found->cycle;
  }
};

TEST_F(GpuWaits, AQueueGoesOnADispatchAfterTheCommandItWaitsForIsDone) {
  GpuBench bench("bench", small_gpu(2, 1));
  simulate([&] {
    bench.set_up();
    bench.submit(0, kernel_number(0, 5'000));
    bench.submit(0, copy_command(0, 0, 0x80000, false));  // longer than all the rest
    bench.enqueue(1, wait_command(0, 1));
    bench.submit(1, kernel_number(2, 100));
    bench.wait_for(1, 2);
    bench.finish(GpuBench::now() + 1);
    EXPECT_EQ(when(bench, Kind::kKernelArrived, 2), when(bench, Kind::kKernelFinished, 0) + bench.dispatch() + 1);
    EXPECT_TRUE(bench.records(Kind::kDmaEnded).empty());
  });
}

TEST_F(GpuWaits, AWaitForWhatIsDoneHoldsNobody) {
  GpuBench bench("bench", small_gpu(1, 1));
  simulate([&] {
    bench.set_up();
    bench.submit(0, GpuBench::fence_command());
    bench.wait_for(0, 1);
    const Cycle rung = GpuBench::now();
    bench.submit(1, wait_command(0, 1));
    bench.wait_for(1, 1);
    EXPECT_EQ(GpuBench::now(), rung + bench.fetch(1) + bench.link().one_way());
  });
}

TEST_F(GpuWaits, AWaitMayComeBeforeWhatItWaitsForAndReleasesThoseThatWaitForIt) {
  GpuBench bench("bench", small_gpu(1, 1));
  simulate([&] {
    bench.set_up();
    bench.submit(2, wait_command(1, 1));
    bench.submit(1, wait_command(0, 1));
    GpuBench::wait_cycles(10 * bench.fetch(1));
    EXPECT_EQ(bench.fence(1), 0U);
    EXPECT_EQ(bench.read(reg::kStatus), 1U) << "held queues are busy";
    const Cycle rung = GpuBench::now();
    bench.submit(0, GpuBench::fence_command());
    bench.wait_for(2, 1);
    EXPECT_EQ(GpuBench::now(), rung + bench.fetch(1) + bench.link().one_way()) << "both waits end with the fence";
    EXPECT_EQ(bench.fence(1), 1U);
  });
}

TEST_F(GpuWaits, AnEmptiedQueueCountsFromZeroAndWhatWasUnderWayDoesNotCount) {
  GpuBench bench("bench", small_gpu(1, 1));
  simulate([&] {
    bench.set_up();
    bench.submit(0, GpuBench::fence_command());
    bench.wait_for(0, 1);
    bench.submit(0, kernel_number(0, 50'000));
    GpuBench::wait_cycles(2 * bench.fetch(2));
    // 1. A kernel runs, the queue is emptied, and another waits for its new first command.
    bench.write(GpuBench::queue(0, reg::kEntries), GpuBench::kRingEntries);
    bench.submit(1, wait_command(0, 1));
    while (bench.fence(0) < 2) GpuBench::wait_cycles(100);
    GpuBench::wait_cycles(10 * bench.fetch(1));
    EXPECT_EQ(bench.fence(1), 0U);
    // 2. That command.
    Command first = GpuBench::fence_command();
    first.fence_address = GpuBench::fence_address(0);
    bench.system_memory.bytes.write(GpuBench::ring_address(0), reinterpret_cast<const std::uint8_t*>(&first),
                                    sizeof(first));
    bench.write(GpuBench::queue(0, reg::kDoorbell), 1);
    bench.wait_for(1, 1);
  });
}

// ---- priority of a launch ----------------------------------------------------------------------------------------

class LaunchPriority : public GpuWaits {
 protected:
  // The order in which two kernels of one context run that wait while a third has the only SM.
  static std::vector<std::uint16_t> order(std::uint32_t flags_of_last) {
    spec::Spec spec = small_gpu(1, 1);
    spec.scheduler.policy = spec::PolicyKind::kNpq;
    spec.gpu.framework.num_ksrs = 1;
    spec.gpu.framework.num_command_buffers = 1;
    GpuBench bench("bench", spec);
    simulate([&] {
      bench.set_up();
      bench.write(GpuBench::context(0, reg::kPriority), 3);
      KernelDescriptor last = kernel_number(3, 100);
      last.priority = 4;
      bench.submit(0, kernel_number(0, 50'000));
      for (std::uint32_t i = 1; i <= 2; ++i) {
        GpuBench::wait_cycles(2 * bench.fetch(2));
        bench.submit(i, kernel_number(i, 100));
      }
      GpuBench::wait_cycles(2 * bench.fetch(2));
      bench.submit(3, last, kInterruptWhenDone | flags_of_last);
      for (std::uint32_t i = 0; i <= 3; ++i) bench.wait_for(i, 1);
      bench.finish(GpuBench::now() + 1);
    });
    std::vector<std::uint16_t> kernels;
    for (const record::Record& finished : bench.records(Kind::kKernelFinished)) kernels.push_back(finished.kernel);
    return kernels;
  }
};

// Kernel 1 is in the command buffer of its context when the last one comes, and stays ahead.
TEST_F(LaunchPriority, OfItsOwnTakesALaunchPastThoseThatWaitForTheCommandBuffer) {
  EXPECT_THAT(order(kOwnPriority), testing::ElementsAre(0, 1, 3, 2));
}

TEST_F(LaunchPriority, IsTheContextsUnlessItsFlagSaysOtherwise) {
  EXPECT_THAT(order(0), testing::ElementsAre(0, 1, 2, 3));
}

}  // namespace
}  // namespace tessera::tlm_model::test
