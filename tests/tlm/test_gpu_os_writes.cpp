// SPDX-License-Identifier: Apache-2.0
// What the OS writes while kernels run: priorities, tokens, policy and technique (docs/hardware/register_map.md).
#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "model/spec/policies.h"
#include "tests/tlm/gpu_bench.h"
#include "tests/tlm/systemc_test.h"

namespace tessera::tlm_model::test {
namespace {

class GpuOsWrites : public SystemCTest {};

std::uint64_t policy_value(std::uint64_t policy_code, std::uint64_t technique_code) {
  return policy_code << reg::PolicyFields::kPolicyShift | technique_code << reg::PolicyFields::kTechniqueShift;
}
std::uint64_t policy_value(spec::PolicyKind policy, spec::TechniqueKind technique) {
  return policy_value(spec::info(policy).code, spec::info(technique).code);
}

TEST_F(GpuOsWrites, PriorityWriteLetsAWaitingKernelPreempt) {
  spec::Spec spec = small_gpu(1, 2);
  spec.scheduler.policy = spec::PolicyKind::kPpq;
  GpuBench bench("bench", spec);
  simulate([&] {
    bench.set_up();
    bench.submit(0, small_kernel(1, 20'000, 0));
    bench.submit(1, small_kernel(1, 1'000, 1));
    GpuBench::wait_cycles(5'000);
    const Cycle written = GpuBench::now();
    bench.write(GpuBench::context(1, reg::kPriority), 5);
    bench.wait_for(1, 1);
    bench.wait_for(0, 1);
    bench.finish(GpuBench::now() + 1);
    const auto requested = bench.records(Kind::kPreemptionRequested);
    ASSERT_EQ(requested.size(), 1U);
    EXPECT_EQ(requested[0].launch, 0U);
    EXPECT_EQ(requested[0].value, 1U);
    EXPECT_GT(requested[0].cycle, written + bench.link().one_way()) << "a write arrives a link's latency later";
    const auto finished = bench.records(Kind::kKernelFinished);
    ASSERT_EQ(finished.size(), 2U);
    EXPECT_EQ(finished[0].process, 1U);
  });
}

TEST_F(GpuOsWrites, TokenWriteMovesAnSmUnderDss) {
  spec::Spec spec = small_gpu(4, 2);
  spec.scheduler.policy = spec::PolicyKind::kDss;
  GpuBench bench("bench", spec);
  simulate([&] {
    bench.set_up();
    bench.submit(0, small_kernel(100, 1'000, 0));
    bench.submit(1, small_kernel(100, 1'000, 1));
    GpuBench::wait_cycles(10'000);
    const Cycle written = GpuBench::now();
    bench.write(GpuBench::context(0, reg::kTokens), 3);
    bench.write(GpuBench::context(1, reg::kTokens), 1);
    GpuBench::wait_cycles(5'000);
    bench.finish(GpuBench::now());
    std::vector<Record> after = bench.records(Kind::kPreemptionRequested);
    after.erase(std::remove_if(after.begin(), after.end(), [&](const Record& r) { return r.cycle < written; }),
                after.end());
    ASSERT_EQ(after.size(), 1U) << "from two SMs each to three and one";
    EXPECT_EQ(after[0].launch, 1U);
    EXPECT_EQ(after[0].value, 0U);
    sc_core::sc_stop();
  });
}

TEST_F(GpuOsWrites, PolicyWriteBringsItsTechniqueAlong) {
  GpuBench bench("bench", small_gpu(1, 2));  // fcfs
  simulate([&] {
    bench.set_up();
    bench.write(GpuBench::context(1, reg::kPriority), 1);
    bench.submit(0, small_kernel(20, 1'000, 0));
    bench.submit(1, small_kernel(1, 1'000, 1));
    GpuBench::wait_cycles(5'000);
    const Cycle written = GpuBench::now();
    const std::uint64_t ppq = policy_value(spec::PolicyKind::kPpq, spec::TechniqueKind::kDrain);
    bench.write(reg::kPolicy, ppq);
    EXPECT_EQ(bench.read(reg::kPolicy), ppq);
    bench.wait_for(1, 1);
    bench.wait_for(0, 1);
    bench.finish(GpuBench::now() + 1);
    const auto requested = bench.records(Kind::kPreemptionRequested);
    ASSERT_EQ(requested.size(), 1U);
    EXPECT_EQ(requested[0].technique, record::Technique::kDrain);
    EXPECT_GT(requested[0].cycle, written + bench.link().one_way());
  });
}

TEST_F(GpuOsWrites, PolicyReadsAsTheSpecsAndRefusesWhatNamesNone) {
  spec::Spec spec = small_gpu(1, 1);
  spec.scheduler.policy = spec::PolicyKind::kDss;
  spec.scheduler.technique = spec::TechniqueKind::kDrain;
  spec.scheduler.token_scope = spec::TokenScope::kProcess;
  GpuBench bench("bench", spec);
  simulate([&] {
    const std::uint64_t initial = policy_value(spec::PolicyKind::kDss, spec::TechniqueKind::kDrain) |
                                  std::uint64_t{1} << reg::PolicyFields::kTokenScopeShift;
    EXPECT_EQ(bench.read(reg::kPolicy), initial);
    bench.write_half(reg::kPolicy + 4, ~0U);  // reserved
    EXPECT_EQ(bench.read(reg::kPolicy), initial);
    EXPECT_EQ(bench.read(reg::kError), 0U);
    for (const std::uint64_t unknown :
         {policy_value(spec::kPolicies.size(), 0), policy_value(0xFF, 0), policy_value(0, spec::kTechniques.size())}) {
      EXPECT_EQ(bench.write(reg::kPolicy, unknown), tlm::TLM_GENERIC_ERROR_RESPONSE) << std::hex << unknown;
      EXPECT_EQ(bench.read(reg::kPolicy), initial);
      EXPECT_EQ(bench.read(reg::kError), static_cast<std::uint64_t>(reg::ErrorCode::kBadPolicy));
      bench.write(reg::kError, 0);
    }
  });
}

// Techniques that choose victims have an engine of their own: one can take the other's place there, and no third.
template <typename Simulate>
void expect_techniques(const spec::Spec& spec, bool choose_victims, Simulate simulate) {
  GpuBench bench("bench", spec);
  simulate([&] {
    for (const spec::PolicyInfo& policy : spec::kPolicies) {
      for (const spec::TechniqueInfo& technique : spec::kTechniques) {
        const bool is_taken = technique.chooses_victims == choose_victims;
        const std::uint64_t value = policy_value(policy.code, technique.code);
        const auto response = is_taken ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE;
        EXPECT_EQ(bench.write(reg::kPolicy, value), response) << policy.name << ", " << technique.name;
        EXPECT_EQ(bench.read(reg::kPolicy) == value, is_taken);
      }
    }
  });
}

TEST_F(GpuOsWrites, EveryPolicyAndTechniqueOfTheTableIsTaken) {
  expect_techniques(small_gpu(1, 1), false, [this](const auto& body) { simulate(body); });
}

TEST_F(GpuOsWrites, EveryTechniqueThatChoosesVictimsIsTakenWhereOneOfThemIs) {
  spec::Spec spec = small_gpu(1, 1);
  spec.scheduler.technique = spec::TechniqueKind::kChimera;
  expect_techniques(spec, true, [this](const auto& body) { simulate(body); });
}

TEST_F(GpuOsWrites, ARefusedPolicyInABurstLeavesItsOtherRegistersWritten) {
  GpuBench bench("bench", small_gpu(1, 1));
  simulate([&] {
    Bytes burst(reg::kPolicy + 8 - reg::kInterruptEnable);
    burst.front() = 3;
    burst[reg::kPolicy - reg::kInterruptEnable] = 0xFF;
    EXPECT_EQ(bench.registers.write(reg::kInterruptEnable, burst), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(bench.read(reg::kInterruptEnable), 3U);
    EXPECT_EQ(bench.read(reg::kPolicy), 0U);
  });
}

// Of two waiting kernels the first is due in a thousand units; the other one's deadline is written before it is issued.
TEST_F(GpuOsWrites, DeadlineHoldsForKernelsThatAreIssuedFromThenOn) {
  spec::Spec spec = small_gpu(1, 3);
  spec.scheduler.policy = spec::PolicyKind::kEdf;
  GpuBench bench("bench", spec);
  simulate([&] {
    bench.set_up();
    bench.write(GpuBench::context(0, reg::kDeadline), 1'000'000);
    bench.submit(0, small_kernel(1, 40'000, 0));
    GpuBench::wait_cycles(5'000);
    bench.write(GpuBench::context(0, reg::kDeadline), 1);  // too late for the one that runs
    bench.write(GpuBench::context(1, reg::kDeadline), 900'000);
    bench.submit(1, small_kernel(1, 1'000, 1));
    bench.wait_for(1, 1);
    bench.wait_for(0, 1);
    bench.finish(GpuBench::now() + 1);
    const auto requested = bench.records(Kind::kPreemptionRequested);
    ASSERT_EQ(requested.size(), 1U);
    EXPECT_EQ(requested[0].value, 1U) << "the SM goes to the kernel that is due earlier";
    EXPECT_EQ(bench.records(Kind::kKernelFinished)[0].process, 1U);
  });
}

TEST_F(GpuOsWrites, TokensWrittenUnderAnotherPolicyHoldWhenDssTakesOver) {
  GpuBench bench("bench", small_gpu(4, 2));  // fcfs
  simulate([&] {
    bench.set_up();
    bench.write(GpuBench::context(0, reg::kTokens), 3);
    bench.write(GpuBench::context(1, reg::kTokens), 1);
    bench.write(reg::kPolicy, policy_value(spec::PolicyKind::kDss, spec::TechniqueKind::kContextSwitch));
    bench.submit(0, small_kernel(100, 1'000, 0));
    bench.submit(1, small_kernel(100, 1'000, 1));
    GpuBench::wait_cycles(10'000);
    const auto& smst = core_of(bench.gpu).tables().smst();
    std::vector<std::uint32_t> held(2, 0);
    for (std::uint16_t i = 0; i < smst.size(); ++i) {
      ++held[index(core_of(bench.gpu).owners().sm(SmId(i)).launch)];
    }
    EXPECT_EQ(held, (std::vector<std::uint32_t>{3, 1}));
    sc_core::sc_stop();
  });
}

// Four SMs: first all in partition 0, then the upper two in partition 1, and the second context with them.
TEST_F(GpuOsWrites, PartitionsOfSmsHoldFromThenOnAndThoseOfContextsForLaterLaunches) {
  spec::Spec spec = small_gpu(4, 2);
  spec.scheduler.policy = spec::PolicyKind::kStaticPartition;
  spec.scheduler.access = spec::Access::kShared;
  GpuBench bench("bench", spec);
  simulate([&] {
    bench.set_up();
    for (const std::uint64_t sm : {2, 3}) bench.write(reg::kSmPartition + 8 * sm, 1);
    bench.write(reg::kPartition + 8, 1);
    EXPECT_EQ(bench.read(reg::kSmPartition + 8 * 3), 1U);
    EXPECT_EQ(bench.read(reg::kPartition + 8), 1U);
    bench.submit(0, small_kernel(100, 1'000, 0));
    bench.submit(1, small_kernel(100, 1'000, 1));
    GpuBench::wait_cycles(10'000);
    bench.write(reg::kPartition + 8, 0);  // too late for the one that runs
    GpuBench::wait_cycles(10'000);
    bench.finish(GpuBench::now());
    for (const Record& record : bench.records(Kind::kSmSetUp)) {
      EXPECT_EQ(record.sm < 2, record.launch == 0) << "SM " << record.sm;
    }
    EXPECT_EQ(bench.records(Kind::kSmSetUp).size(), 4U);
    sc_core::sc_stop();
  });
}

// The order within partitions is a bit of the policy register.
TEST_F(GpuOsWrites, ThePolicyRegisterSaysHowAPartitionIsOrdered) {
  spec::Spec spec = small_gpu(1, 2);
  GpuBench bench("bench", spec);
  simulate([&] {
    bench.set_up();
    const std::uint64_t by_priority =
        policy_value(spec::PolicyKind::kStaticPartition, spec::TechniqueKind::kContextSwitch) |
        std::uint64_t{1} << reg::PolicyFields::kPartitionOrderShift;
    bench.write(reg::kPolicy, by_priority);
    EXPECT_EQ(bench.read(reg::kPolicy), by_priority);
    bench.submit(0, small_kernel(1, 20'000, 0));
    GpuBench::wait_cycles(5'000);
    bench.write(GpuBench::context(1, reg::kPriority), 5);
    bench.submit(1, small_kernel(1, 1'000, 1));
    bench.wait_for(1, 1);
    bench.wait_for(0, 1);
    bench.finish(GpuBench::now() + 1);
    EXPECT_EQ(bench.records(Kind::kPreemptionRequested).size(), 1U);
  });
}

}  // namespace
}  // namespace tessera::tlm_model::test
