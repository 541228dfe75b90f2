// SPDX-License-Identifier: Apache-2.0
// Random experiments with event-driven and ordinary kernels mixed: every invariant holds, the full log is sound, and
// nothing depends on how the simulation is driven.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/spec/core_cycles.h"
#include "model/spec/policies.h"
#include "model/workload/draws.h"
#include "platform/machine.h"
#include "tests/platform/gloop_machine.h"
#include "tests/platform/machine_bench.h"

namespace tessera::platform {
namespace {

using namespace test;

class Draws {
 public:
  explicit Draws(std::uint64_t seed) : key_(workload::mix64(seed)) {}
  std::uint64_t below(std::uint64_t width) { return workload::draw_below(key_, next_++, width); }
  std::uint64_t within(std::uint64_t least, std::uint64_t most) { return least + below(most - least + 1); }
  bool coin() { return below(2) == 1; }

 private:
  std::uint64_t key_;
  std::uint64_t next_ = 0;
};

spec::KernelSpec random_loops(Draws& draws, std::uint32_t num_sms) {
  std::vector<spec::LoopStep> body;
  const std::uint64_t steps = draws.within(1, 4);
  for (std::uint64_t i = 0; i < steps; ++i) {
    if (draws.below(3) > 0) {
      body.push_back(callback(draws.within(1, 20'000)));
    } else {
      body.push_back(file_io(draws.coin() ? spec::IoDirection::kRead : spec::IoDirection::kWrite,
                             draws.within(1, 20'000), draws.coin() ? spec::IoMedium::kCache : spec::IoMedium::kDisk));
    }
  }
  const auto per_sm = static_cast<std::uint32_t>(1U << draws.below(3));
  spec::KernelSpec kernel = loop_kernel(static_cast<std::uint32_t>(draws.within(1, std::uint64_t{num_sms} * per_sm)),
                                        static_cast<std::uint32_t>(draws.within(1, 30)), std::move(body),
                                        draws.coin() ? spec::LoopMode::kPolling : spec::LoopMode::kBlocking);
  kernel.threads_per_tb = tlm_model::test::kMaxThreadsPerSm / per_sm;
  kernel.event_driven->state_bytes_per_slot = draws.within(1, 5000);
  kernel.event_driven->slots = static_cast<std::uint32_t>(draws.within(1, 200));
  kernel.tb_time_spread_ppm = draws.coin() ? 0 : static_cast<std::uint32_t>(draws.below(1'000'001));
  return kernel;
}

// With what all of these cores have.
spec::Spec random_gloop(std::uint64_t seed, spec::Cores cores = spec::Cores::kTlm) {
  Draws draws(seed);
  spec::Spec spec = gloop_platform(static_cast<std::uint32_t>(draws.within(1, 5)));
  spec.seed = seed;
  // Half of the engines do one job at a time, as the core does.
  const bool does_one_job = draws.coin() || cores != spec::Cores::kTlm;
  if (does_one_job) {
    spec.gpu.framework.engine = spec::Engine::kSerialised;
    spec.gpu.framework.tb_issue_cycles = spec::min_tb_issue_cycles(spec.scheduler.tbs_per_cycle);
  }
  const auto policies = spec::policies_of(cores);
  spec.scheduler.policy = policies[draws.below(policies.size())];
  constexpr spec::TechniqueKind kTechniques[] = {spec::TechniqueKind::kContextSwitch, spec::TechniqueKind::kDrain,
                                                 spec::TechniqueKind::kFlush};
  spec.scheduler.technique = kTechniques[draws.below(3)];
  spec.scheduler.time_slice = draws.within(20'000, 90'000) * kCyclePs;
  spec.channel_sharing = draws.coin() ? spec::ChannelSharing::kStatic : spec::ChannelSharing::kFair;
  spec.checks.enable_context_check = true;
  if (draws.below(4) == 0) spec.driver = {};
  spec.driver.threshold = draws.within(1, 90'000) * kCyclePs;
  spec.driver.kill = draws.within(1, 60'000) * kCyclePs;
  const bool preempts = spec::info(spec.scheduler.policy).has(spec::kPreempts);
  spec.driver.on_timeout = preempts && draws.coin() ? spec::OnTimeout::kPreempt : spec::OnTimeout::kKill;
  const std::uint64_t processes = draws.within(1, 4);
  for (std::uint64_t i = 0; i < processes; ++i) {
    std::vector<spec::KernelSpec> kernels{
        random_loops(draws, spec.gpu.num_sms),
        kernel_of("ordinary", static_cast<std::uint32_t>(draws.within(1, 9)), draws.within(100, 50'000))};
    spec::ProcessSpec& process =
        add_process(spec, std::move(kernels),
                    draws.coin() ? std::vector<spec::HostStep>{launch(0), launch(1), synchronise()}
                                 : std::vector<spec::HostStep>{launch(1), launch(0), launch(0), synchronise()});
    process.runs = 1;
    process.start = draws.below(100'000) * kCyclePs;
    process.priority = static_cast<std::uint32_t>(draws.below(4));
    if (spec.scheduler.policy == spec::PolicyKind::kEdf) process.deadline = draws.within(1, 900'000) * kCyclePs;
  }
  return spec;
}

bool is_same(const Record& a, const Record& b) {
  return !record::canonical_less(a, b) && !record::canonical_less(b, a);
}

TEST(GloopRandom, EveryInvariantHoldsAndThePaceMakesNoDifference) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    const spec::Spec spec = random_gloop(seed);
    const Log ahead = simulate_checked(spec, Machine::Pace::kRunAhead);
    const Log stepwise = simulate_checked(spec, Machine::Pace::kStepwise);
    EXPECT_EQ(ahead.result.stop_reason, "min_runs");
    EXPECT_TRUE(std::equal(ahead.records.begin(), ahead.records.end(), stepwise.records.begin(), stepwise.records.end(),
                           is_same));
    EXPECT_EQ(nlohmann::json(ahead.result), nlohmann::json(stepwise.result));
  }
}

TEST(GloopRandom, EveryInvariantHoldsOnSmModelsToo) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    const Log log = simulate_checked(random_gloop(seed, spec::Cores::kClocked), clocked());
    EXPECT_EQ(log.result.stop_reason, "min_runs");
    EXPECT_FALSE(log.all(Kind::kLoopLeft).empty());
  }
}

// With several core cycles in an SM cycle, too.
TEST(GloopRandom, SmModelsDoTheSameUnderAFreeClock) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    spec::Spec spec = random_gloop(seed, spec::Cores::kClocked);
    spec.stop.max_time = 150'000 * kCyclePs;
    for (spec::ProcessSpec& process : spec.processes) process.start = 0;
    for (spec::ApplicationSpec& application : spec.applications) application.program = {launch(0), synchronise()};
    spec.scheduler.tbs_per_cycle = seed % 2 == 0 ? 3 : 1;
    spec.gpu.framework.tb_issue_cycles = 6;
    const Log gated = simulate_checked(spec, clocked());
    const Log free = simulate_checked(spec, clocked(ClockDrive::kFree));
    EXPECT_FALSE(gated.all(Kind::kLoopResumed).empty());
    EXPECT_EQ(nlohmann::json(gated.records), nlohmann::json(free.records));
  }
}

}  // namespace
}  // namespace tessera::platform
