// SPDX-License-Identifier: Apache-2.0
// The GPU driven through its sockets by a host that is not our driver: launches, copies, fences, interrupts
// (docs/hardware/register_map.md).
#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "tests/tlm/gpu_bench.h"
#include "tests/tlm/systemc_test.h"

namespace tessera::tlm_model::test {
namespace {

class GpuCommands : public SystemCTest {};

// ---- a launch, from doorbell to interrupt --------------------------------------------------------------------

TEST_F(GpuCommands, LaunchTakesADoorbellTwoReadsADispatchAndAFence) {
  GpuBench bench("bench", small_gpu(1, 1));
  simulate([&] {
    bench.set_up();
    GpuBench::wait_cycles(11);
    const Cycle rung = GpuBench::now();
    bench.submit(0, small_kernel(3, 500));
    sc_core::wait(bench.irq.posedge_event());
    const Cycle interrupted = GpuBench::now();
    EXPECT_EQ(bench.fence(0), 1U) << "the fence is there before the interrupt";
    bench.finish(interrupted + 1);
    const auto arrived = bench.records(Kind::kKernelArrived);
    const auto finished = bench.records(Kind::kKernelFinished);
    ASSERT_EQ(arrived.size(), 1U);
    ASSERT_EQ(finished.size(), 1U);
    EXPECT_EQ(arrived[0].cycle, rung + bench.fetch(2) + 1);
    EXPECT_EQ(finished[0].value, 3U);
    EXPECT_EQ(interrupted, finished[0].cycle + bench.link().one_way());
  });
}

TEST_F(GpuCommands, RingWrapsAroundAtAnyNumberOfEntries) {
  GpuBench bench("bench", small_gpu(1, 1));
  constexpr std::uint64_t kEntries = 3;
  simulate([&] {
    bench.set_up(kEntries);
    std::uint64_t done = 0;
    for (const std::uint64_t burst : {3, 2, 3, 1}) {
      for (std::uint64_t i = 0; i < burst; ++i) bench.enqueue(1, GpuBench::fence_command());
      bench.ring(1);
      done += burst;
      bench.wait_for(1, done);
      EXPECT_EQ(bench.fence(1), done);
      EXPECT_EQ(bench.read(GpuBench::queue(1, reg::kHead)), done);
    }
    EXPECT_EQ(bench.read(reg::kError), 0U);
  });
}

TEST_F(GpuCommands, LongBatchIsCarriedOutInOrderThoughFewerCommandsAreFetchedAhead) {
  GpuBench bench("bench", small_gpu(1, 1));
  simulate([&] {
    bench.set_up(64);
    for (std::uint64_t i = 0; i < 64; ++i) bench.enqueue(0, GpuBench::fence_command());
    bench.ring(0);
    for (std::uint64_t seen = 0; seen < 64; seen = bench.fence(0)) {
      EXPECT_GE(bench.fence(0), seen);
      bench.wait_for(0, seen + 1);
    }
    EXPECT_EQ(bench.fence(0), 64U);
  });
}

TEST_F(GpuCommands, DoorbellWrittenInTwoHalvesIsOneValue) {
  GpuBench bench("bench", small_gpu(1, 1));
  simulate([&] {
    bench.set_up();
    for (std::uint64_t done = 1; done <= 3; ++done) {
      bench.enqueue(0, GpuBench::fence_command());
      bench.write_half(GpuBench::queue(0, reg::kDoorbell), static_cast<std::uint32_t>(done));
      bench.write_half(GpuBench::queue(0, reg::kDoorbell) + 4, 0);
      EXPECT_EQ(bench.read(GpuBench::queue(0, reg::kDoorbell)), done);
      bench.wait_for(0, done);
      EXPECT_EQ(bench.read(reg::kError), 0U);
    }
  });
}

TEST_F(GpuCommands, EmptiedQueueForgetsTheDoorbellsOnTheirWay) {
  GpuBench bench("bench", small_gpu(1, 1));
  simulate([&] {
    bench.set_up();
    bench.submit(0, GpuBench::fence_command());
    bench.write(GpuBench::queue(0, reg::kEntries), GpuBench::kRingEntries);
    GpuBench::wait_cycles(10 * bench.fetch(2));
    EXPECT_EQ(bench.fence(0), 0U);
    EXPECT_EQ(bench.read(GpuBench::queue(0, reg::kHead)), 0U);
    EXPECT_EQ(bench.read(reg::kStatus), 0U);
  });
}

TEST_F(GpuCommands, ControlStopsTheFetchingAndNotWhatWasFetched) {
  GpuBench bench("bench", small_gpu(1, 1));
  simulate([&] {
    bench.set_up();
    bench.submit(0, small_kernel(1, 5000));
    GpuBench::wait_cycles(bench.fetch(2) + 2);
    bench.write(reg::kControl, 0);
    bench.submit(0, small_kernel(1, 5000));
    bench.wait_for(0, 1);
    GpuBench::wait_cycles(10000);
    EXPECT_EQ(bench.read(GpuBench::queue(0, reg::kHead)), 1U);
    EXPECT_EQ(bench.read(reg::kStatus), 1U) << "a command waits";
    bench.write(reg::kControl, 1);
    bench.wait_for(0, 2);
    EXPECT_EQ(bench.read(reg::kStatus), 0U);
  });
}

TEST_F(GpuCommands, StatusIsBusyFromTheDoorbellUntilTheFenceIsWritten) {
  GpuBench bench("bench", small_gpu(1, 1));
  simulate([&] {
    bench.set_up();
    EXPECT_EQ(bench.read(reg::kStatus), 0U);
    bench.submit(0, small_kernel(2, 100));
    while (bench.fence(0) == 0 && GpuBench::now() < 100'000) {
      ASSERT_EQ(bench.read(reg::kStatus), 1U) << "in cycle " << GpuBench::now();
      GpuBench::wait_cycles(1);
      sc_core::wait(sc_core::SC_ZERO_TIME);
    }
    EXPECT_EQ(bench.read(reg::kStatus), 0U);
  });
}

TEST_F(GpuCommands, QueueIsInOrderAndTwoQueuesOfAContextRunAtOnce) {
  GpuBench bench("bench", small_gpu(2, 1));
  simulate([&] {
    bench.set_up();
    bench.submit(0, small_kernel(1, 5000));
    bench.submit(0, small_kernel(1, 5000));
    bench.submit(1, small_kernel(1, 5000));
    bench.wait_for(1, 1);
    bench.wait_for(0, 2);
    bench.finish(GpuBench::now() + 1);
    const auto arrived = bench.records(Kind::kKernelArrived);  // launches 0 and 1 of the queues, then the second of 0
    const auto finished = bench.records(Kind::kKernelFinished);
    ASSERT_EQ(arrived.size(), 3U);
    ASSERT_EQ(finished.size(), 3U);
    EXPECT_LT(arrived[1].cycle, finished[0].cycle);
    EXPECT_EQ(arrived[2].cycle, finished[0].cycle + bench.dispatch() + 1);
  });
}

TEST_F(GpuCommands, ContextsRunOneAfterTheOtherUnderFcfsInOrderOfArrival) {
  GpuBench bench("bench", small_gpu(2, 3));
  simulate([&] {
    bench.set_up();
    for (const std::uint32_t context : {2U, 0U, 1U}) {
      bench.submit(context, small_kernel(2, 1000, context));
      GpuBench::wait_cycles(1);
    }
    for (const std::uint32_t context : {0U, 1U, 2U}) bench.wait_for(context, 1);
    bench.finish(GpuBench::now() + 1);
    const auto activated = bench.records(Kind::kKernelActivated);
    const auto finished = bench.records(Kind::kKernelFinished);
    ASSERT_EQ(finished.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(finished[i].process, (std::vector<std::uint16_t>{2, 0, 1})[i]);
    for (std::size_t i = 1; i < 3; ++i) EXPECT_GT(activated[i].cycle, finished[i - 1].cycle);
  });
}

// ---- copies --------------------------------------------------------------------------------------------------

TEST_F(GpuCommands, CopyMovesEveryByteBothWays) {
  GpuBench bench("bench", small_gpu(1, 1));
  constexpr std::uint64_t kThere = 0x40001;
  constexpr std::uint64_t kBack = 0x60003;
  constexpr std::uint64_t kDevice = (std::uint64_t{1} << 39) + 5;
  const Bytes bytes = counting_bytes(3 * 64 + 17);  // bursts, and a part of one
  simulate([&] {
    bench.set_up();
    bench.system_memory.bytes.write(kThere, bytes.data(), bytes.size());
    const Cycle rung = GpuBench::now();
    bench.submit(0, copy_command(kThere, kDevice, bytes.size(), false));
    sc_core::wait(bench.irq.posedge_event());
    // Chosen a cycle after it was submitted; then the link's time, and the fence.
    EXPECT_EQ(GpuBench::now(),
              rung + bench.fetch(1) + 1 + bench.link().transfer(bytes.size()) + bench.link().one_way());
    EXPECT_EQ(bench.device.read(kDevice, bytes.size()), bytes);
    EXPECT_EQ(bench.device.read(kDevice + bytes.size(), 1), Bytes{0});
    bench.submit(0, copy_command(kDevice, kBack, bytes.size(), true));
    bench.wait_for(0, 2);
    Bytes back(bytes.size() + 1);
    bench.system_memory.bytes.read(kBack, back.data(), back.size());
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), back.begin()));
    EXPECT_EQ(back.back(), 0);
  });
}

