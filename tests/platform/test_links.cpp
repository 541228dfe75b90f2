// SPDX-License-Identifier: Apache-2.0
// Links between the scheduler and the SMs (docs/hardware/timing.md 3.11, 7.5) in the clocked machine: random
// experiments, each SM with delays of its own. All invariants hold, the full log is sound, and nothing depends on how
// the machine is driven.
#include "model/spec/core_cycles.h"
#include "model/spec/policies.h"
#include "testbench/random.h"
#include "tests/platform/machine_bench.h"
#include "verification/random/random_experiment.h"

namespace tessera::platform::test {
namespace {

using testbench::Random;

// What the clocked core has.
void fit(spec::Spec& spec, Random& random) {
  spec::FrameworkSpec& framework = spec.gpu.framework;
  framework.engine = spec::Engine::kSerialised;
  const auto policies = spec::policies_of(spec::Cores::kClocked);
  spec.scheduler.policy = policies[random.in(0, policies.size() - 1)];
  if (random.one_in(2)) spec.scheduler.policy = spec::PolicyKind::kPpq;  // it preempts
  constexpr std::array kTechniques{spec::TechniqueKind::kContextSwitch, spec::TechniqueKind::kDrain,
                                   spec::TechniqueKind::kFlush};
  spec.scheduler.technique = random.of(kTechniques);
  spec.scheduler.search_width = random.of(std::array{1U, 2U, 4U});
  spec.scheduler.tbs_per_cycle = random.of(std::array{1U, 1U, 2U, 5U});
  framework.tb_issue_cycles = spec::min_tb_issue_cycles(spec.scheduler.tbs_per_cycle) + random.in32(0, 3);
  spec.channel_sharing = random.one_in(2) ? spec::ChannelSharing::kFair : spec::ChannelSharing::kStatic;
  spec.checks.enable_context_check = true;
}

// Whatever a kernel has, its thread blocks may be dropped.
void make_flush(spec::Spec& spec) {
  spec.scheduler.policy = spec::PolicyKind::kPpq;
  spec.scheduler.technique = spec::TechniqueKind::kFlush;
  spec.gpu.framework.channels = spec::Channels::kAll;
  for (spec::ApplicationSpec& application : spec.applications) {
    for (spec::KernelSpec& kernel : application.kernels) {
      if (!kernel.event_driven) kernel.idempotent_until_ppm = 1'000'000;
    }
  }
}

void add_links(spec::Spec& spec, Random& random) {
  spec::FrameworkSpec& framework = spec.gpu.framework;
  const std::uint32_t longest = random.of(std::array{1U, 8U, 300U, 1000U});
  const auto delay = [&] { return random.one_in(3) ? 0 : random.in32(0, longest); };
  for (std::uint32_t sm = 0; sm < spec.gpu.num_sms; ++sm) {
    framework.link_cycles.up.push_back(delay());
    framework.link_cycles.down.push_back(delay());
  }
  framework.setup_tag_bits = random.in32(1, spec::kMaxSetupTagBits);
}

spec::Spec linked_experiment(std::uint64_t seed) {
  using verification::RandomDriver;
  const RandomDriver driver = seed % 2 == 0 ? RandomDriver::kToken : RandomDriver::kWithout;
  spec::Spec spec = verification::random_experiment(seed, driver);
  Random random(seed);
  fit(spec, random);
  add_links(spec, random);
  if (seed % 4 == 0) make_flush(spec);
  return spec;
}

TEST(Links, OfAnyDelaysKeepEveryInvariant) {
  // More by hand: TESSERA_LINK_SEEDS=200 test_platform.
  const char* given = std::getenv("TESSERA_LINK_SEEDS");
  const std::uint64_t num_seeds = given != nullptr ? std::strtoull(given, nullptr, 10) : 12;
  std::uint64_t num_saved = 0, num_flushed = 0, num_drained = 0;
  for (std::uint64_t seed = 1; seed <= num_seeds; ++seed) {
    SCOPED_TRACE(seed);
    const Log log = simulate_checked(linked_experiment(seed), clocked(ClockDrive::kGated));
    num_saved += log.all(Kind::kTbSaved).size();
    num_flushed += log.all(Kind::kTbRestarted).size();
    for (const Record& done : log.all(Kind::kPreemptionDone)) num_drained += done.bytes == 0 ? 1 : 0;
  }
  EXPECT_GT(num_saved, 0U);
  EXPECT_GT(num_flushed, 0U);
  EXPECT_GT(num_drained, 0U);
}

// An experiment of some hundred microseconds: a clock that runs freely is slow.
TEST(Links, AClockAndOneProcessDriveThemAlike) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    spec::Spec spec = linked_experiment(seed);
    spec.stop.max_time = 60'000'000;
    const auto records = [&spec](ClockDrive clock) {
      const Log log = simulate_checked(spec, clocked(clock));
      return nlohmann::json(log.records);
    };
    const nlohmann::json gated = records(ClockDrive::kGated);
    EXPECT_GT(gated.size(), 10U);
    EXPECT_EQ(gated, records(ClockDrive::kFree));
  }
}

// Delays of 0 are none, and a tag changes no cycle where no answer can be stale.
TEST(Links, SmsWithoutDelaysAreWired) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    spec::Spec spec = linked_experiment(seed);
    for (std::uint32_t sm = 0; sm < spec.gpu.num_sms; ++sm) {
      spec.gpu.framework.link_cycles.up[sm] = spec.gpu.framework.link_cycles.down[sm] = 0;
    }
    spec::Spec wired = spec;
    wired.gpu.framework.link_cycles = {};
    wired.gpu.framework.setup_tag_bits = 0;
    spec.gpu.framework.setup_tag_bits = 3;
    EXPECT_EQ(nlohmann::json(simulate_checked(spec, clocked(ClockDrive::kGated)).records),
              nlohmann::json(simulate_checked(wired, clocked(ClockDrive::kGated)).records));
  }
}

}  // namespace
}  // namespace tessera::platform::test
