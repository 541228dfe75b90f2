// SPDX-License-Identifier: Apache-2.0
// How much of their SMs kernels use, and what keeps them from the rest, on both models.
#include "model/spec/core_cycles.h"
#include "tests/platform/machine_bench.h"

namespace tessera::platform::test {
namespace {

struct Shares {
  double run = 0, issue = 0, demand = 0, preemption = 0;
};

Shares shares_of(const spec::Spec& spec, Abstraction abstraction) {
  MachineOptions machine;
  machine.abstraction = abstraction;
  const record::RunResult result = simulate_checked(spec, machine).result;
  const record::SlotCycles& slots = result.slots;
  EXPECT_GE(slots.all, slots.run + slots.preempted + slots.without_demand);
  const auto share = [&](std::uint64_t cycles) { return static_cast<double>(cycles) / static_cast<double>(slots.all); };
  return {share(slots.run), share(slots.all - slots.run - slots.preempted - slots.without_demand),
          share(slots.without_demand), share(slots.preempted)};
}

// An SM holds four TBs.
spec::KernelSpec small_tbs(std::uint32_t num_tbs, Cycle tb_cycles) {
  spec::KernelSpec kernel = kernel_of("small", num_tbs, tb_cycles);
  kernel.threads_per_tb /= 4;
  return kernel;
}

class Slots : public testing::TestWithParam<Abstraction> {};

// The engine, which does one job at a time, has 16 slots to fill, and each TB is over before it has been round.
TEST_P(Slots, AreHeldBackByIssueWhereTbsAreShorterThanARoundOfIt) {
  spec::Spec spec = tiny_platform();
  spec.gpu.framework.engine = spec::Engine::kSerialised;
  spec.gpu.framework.tb_issue_cycles = spec::min_tb_issue_cycles(1);
  add_process(spec, {small_tbs(4'000, 20)}, {launch(0)});
  const Shares shares = shares_of(spec, GetParam());
  EXPECT_LT(shares.run, 0.4);
  EXPECT_GT(shares.issue, 0.6);
  EXPECT_LT(shares.demand + shares.preemption, 0.02);
}

// One slot of four of the one SM that gets a TB.
TEST_P(Slots, AreHeldBackByDemandWhereAKernelHasTooFewTbs) {
  spec::Spec spec = tiny_platform();
  add_process(spec, {small_tbs(1, 100'000)}, {launch(0)});
  const Shares shares = shares_of(spec, GetParam());
  EXPECT_NEAR(shares.run, 1.0 / 4, 0.01);
  EXPECT_NEAR(shares.demand, 3.0 / 4, 0.01);
}

TEST_P(Slots, AreHeldBackByPreemptionWhileContextsMove) {
  spec::Spec spec = tiny_platform(1);
  spec.gpu.framework.num_ksrs = 4;
  spec.scheduler.policy = spec::PolicyKind::kPpq;
  add_process(spec, {kernel_of("long", 4, 200'000)}, {launch(0)});
  add_process(spec, {kernel_of("urgent", 1, 1'000)}, {launch(0)});
  spec.processes[1].priority = 1;
  spec.processes[1].start = 50'000 * kCyclePs;
  spec.processes[1].runs = 1;
  EXPECT_GT(shares_of(spec, GetParam()).preemption, 0);
  spec.processes[1].priority = 0;
  EXPECT_EQ(shares_of(spec, GetParam()).preemption, 0);
}

INSTANTIATE_TEST_SUITE_P(Models, Slots, testing::Values(Abstraction::kTlm, Abstraction::kRtlModel),
                         [](const auto& info) { return info.param == Abstraction::kTlm ? "tlm" : "rtl_model"; });

}  // namespace
}  // namespace tessera::platform::test