TEST_F(GpuCommands, TimingOnlyCopyTakesItsTimeAndMovesNothing) {
  GpuBench bench("bench", small_gpu(1, 1));
  simulate([&] {
    bench.set_up();
    bench.system_memory.bytes.write(0x40000, counting_bytes(64).data(), 64);
    Command copy = copy_command(0x40000, 0x1000, 64, false);
    copy.flags |= kTimingOnly;
    const Cycle rung = GpuBench::now();
    bench.submit(0, copy);
    sc_core::wait(bench.irq.posedge_event());
    EXPECT_EQ(GpuBench::now(), rung + bench.fetch(1) + 1 + bench.link().transfer(64) + bench.link().one_way());
    EXPECT_EQ(bench.device.read(0x1000, 64), Bytes(64));
  });
}

// ---- interrupts ----------------------------------------------------------------------------------------------

TEST_F(GpuCommands, HostThatAnswersTheInterruptAtOnceFindsItsReason) {
  GpuBench bench("bench", small_gpu(1, 1));
  simulate([&] {
    bench.set_up();
    bench.submit(3, GpuBench::fence_command());
    sc_core::wait(bench.irq.posedge_event());
    EXPECT_EQ(bench.read(reg::kInterruptStatus), reg::kInterruptCompletion);
    EXPECT_EQ(bench.read(reg::kCompletion), std::uint64_t{1} << 3);
    bench.write(reg::kCompletion, std::uint64_t{1} << 3);
    sc_core::wait(bench.irq.negedge_event());
    EXPECT_EQ(bench.read(reg::kInterruptStatus), 0U);
  });
}

