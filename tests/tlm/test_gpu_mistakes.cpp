// SPDX-License-Identifier: Apache-2.0
// What a host gets wrong is reported, and neither it nor the queue is left hanging (docs/hardware/register_map.md).
#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "tests/tlm/gpu_bench.h"
#include "tests/tlm/systemc_test.h"

namespace tessera::tlm_model::test {
namespace {

class GpuMistakes : public SystemCTest {};

struct Mistake {
  const char* name;
  reg::ErrorCode code;
  Command command;
  KernelDescriptor kernel;  // at command.source, if that is kKernelAddress
};
std::ostream& operator<<(std::ostream& out, const Mistake& mistake) { return out << mistake.name; }

constexpr std::uint64_t kKernelAddress = 0x50000;

std::vector<Mistake> mistakes() {
  Command launch;
  launch.opcode = Opcode::kLaunch;
  launch.source = kKernelAddress;
  std::vector<Mistake> all;
  const auto add = [&all](const char* name, reg::ErrorCode code, Command command, KernelDescriptor kernel) {
    command.flags |= kInterruptWhenDone;
    all.push_back({name, code, command, kernel});
  };
  const KernelDescriptor good = small_kernel(1, 10);
  Command other = launch;
  other.opcode = static_cast<Opcode>(0);
  add("OpcodeZero", reg::ErrorCode::kBadOpcode, other, good);
  other.opcode = static_cast<Opcode>(6);
  add("OpcodePastTheLast", reg::ErrorCode::kBadOpcode, other, good);
  other = launch;
  other.context = 2;
  add("Context", reg::ErrorCode::kBadContext, other, good);
  other = launch;
  other.source = SystemMemory::kSize - sizeof(KernelDescriptor) + 1;
  add("DescriptorAddress", reg::ErrorCode::kBadAddress, other, good);
  add("NoThreadBlocks", reg::ErrorCode::kBadKernel, launch, small_kernel(0, 10));
  add("Process", reg::ErrorCode::kBadKernel, launch, small_kernel(1, 10, 2));
  KernelDescriptor large = good;
  large.threads_per_tb = kMaxThreadsPerSm + 1;
  add("TooManyThreads", reg::ErrorCode::kBadKernel, launch, large);
  large = good;
  large.regs_per_tb = 65537;
  add("TooManyRegisters", reg::ErrorCode::kBadKernel, launch, large);
  large = good;
  large.smem_bytes_per_tb = 4097;
  add("TooMuchSharedMemory", reg::ErrorCode::kBadKernel, launch, large);
  KernelDescriptor beyond = good;
  beyond.idempotent_until = kMaxPpm + 1;
  add("PointBeyondTheEnd", reg::ErrorCode::kBadKernel, launch, beyond);
  KernelDescriptor spread = good;
  spread.work_share = kMaxPpm + 1;
  add("WorkShare", reg::ErrorCode::kBadKernel, launch, spread);
  spread = good;
  spread.segment_cpi_spread = workload::kMaxProgressSpreadPpm + 1;
  add("SegmentCpiSpread", reg::ErrorCode::kBadKernel, launch, spread);
  spread = good;
  spread.neighbour_cpi_spread = workload::kMaxProgressSpreadPpm + 1;
  add("NeighbourCpiSpread", reg::ErrorCode::kBadKernel, launch, spread);
  other = launch;
  other.flags = kOwnPriority;
  KernelDescriptor urgent = good;
  urgent.priority = reg::kMaxPriority + 1;
  add("PriorityOfALaunch", reg::ErrorCode::kBadKernel, other, urgent);
  Command wait;
  wait.opcode = Opcode::kWait;
  wait.source = 2;  // the test's queue
  add("WaitForItsOwnQueue", reg::ErrorCode::kBadWait, wait, good);
  wait.source = small_gpu(1, 2).gpu.num_hardware_queues;
  add("WaitForNoQueue", reg::ErrorCode::kBadWait, wait, good);
  constexpr std::uint64_t kEnd = reg::kDeviceMemoryBytes;
  add("CopyFromNoSystemMemory", reg::ErrorCode::kBadAddress, copy_command(SystemMemory::kSize - 1, 0, 2, false), good);
  add("CopyToNoSystemMemory", reg::ErrorCode::kBadAddress, copy_command(0, SystemMemory::kSize - 1, 2, true), good);
  add("CopyToNoDeviceMemory", reg::ErrorCode::kBadAddress, copy_command(0, kEnd - 1, 2, false), good);
  add("CopyFromNoDeviceMemory", reg::ErrorCode::kBadAddress, copy_command(~std::uint64_t{0}, 0, 2, true), good);
  Command endless = copy_command(0, 0, kEnd + 1, false);
  endless.flags |= kTimingOnly;
  add("CopyOfMoreThanThereIs", reg::ErrorCode::kBadAddress, endless, good);
  return all;
}

class MistakeTest : public SystemCTest, public testing::WithParamInterface<Mistake> {};

TEST_P(MistakeTest, IsReportedAndLeavesNobodyWaiting) {
  GpuBench bench("bench", small_gpu(1, 2));
  simulate([&] {
    bench.set_up();
    bench.system_memory.bytes.write(kKernelAddress, reinterpret_cast<const std::uint8_t*>(&GetParam().kernel),
                                    sizeof(KernelDescriptor));
    bench.submit(2, GetParam().command);
    bench.wait_for(2, 1);
    EXPECT_EQ(bench.read(reg::kError), static_cast<std::uint64_t>(GetParam().code) | std::uint64_t{2} << 16);
    EXPECT_EQ(bench.read(reg::kInterruptStatus) & reg::kInterruptError, reg::kInterruptError);
    EXPECT_EQ(bench.read(reg::kStatus), 0b10U);
    bench.write(reg::kError, 0);
    EXPECT_EQ(bench.read(reg::kError), 0U);
    bench.submit(2, small_kernel(1, 10));
    bench.wait_for(2, 2);
    EXPECT_EQ(bench.read(reg::kError), 0U);
    bench.finish(GpuBench::now() + 1);
    EXPECT_EQ(bench.records(Kind::kKernelFinished).size(), 1U) << "only the good one ran";
  });
}

INSTANTIATE_TEST_SUITE_P(Host, MistakeTest, testing::ValuesIn(mistakes()),
                         [](const auto& mistake) { return std::string(mistake.param.name); });

TEST_F(GpuMistakes, DoorbellBeyondTheRingIsRefusedAndTheNextOneCounts) {
  GpuBench bench("bench", small_gpu(1, 1));
  simulate([&] {
    bench.set_up();
    bench.write(GpuBench::queue(1, reg::kDoorbell), GpuBench::kRingEntries + 1);
    sc_core::wait(bench.irq.posedge_event());
    EXPECT_EQ(bench.read(reg::kError),
              static_cast<std::uint64_t>(reg::ErrorCode::kBadDoorbell) | std::uint64_t{1} << 16);
    EXPECT_EQ(bench.read(GpuBench::queue(1, reg::kDoorbell)), 0U);
    EXPECT_EQ(bench.read(GpuBench::queue(1, reg::kHead)), 0U);
    for (std::uint64_t i = 0; i < GpuBench::kRingEntries; ++i) bench.enqueue(1, GpuBench::fence_command());
    bench.ring(1);
    bench.wait_for(1, GpuBench::kRingEntries);
    bench.write(reg::kError, 0);
    bench.write(GpuBench::queue(1, reg::kDoorbell), GpuBench::kRingEntries - 1);  // fewer than were fetched
    GpuBench::wait_cycles(bench.link().one_way() + 1);
    EXPECT_EQ(bench.read(reg::kError) & 0xFF, static_cast<std::uint64_t>(reg::ErrorCode::kBadDoorbell));
  });
}

TEST_F(GpuMistakes, RingOutsideOfMemoryIsReportedAndTheQueueLivesOn) {
  GpuBench bench("bench", small_gpu(1, 1));
  simulate([&] {
    bench.set_up();
    bench.write(GpuBench::queue(0, reg::kBase), SystemMemory::kSize);
    bench.write(GpuBench::queue(0, reg::kDoorbell), 2);
    bench.submit(1, GpuBench::fence_command());
    bench.wait_for(1, 1);
    EXPECT_EQ(bench.read(reg::kError), static_cast<std::uint64_t>(reg::ErrorCode::kBadAddress));
    GpuBench::wait_cycles(10 * bench.fetch(1));
    EXPECT_EQ(bench.read(GpuBench::queue(0, reg::kHead)), 2U);
    EXPECT_EQ(bench.read(reg::kStatus), 0b10U);
    bench.write(GpuBench::queue(0, reg::kBase), GpuBench::ring_address(0));
    bench.write(GpuBench::queue(0, reg::kEntries), GpuBench::kRingEntries);
    bench.submit(0, GpuBench::fence_command());
    bench.wait_for(0, 1);
  });
}

TEST_F(GpuMistakes, FenceOutsideOfMemoryIsReportedAndInterrupts) {
  GpuBench bench("bench", small_gpu(1, 1));
  simulate([&] {
    bench.set_up();
    Command command = GpuBench::fence_command();
    command.fence_address = SystemMemory::kSize - 4;
    bench.submit(0, command);
    GpuBench::wait_cycles(bench.fetch(1) + bench.link().one_way() + 1);
    EXPECT_EQ(bench.read(reg::kError), static_cast<std::uint64_t>(reg::ErrorCode::kBadAddress));
    EXPECT_EQ(bench.read(reg::kCompletion), 1U);
  });
}

TEST_F(GpuMistakes, FirstErrorIsKeptUntilAnyWriteClearsIt) {
  GpuBench bench("bench", small_gpu(1, 1));
  simulate([&] {
    bench.set_up();
    Command bad = GpuBench::fence_command();
    bad.opcode = static_cast<Opcode>(99);
    bench.submit(3, bad);
    bad.context = 7;
    bench.submit(3, bad);
    bench.wait_for(3, 2);
    EXPECT_EQ(bench.read(reg::kError), static_cast<std::uint64_t>(reg::ErrorCode::kBadOpcode) | std::uint64_t{3} << 16);
    bench.write_half(reg::kError, 0);
    EXPECT_EQ(bench.read(reg::kError), 0U);
    GpuBench::wait_cycles(1);
    bench.write(reg::kCompletion, bench.read(reg::kCompletion));
    GpuBench::wait_cycles(1);
    EXPECT_FALSE(bench.irq.read());
  });
}

TEST_F(GpuMistakes, SpecThatCannotWorkIsRefusedBeforeElaboration) {
  const auto refuses = [](const std::function<void(spec::Spec&)>& spoil) {
    spec::Spec spec = small_gpu(1, 1);
    spoil(spec);
    record::RecordLog log;
    EXPECT_THROW(Gpu(sc_core::sc_gen_unique_name("gpu"), spec, log), std::invalid_argument);
  };
  refuses([](spec::Spec& spec) { spec.gpu.clock_hz = 0; });
  refuses([](spec::Spec& spec) { spec.gpu.pcie.num_lanes = 0; });
  refuses([](spec::Spec& spec) { spec.gpu.framework.num_ksrs = 0; });
  refuses([](spec::Spec& spec) { spec.gpu.num_hardware_queues = reg::kNumQueues + 1; });
  refuses([](spec::Spec& spec) { spec.processes.clear(); });
  refuses([](spec::Spec& spec) { spec.processes.resize(reg::kNumContexts + 1); });
}

}  // namespace
}  // namespace tessera::tlm_model::test
