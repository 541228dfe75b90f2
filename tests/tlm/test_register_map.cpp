// SPDX-License-Identifier: Apache-2.0
// The register window and the device memory keep the contract of targets, and docs/hardware/register_map.md says what
// the code does: every offset, reset value, access type, byte of a command and error code is read from its tables.
#include <gmock/gmock.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "model/spec/policies.h"
#include "tests/tlm/gpu_bench.h"
#include "tests/tlm/register_tables.h"
#include "tests/tlm/target_contract.h"

namespace tessera::tlm_model::test {
namespace {

// ---- the contract of targets ---------------------------------------------------------------------------------

// Over a link of no length, where a read takes as long as a posted write.
struct GpuUnderTest {
  static spec::Spec machine() {
    spec::Spec spec = small_gpu(1, 1);
    spec.gpu.pcie.latency = 0;
    return spec;
  }
  std::uint64_t base() const { return 0; }
  sc_core::sc_time latency() const { return sc_core::SC_ZERO_TIME; }

  record::RecordLog log;
  spec::Spec spec = machine();
  SystemMemory system_memory{"system_memory", sc_core::SC_ZERO_TIME, Timing::kWaits};
  Gpu gpu{"gpu", spec, log};
  sc_core::sc_signal<bool> irq{"irq"};