TEST_F(GpuCommands, CompletionInTheCycleOfTheClearingWriteIsNotLost) {
  GpuBench bench("bench", small_gpu(1, 1));
  simulate([&] {
    bench.set_up();
    bench.submit(0, GpuBench::fence_command());
    bench.wait_cycles(50);
    bench.submit(0, GpuBench::fence_command());
    const Cycle second = bench.fetch(1) + bench.link().one_way();
    bench.wait_cycles(second - 1);
    EXPECT_EQ(bench.fence(0), 1U);
    EXPECT_EQ(bench.read(reg::kCompletion), 1U);
    bench.wait_cycles(1);
    bench.write(reg::kCompletion, 1);
    bench.wait_cycles(1);
    EXPECT_EQ(bench.fence(0), 2U) << "both happened in this cycle";
    EXPECT_EQ(bench.read(reg::kCompletion), 1U);
    EXPECT_TRUE(bench.irq.read());
  });
}

TEST_F(GpuCommands, OneClearingWriteLeavesTheBitsItDoesNotName) {
  GpuBench bench("bench", small_gpu(1, 1));
  simulate([&] {
    bench.set_up();
    for (const std::uint32_t queue : {0U, 1U, 3U}) bench.submit(queue, GpuBench::fence_command());
    GpuBench::wait_cycles(bench.fetch(1) + bench.link().one_way() + 1);
    EXPECT_EQ(bench.read(reg::kCompletion), 0b1011U);
    bench.write(reg::kCompletion, 0b0110);
    EXPECT_EQ(bench.read(reg::kCompletion), 0b1001U);
    EXPECT_TRUE(bench.irq.read());
  });
}

TEST_F(GpuCommands, EnableBitsMaskTheLineAndNotTheStatus) {
  GpuBench bench("bench", small_gpu(1, 1));
  simulate([&] {
    bench.set_up();
    bench.write(reg::kInterruptEnable, reg::kInterruptError);
    bench.submit(0, GpuBench::fence_command());
    GpuBench::wait_cycles(10 * bench.fetch(1));
    EXPECT_FALSE(bench.irq.read());
    EXPECT_EQ(bench.read(reg::kInterruptStatus), reg::kInterruptCompletion);
    bench.write(reg::kInterruptEnable, reg::kInterruptCompletion);
    sc_core::wait(bench.irq.posedge_event());
    EXPECT_EQ(bench.read(reg::kCompletion), 1U);
  });
}

TEST_F(GpuCommands, CommandWithoutTheFlagWritesItsFenceInSilence) {
  GpuBench bench("bench", small_gpu(1, 1));
  simulate([&] {
    bench.set_up();
    Command silent;
    bench.submit(0, silent);
    GpuBench::wait_cycles(bench.fetch(1) + bench.link().one_way() + 1);
    EXPECT_EQ(bench.fence(0), 1U);
    EXPECT_EQ(bench.read(reg::kInterruptStatus), 0U);
  });
}

}  // namespace
}  // namespace tessera::tlm_model::test
