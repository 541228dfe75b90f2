// SPDX-License-Identifier: Apache-2.0
// Flushing on the whole machine, against what it must be like.
#include <algorithm>

#include "platform/random_experiment.h"
#include "tests/platform/machine_bench.h"

namespace tessera::platform::test {
namespace {

std::vector<nlohmann::json> log_under(spec::Spec spec, spec::TechniqueKind technique) {
  spec.scheduler.technique = technique;
  std::vector<nlohmann::json> log;
  for (Record record : simulate_checked(spec).records) {
    record.technique = record::Technique::kNone;
    log.emplace_back(record);
  }
  return log;
}

// The SM has nothing to drop and does what a trap would have done: no other cycle of any record.
TEST(Flushing, OfKernelsThatAreNotIdempotentIsAContextSwitchToTheCycle) {
  std::uint32_t num_preempting = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    spec::Spec spec = random_experiment(seed);
    for (spec::ApplicationSpec& application : spec.applications) {
      for (spec::KernelSpec& kernel : application.kernels) kernel.idempotent_until_ppm = 0;
    }
    spec.gpu.framework.pipeline_drain_cycles = std::max(1U, spec.gpu.framework.pipeline_drain_cycles);
    spec.scheduler.policy = seed % 2 == 0 ? spec::PolicyKind::kTimeSlice : spec::PolicyKind::kPpq;
    const auto switched = log_under(spec, spec::TechniqueKind::kContextSwitch);
    EXPECT_EQ(log_under(spec, spec::TechniqueKind::kFlush), switched) << "seed " << seed;
    const auto is_preemption = [](const nlohmann::json& r) { return r.at("kind") == int(Kind::kPreemptionDone); };
    num_preempting += std::any_of(switched.begin(), switched.end(), is_preemption) ? 1 : 0;
  }
  EXPECT_GE(num_preempting, 2U);
}

}  // namespace
}  // namespace tessera::platform::test
