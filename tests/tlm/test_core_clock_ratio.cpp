// SPDX-License-Identifier: Apache-2.0
// Engines whose clock is a large multiple of the SMs': many jobs, and whole decisions, fall into one cycle of theirs.
#include <random>

#include "tests/tlm/random_engine.h"

namespace tessera::tlm_model::test {
namespace {

// Short kernels that come close behind each other.
Experiment dense_experiment(std::uint64_t seed, spec::PolicyKind policy, spec::TechniqueKind technique) {
  std::mt19937_64 random(seed);
  const auto between = [&random](std::uint32_t low, std::uint32_t high) {
    return low + static_cast<std::uint32_t>(random() % (high - low + 1));
  };
  Experiment experiment;
  constexpr std::uint16_t kProcesses = 8;
  experiment.spec = machine(40, kProcesses, policy);
  experiment.spec.gpu.framework.engine = spec::Engine::kSerialised;
  experiment.spec.gpu.framework.num_ksrs = 20;
  experiment.spec.gpu.framework.num_command_buffers = 4;
  experiment.spec.gpu.framework.kernel_activation_cycles = 1;
  experiment.spec.gpu.framework.sm_setup_cycles = between(1, 40);
  experiment.spec.scheduler.technique = technique;
  experiment.spec.scheduler.access = seed % 2 == 0 ? spec::Access::kShared : spec::Access::kExclusive;
  experiment.spec.scheduler.search_width = between(1, 40);
  experiment.spec.scheduler.tbs_per_cycle = between(14, 40);
  for (std::uint16_t p = 0; p < kProcesses; ++p) {
    std::vector<PlannedLaunch>& launches = experiment.launches.emplace_back(between(1, 4));
    for (std::size_t i = 0; i < launches.size(); ++i) {
      launches[i].gap = between(1, 1500);
      KernelLaunch& launch = launches[i].launch;
      launch.queue = QueueId(p);
      launch.context = ContextId(p);
      launch.process = p;
      launch.kernel = static_cast<std::uint16_t>(i);
      launch.priority = between(0, 3);
      launch.num_tbs = between(1, 60);
      launch.regs_per_tb = between(1, 300);
      launch.threads_per_tb = between(8, 64);
      const Cycle mean = between(1, 1500);
      launch.durations = workload::TbDurations({mean, mean / 4}, random());
    }
  }
  return experiment;
}

std::vector<Record> sound_records_of(const Experiment& experiment) {
  const Outcome outcome = Run(experiment, {}).run();
  EXPECT_FALSE(outcome.has_stalled);
  EXPECT_THAT(outcome.broken, testing::IsEmpty());
  EXPECT_THAT(verification::check_log(outcome.records, facts_of(experiment)).violations, testing::IsEmpty());
  return outcome.records;
}

// The last kernel is done while the search that its earlier thread blocks caused begins: another one has to follow.
TEST(CoreClockRatio, AKernelThatIsDoneWhileASearchBeginsWakesThePolicy) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    sound_records_of(dense_experiment(seed, spec::PolicyKind::kNpq, spec::TechniqueKind::kDrain));
  }
}

// The log has the end of such a preemption before its request.
TEST(CoreClockRatio, AnEmptySmIsAskedForAndHandedOverWithinACycle) {
  std::size_t within_a_cycle = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    for (const Record& record :
         sound_records_of(dense_experiment(seed, spec::PolicyKind::kDss, spec::TechniqueKind::kDrain))) {
      within_a_cycle += record.kind == Kind::kPreemptionDone && record.cycles == 0 ? 1 : 0;
    }
  }
  EXPECT_GT(within_a_cycle, 0U);
}

}  // namespace
}  // namespace tessera::tlm_model::test
