// SPDX-License-Identifier: Apache-2.0
// Policies of the clocked cores: what they do not have is never taken for something else; edf gets its deadlines.
#include <algorithm>

#include "model/record/memory_sink.h"
#include "model/spec/policies.h"
#include "platform/clocked/clocked_core.h"
#include "platform/machine.h"
#include "tests/platform/machine_bench.h"
#include "tests/tlm/gpu_bench.h"
#include "tests/tlm/systemc_test.h"

namespace tessera::platform::test {
namespace {

namespace reg = tlm_model::reg;
using tlm_model::Bytes;

// The GPU with a clocked engine, and nothing around it but a bus master at its registers.
struct ClockedGpu {
  ClockedGpu() {
    gpu.front_end().system_memory_isock.bind(memory.bus_tsock);
    gpu.front_end().irq_o.bind(irq);
    registers.bus_isock.bind(gpu.front_end().registers_tsock);
    device.bus_isock.bind(gpu.device_memory().bus_tsock);
  }
  std::unique_ptr<tlm_model::IExecutionEngine> make_engine(tlm_model::IEngineListener& listener) {
    return std::make_unique<tlm_model::ExecutionEngine>("u_execution_engine", spec.gpu.clock_hz,
                                                        std::make_unique<ClockedCore>(spec, log, nullptr),
                                                        tlm_model::ExecutionEngine::Pace::kRunAhead, listener);
  }
  tlm::tlm_response_status write_policy(std::uint8_t code) {
    Bytes value(8);
    value[0] = code;
    return registers.write(reg::kPolicy, value);
  }

  spec::Spec spec = tlm_model::test::small_gpu(1, 1);
  record::RecordLog log;
  tlm_model::test::SystemMemory memory{"memory", sc_core::SC_ZERO_TIME, tlm_model::test::Timing::kWaits};
  tlm_model::Gpu gpu{"gpu", spec, log, [this](tlm_model::IEngineListener& listener) { return make_engine(listener); }};
  tlm_model::TestInitiator registers{"registers"};
  tlm_model::TestInitiator device{"device"};
  sc_core::sc_signal<bool> irq{"irq"};
};

class ClockedPolicies : public tlm_model::SystemCTest {};

TEST_F(ClockedPolicies, AControlWriteOfAPolicyThatTheCoreDoesNotHaveIsAnError) {
  ClockedGpu bench;
  simulate([&] {
    for (const spec::PolicyInfo& policy : spec::kPolicies) {
      const bool is_there = includes(policy.cores, spec::Cores::kClocked);
      const Bytes before = bench.registers.read(reg::kPolicy, 8);
      EXPECT_EQ(bench.write_policy(policy.code), is_there ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE)
          << policy.name;
      const Bytes after = bench.registers.read(reg::kPolicy, 8);
      EXPECT_EQ(after[0], is_there ? policy.code : before[0]) << policy.name;
    }
    EXPECT_EQ(bench.write_policy(8), tlm::TLM_GENERIC_ERROR_RESPONSE) << "nobody's code";
    sc_core::sc_stop();
  });
}

// Two kernels come at once; that of the process with a deadline is done first.
std::uint32_t first_process_under_edf(Abstraction abstraction) {
  spec::Spec spec = tiny_platform(1);
  spec.scheduler.policy = spec::PolicyKind::kEdf;
  for (const bool has_deadline : {false, true}) {
    spec::ProcessSpec& process = add_process(spec, {kernel_of("k", 1, 100'000)}, {launch(0), synchronise()});
    if (has_deadline) process.deadline = 500'000 * kCyclePs;
  }
  MachineOptions options;
  options.abstraction = abstraction;
  record::MemorySink sink;
  platform::simulate(
      spec, {&sink}, [] { return false; }, options);
  const auto first = std::find_if(sink.records().begin(), sink.records().end(), [](const record::Record& record) {
    return record.kind == record::Kind::kKernelFinished;
  });
  return first == sink.records().end() ? kNone : std::uint32_t{first->process};
}

TEST_F(ClockedPolicies, ByDeadlinesTheOneThatIsDueGoesFirst) {
  EXPECT_EQ(first_process_under_edf(Abstraction::kRtlModel), 1U);
}
TEST_F(ClockedPolicies, ByDeadlinesTheOneThatIsDueGoesFirstAtTransactionLevelToo) {
  EXPECT_EQ(first_process_under_edf(Abstraction::kTlm), 1U);
}

}  // namespace
}  // namespace tessera::platform::test
