// SPDX-License-Identifier: Apache-2.0
// From the drawn experiments to those that a clocked core runs.
#include "tests/platform/linked_experiment.h"

#include <array>

#include "model/spec/core_cycles.h"
#include "model/spec/policies.h"
#include "testbench/random.h"
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

}  // namespace

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

spec::Spec laned_experiment(std::uint64_t seed) {
  spec::Spec spec = linked_experiment(seed);
  spec::FrameworkSpec& framework = spec.gpu.framework;
  framework.refill_lane = true;
  if (seed % 2 == 1) framework.link_cycles = {};
  const bool keeps_turn = seed % 3 == 0 && seed % 4 != 0;
  if (!keeps_turn) return spec;
  spec.scheduler.policy = spec::PolicyKind::kTimeSlice;
  spec.scheduler.turn = spec::Turn::kKept;
  framework.channels = spec::Channels::kAll;
  if (seed % 2 == 1) spec.scheduler.switch_scope = spec::SwitchScope::kGpu;
  return spec;
}

}  // namespace tessera::platform::test