 protected:
  GpuUnderTest() {
    gpu.front_end().system_memory_isock.bind(system_memory.bus_tsock);
    gpu.front_end().irq_o.bind(irq);
  }
};

struct RegisterWindowUnderTest : GpuUnderTest {
  void bind(tlm_utils::simple_initiator_socket<TestInitiator>& socket) {
    socket.bind(gpu.front_end().registers_tsock);
    memory_user.bus_isock.bind(gpu.device_memory().bus_tsock);
  }
  AccessRules rules() const { return {reg::kSize, 8, 4, false, false}; }
  std::uint64_t writable() const { return reg::kQueues + reg::kBase; }
  bool accepts_debug_writes() const { return false; }
  TestInitiator memory_user{"memory_user"};
};

struct DeviceMemoryUnderTest : GpuUnderTest {
  void bind(tlm_utils::simple_initiator_socket<TestInitiator>& socket) {
    socket.bind(gpu.device_memory().bus_tsock);
    register_user.bus_isock.bind(gpu.front_end().registers_tsock);
  }
  AccessRules rules() const { return {Gpu::kDeviceMemoryBytes, 1, 1, true, true}; }
  std::uint64_t writable() const { return (std::uint64_t{1} << 39) - 1; }
  bool accepts_debug_writes() const { return true; }
  TestInitiator register_user{"register_user"};
};

INSTANTIATE_TYPED_TEST_SUITE_P(RegisterWindow, TargetContract, RegisterWindowUnderTest);
INSTANTIATE_TYPED_TEST_SUITE_P(DeviceMemory, TargetContract, DeviceMemoryUnderTest);

// ---- the tables of the document ------------------------------------------------------------------------------

TEST(RegisterMapDocument, NamesEveryRegisterAtItsOffset) { EXPECT_EQ(numbers_by_name(table("Offset"), 1), kRegisters); }

TEST(RegisterMapDocument, NamesEveryFieldOfACommandAtItsByte) {
  const std::map<std::string, std::uint64_t> fields = {
      {"opcode", offsetof(Command, opcode)},           {"flags", offsetof(Command, flags)},
      {"context", offsetof(Command, context)},         {"source", offsetof(Command, source)},
      {"destination", offsetof(Command, destination)}, {"bytes", offsetof(Command, bytes)},
      {"direction", offsetof(Command, direction)},     {"fence_address", offsetof(Command, fence_address)},
      {"fence_value", offsetof(Command, fence_value)},
  };
  EXPECT_EQ(numbers_by_name(table("Command byte"), 2), fields);
}

TEST(RegisterMapDocument, NamesEveryFieldOfADescriptorAtItsByte) {
  const std::map<std::string, std::uint64_t> fields = {
      {"num_tbs", offsetof(KernelDescriptor, num_tbs)},
      {"regs_per_tb", offsetof(KernelDescriptor, regs_per_tb)},
      {"smem_bytes_per_tb", offsetof(KernelDescriptor, smem_bytes_per_tb)},
      {"threads_per_tb", offsetof(KernelDescriptor, threads_per_tb)},
      {"mean_tb_cycles", offsetof(KernelDescriptor, mean_tb_cycles)},
      {"half_spread_cycles", offsetof(KernelDescriptor, half_spread_cycles)},
      {"duration_key", offsetof(KernelDescriptor, duration_key)},
      {"process", offsetof(KernelDescriptor, process)},
      {"kernel", offsetof(KernelDescriptor, kernel)},
      {"run", offsetof(KernelDescriptor, run)},
      {"priority", offsetof(KernelDescriptor, priority)},
      {"max_tbs_per_sm", offsetof(KernelDescriptor, max_tbs_per_sm)},
      {"idempotent_until", offsetof(KernelDescriptor, idempotent_until)},
      {"work_share", offsetof(KernelDescriptor, work_share)},
      {"segment_cpi_spread", offsetof(KernelDescriptor, segment_cpi_spread)},
      {"neighbour_cpi_spread", offsetof(KernelDescriptor, neighbour_cpi_spread)},
      {"loop_program", offsetof(KernelDescriptor, loop_program)},
      {"num_relaunches", offsetof(KernelDescriptor, num_relaunches)},
      {"launch_number", offsetof(KernelDescriptor, launch_number)},
  };
  EXPECT_EQ(numbers_by_name(table("Descriptor byte"), 2), fields);
}

TEST(RegisterMapDocument, NamesEveryCounter) {
  using reg::Counter;
  const auto number = [](Counter counter) { return static_cast<std::uint64_t>(counter); };
  const std::map<std::string, std::uint64_t> numbers = {
      {"kCycles", number(Counter::kCycles)},
      {"kPolicyInvoked", number(Counter::kPolicyInvoked)},
      {"kPolicyDecided", number(Counter::kPolicyDecided)},
      {"kDecisionCycles", number(Counter::kDecisionCycles)},
      {"kActivated", number(Counter::kActivated)},
      {"kAssigned", number(Counter::kAssigned)},
      {"kReserved", number(Counter::kReserved)},
      {"kRetargeted", number(Counter::kRetargeted)},
      {"kCancelled", number(Counter::kCancelled)},
      {"kPreempted", number(Counter::kPreempted)},
      {"kReleased", number(Counter::kReleased)},
      {"kKernelsDone", number(Counter::kKernelsDone)},
      {"kFreshTbs", number(Counter::kFreshTbs)},
      {"kRestoredTbs", number(Counter::kRestoredTbs)},
      {"kTurnsPassed", number(Counter::kTurnsPassed)},
      {"kTurnsBegan", number(Counter::kTurnsBegan)},
  };
  EXPECT_EQ(numbers.size(), reg::kNumCounters);
  EXPECT_EQ(numbers_by_name(table("Counter"), 1), numbers);
}

TEST(RegisterMapDocument, SizesOfFieldsAddUpWithoutAHole) {
  const auto expect_sum = [](const char* heading, std::uint64_t bytes) {
    std::uint64_t next = 0;
    for (const Row& row : table(heading)) {
      EXPECT_EQ(std::stoull(row.at(0), nullptr, 0), next) << row.at(2);
      next += std::stoull(row.at(1));
    }
    EXPECT_EQ(next, bytes);
  };
  expect_sum("Command byte", sizeof(Command));
  expect_sum("Descriptor byte", sizeof(KernelDescriptor));
}

TEST(RegisterMapDocument, NamesEveryErrorCodeAndOpcode) {
  using reg::ErrorCode;
  const auto number = [](auto value) { return static_cast<std::uint64_t>(value); };
  const std::map<std::string, std::uint64_t> codes = {
      {"kNone", number(ErrorCode::kNone)},
      {"kBadOpcode", number(ErrorCode::kBadOpcode)},
      {"kBadKernel", number(ErrorCode::kBadKernel)},
      {"kBadContext", number(ErrorCode::kBadContext)},
      {"kBadAddress", number(ErrorCode::kBadAddress)},
      {"kBadDoorbell", number(ErrorCode::kBadDoorbell)},
      {"kBadPolicy", number(ErrorCode::kBadPolicy)},
      {"kBadWait", number(ErrorCode::kBadWait)},
      {"kPortFull", number(ErrorCode::kPortFull)},
      {"kFault", number(ErrorCode::kFault)},
      {"kBadGraph", number(ErrorCode::kBadGraph)},
  };
  const std::map<std::string, std::uint64_t> opcodes = {{"kLaunch", number(Opcode::kLaunch)},
                                                        {"kCopy", number(Opcode::kCopy)},
                                                        {"kFence", number(Opcode::kFence)},
                                                        {"kWait", number(Opcode::kWait)},
                                                        {"kGraph", number(Opcode::kGraph)}};
  EXPECT_EQ(numbers_by_name(table("Code"), 1), codes);
  EXPECT_EQ(numbers_by_name(table("Opcode"), 1), opcodes);
}

TEST(RegisterMapDocument, NamesEveryPolicyAndTechniqueByItsCodeAndWhereItIs) {
  const std::map<spec::PolicyOrder, std::string> orders = {
      {spec::PolicyOrder::kNone, "arrival"},      {spec::PolicyOrder::kPriority, "priority"},
      {spec::PolicyOrder::kTokens, "tokens"},     {spec::PolicyOrder::kTurn, "turn"},
      {spec::PolicyOrder::kDeadline, "deadline"}, {spec::PolicyOrder::kPartition, "partition"}};
  const auto places = [](spec::Cores cores) {
    std::string text = includes(cores, spec::Cores::kTlm) ? "tlm" : "";
    if (includes(cores, spec::Cores::kClocked)) text += std::string(text.empty() ? "" : ", ") + "rtl_model, rtl";
    return text;
  };
  std::vector<Row> policies;
  for (const spec::PolicyInfo& policy : spec::kPolicies) {
    if (policy.code >= spec::kFirstOwnPolicyCode) continue;  // not Tessera's
    policies.push_back(
        {std::to_string(policy.code), std::string(policy.name), orders.at(policy.order), places(policy.cores)});
  }
  std::vector<Row> techniques;
  for (const spec::TechniqueInfo& technique : spec::kTechniques) {
    techniques.push_back({std::to_string(technique.code), std::string(technique.name), places(technique.cores)});
  }
  EXPECT_EQ(table("Policy code"), policies);
  EXPECT_EQ(table("Technique code"), techniques);
}

// ---- the registers themselves --------------------------------------------------------------------------------

class RegisterWindowTest : public SystemCTest {
 protected:
  static spec::Spec machine() {
    spec::Spec spec = small_gpu(3, 2);
    spec.scheduler.policy = spec::PolicyKind::kDss;
    return spec;
  }
  GpuBench bench_{"bench", machine()};
};

TEST_F(RegisterWindowTest, ResetValuesAreThoseOfTheDocument) {
  const std::vector<Row> rows = table("Offset");
  ASSERT_EQ(rows.size(), kRegisters.size());
  simulate([&] {
    for (const Row& row : rows) {
      if (is_in(row, "GPU") && !has_fixed_reset(row)) continue;
      const std::uint64_t expected = is_in(row, "GPU") ? std::stoull(row.at(3), nullptr, 0) : 0;
      EXPECT_EQ(bench_.read(kRegisters.at(row.at(1))), expected) << row.at(1);
    }
    const spec::Spec spec = machine();
    EXPECT_EQ(bench_.read(reg::kCapabilities),
              std::uint64_t{spec.gpu.num_sms} | std::uint64_t{spec.gpu.num_hardware_queues} << 16 |
                  std::uint64_t{spec.gpu.num_dma_engines} << 32 | std::uint64_t{spec.processes.size()} << 40);
    EXPECT_EQ(bench_.read(reg::kPolicy), spec::info(spec.scheduler.policy).code);
  });
}

TEST_F(RegisterWindowTest, ReadOnlyRegistersIgnoreWritesAndOthersKeepTheirDocumentedBits) {
  const std::vector<Row> rows = table("Offset");
  ASSERT_EQ(rows.size(), kRegisters.size());
  simulate([&] {
    for (const Row& row : rows) {
      const std::uint64_t offset = kRegisters.at(row.at(1));
      const std::uint64_t before = bench_.read(offset);
      const bool is_policy = row.at(1) == "kPolicy";  // refused: all ones name none
      EXPECT_EQ(bench_.write(offset, ~std::uint64_t{0}),
                is_policy ? tlm::TLM_GENERIC_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
      const bool keeps_bits = is_in(row, "GPU") && has_fixed_bits(row);
      const bool is_partition = row.at(1) == "kSmPartition" || row.at(1) == "kPartition";
      const std::uint64_t variable = is_partition ? 0b11 : before;  // what tells three SMs apart
      const std::uint64_t kept = keeps_bits ? std::stoull(row.at(4), nullptr, 0) : variable;
      EXPECT_EQ(bench_.read(offset), kept) << row.at(1);
      if (row.at(1) == "kEntries") bench_.write(offset, 0);  // else the doorbell below would be a good one
      if (is_policy) bench_.write(reg::kError, 0);
    }
  });
}

// Partitions that overlap: SM 1 is in both.
class MaskRegisterTest : public SystemCTest {
 protected:
  static spec::Spec machine() {
    spec::Spec spec = small_gpu(3, 2);
    spec.scheduler.policy = spec::PolicyKind::kStaticPartition;
    spec.partitions = {{"a", {0, 1}}, {"b", {1, 2}}};
    return spec;
  }
  GpuBench bench_{"bench", machine()};
};

TEST_F(MaskRegisterTest, MasksKeepABitForEachSmAndReachTheEngine) {
  simulate([&] {
    const std::uint64_t first = reg::kPartitionMask;
    const std::uint64_t second = reg::kPartitionMask + reg::kMaskStride;
    EXPECT_EQ(bench_.read(first), 0U);
    bench_.write(first, 0b011);
    bench_.write_half(second, ~0U);
    bench_.write(second + 8, ~std::uint64_t{0});
    EXPECT_EQ(bench_.read(first), 0b011U);
    EXPECT_EQ(bench_.read(second), 0b111U);
    EXPECT_EQ(bench_.read(second + 8), 0U) << "SMs 64 to 127";
    bench_.write(reg::kPartitionMask + 3 * reg::kMaskStride, 1);
    EXPECT_EQ(bench_.read(reg::kPartitionMask + 3 * reg::kMaskStride), 0U) << "no more partitions than SMs";
  });
  const policy::SchedulingTables& tables = core_of(bench_.gpu).tables();
  EXPECT_EQ(tables.mask(PartitionId{1}).word(0), 0b111U);
  EXPECT_EQ(tables.num_partitions_of(SmId{1}), 2U);
  EXPECT_EQ(tables.group(PartitionId{1}), PartitionId{0});
}

TEST_F(RegisterWindowTest, ReservedAddressesReadZeroAndIgnoreWrites) {
  const std::uint64_t num_queues = machine().gpu.num_hardware_queues;
  const std::uint64_t num_contexts = machine().processes.size();
  const std::vector<std::uint64_t> reserved = {
      reg::kPolicy + 8,
      reg::kCompletion - 8,
      reg::kCompletion + 8 * reg::kNumCompletion,
      reg::kContexts - 8,
      reg::kSmPartition - 8,
      reg::kSmPartition + 8 * std::uint64_t{machine().gpu.num_sms},
      reg::kPartition - 8,
      reg::kPartition + 8 * num_contexts,
      reg::kPartitionMask,  // no partitions overlap
      reg::kContexts + num_contexts * reg::kContextStride,
      reg::kQueues - 8,
      reg::kQueues + num_queues * reg::kQueueStride,
      reg::kSize - 8,
  };
  simulate([&] {
    for (const std::uint64_t offset : reserved) {
      EXPECT_EQ(bench_.write(offset, ~std::uint64_t{0}), tlm::TLM_OK_RESPONSE) << std::hex << offset;
      EXPECT_EQ(bench_.read(offset), 0U) << std::hex << offset;
    }
    EXPECT_EQ(bench_.read(reg::kError), 0U);
  });
}

TEST_F(RegisterWindowTest, TokensAreAsManyAsTheCoreCounts) {
  simulate([&] {
    for (const std::uint64_t tokens : {std::uint64_t{0}, std::uint64_t{256}, std::uint64_t{spec::kMaxTokens}}) {
      bench_.write(GpuBench::context(1, reg::kTokens), tokens);
      EXPECT_EQ(bench_.read(GpuBench::context(1, reg::kTokens)), tokens);
    }
    bench_.write(GpuBench::context(1, reg::kTokens), spec::kMaxTokens + 2);
    EXPECT_EQ(bench_.read(GpuBench::context(1, reg::kTokens)), 1U);
  });
}

TEST_F(RegisterWindowTest, BurstCoversSeveralRegistersInOrder) {
  simulate([&] {
    const Bytes burst = bench_.registers.read(reg::kId, reg::kPolicy + 8 - reg::kId);
    for (std::uint64_t offset = reg::kId; offset <= reg::kPolicy; offset += 8) {
      EXPECT_EQ(Bytes(burst.begin() + static_cast<std::ptrdiff_t>(offset),
                      burst.begin() + static_cast<std::ptrdiff_t>(offset) + 8),
                bench_.registers.read(offset, 8));
    }
    // All registers of context 1 at once.
    Bytes words(32);
    words[0] = 9;
    words[8] = 3;
    words[16] = 0x55;
    words[24] = 0x77;
    EXPECT_EQ(bench_.registers.write(GpuBench::context(1, reg::kPriority), words), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench_.read(GpuBench::context(1, reg::kPriority)), 9U);
    EXPECT_EQ(bench_.read(GpuBench::context(1, reg::kTokens)), 3U);
    EXPECT_EQ(bench_.read(GpuBench::context(1, reg::kPageTable)), 0x55U);
    EXPECT_EQ(bench_.read(GpuBench::context(1, reg::kDeadline)), 0x77U);
    EXPECT_EQ(bench_.read(GpuBench::context(0, reg::kPriority)), 0U);
  });
}

TEST_F(RegisterWindowTest, HalvesOfARegisterAreReadAndWrittenAlone) {
  simulate([&] {
    const std::uint64_t page_table = GpuBench::context(0, reg::kPageTable);
    bench_.write(page_table, 0x1111'2222'3333'4444);
    bench_.write_half(page_table + 4, 0x5555'6666);
    EXPECT_EQ(bench_.read(page_table), 0x5555'6666'3333'4444U);
    EXPECT_EQ(bench_.registers.read(page_table, 4), (Bytes{0x44, 0x44, 0x33, 0x33})) << "little-endian";
    EXPECT_EQ(bench_.registers.read(page_table + 4, 4), (Bytes{0x66, 0x66, 0x55, 0x55}));
  });
}

TEST_F(RegisterWindowTest, ReadTakesTheRoundTripAndAPostedWriteNothing) {
  simulate([&] {
    Access read(tlm::TLM_READ_COMMAND, reg::kId, Bytes(8));
    const auto round_trip = static_cast<double>(bench_.link().round_trip());
    EXPECT_EQ(bench_.registers.transport(read), sc_core::sc_time(round_trip, sc_core::SC_NS));
    Access write(tlm::TLM_WRITE_COMMAND, GpuBench::queue(0, reg::kBase), Bytes(8));
    EXPECT_EQ(bench_.registers.transport(write), sc_core::SC_ZERO_TIME);
    Access burst(tlm::TLM_READ_COMMAND, reg::kId, Bytes(64));
    EXPECT_EQ(bench_.registers.transport(burst), sc_core::sc_time(round_trip, sc_core::SC_NS)) << "one message";
  });
}

TEST_F(RegisterWindowTest, AnnotatedTimeOfADoorbellCountsFromItsOwnMoment) {
  simulate([&] {
    bench_.set_up();
    bench_.enqueue(0, GpuBench::fence_command());
    const Cycle ahead = 40;
    Bytes one(8);
    one[0] = 1;
    Access doorbell(tlm::TLM_WRITE_COMMAND, GpuBench::queue(0, reg::kDoorbell), one);
    bench_.registers.transport(doorbell, sc_core::sc_time(static_cast<double>(ahead), sc_core::SC_NS));
    sc_core::wait(bench_.irq.posedge_event());
    EXPECT_EQ(GpuBench::now(), ahead + bench_.fetch(1) + bench_.link().one_way());
  });
}

TEST_F(RegisterWindowTest, DebugAccessReadsWithoutEffectAndWritesNothing) {
  simulate([&] {
    bench_.set_up();
    bench_.submit(0, GpuBench::fence_command());
    bench_.wait_for(0, 1);
    const Bytes whole = bench_.registers.debug_read(0, reg::kSize);
    EXPECT_EQ(whole.size(), reg::kSize);
    EXPECT_EQ(Bytes(whole.begin(), whole.begin() + 8), bench_.registers.read(reg::kId, 8));
    EXPECT_EQ(bench_.registers.debug_write(reg::kControl, Bytes(8)), 0U);
    EXPECT_EQ(bench_.read(reg::kControl), 1U);
  });
}

}  // namespace
}  // namespace tessera::tlm_model::test
