// SPDX-License-Identifier: Apache-2.0
// Flushing on the whole machine, against what it must be like.
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "tests/platform/machine_bench.h"
#include "verification/random/random_experiment.h"

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
    spec::Spec spec = verification::random_experiment(seed);
    for (spec::ApplicationSpec& application : spec.applications) {
      for (spec::KernelSpec& kernel : application.kernels) kernel.idempotent_until_ppm = 0;
    }
    spec.gpu.framework.channels = spec::Channels::kAll;  // preemptions are rare where channels take turns
    spec.gpu.framework.pipeline_drain_cycles = std::max(1U, spec.gpu.framework.pipeline_drain_cycles);
    spec.scheduler.policy = seed % 2 == 0 ? spec::PolicyKind::kTimeSlice : spec::PolicyKind::kPpq;
    const auto switched = log_under(spec, spec::TechniqueKind::kContextSwitch);
    EXPECT_EQ(log_under(spec, spec::TechniqueKind::kFlush), switched) << "seed " << seed;
    const auto is_preemption = [](const nlohmann::json& r) { return r.at("kind") == int(Kind::kPreemptionDone); };
    num_preempting += std::any_of(switched.begin(), switched.end(), is_preemption) ? 1 : 0;
  }
  EXPECT_GE(num_preempting, 2U);
}

// Of the first launch, which is preempted once: which TBs are flushed, each held against what is expected.
std::vector<bool> flushed_tbs(const Log& log, const std::function<bool(std::uint32_t tb, Cycle run_for)>& expected) {
  std::map<std::uint32_t, Cycle> started;
  std::vector<bool> flushed;
  for (const Record& r : log.records) {
    if (r.launch != 0) continue;
    if (r.kind == Kind::kTbIssued) started.emplace(r.tb, r.cycle);
    if (r.kind != Kind::kTbFlushed && r.kind != Kind::kTbSaved) continue;
    flushed.push_back(r.kind == Kind::kTbFlushed);
    // The SM looks at its TBs in the cycle after the command.
    const std::vector<Record> requests = log.all(Kind::kPreemptionRequested);
    const auto request = std::find_if(requests.begin(), requests.end(), [&](const Record& q) { return q.sm == r.sm; });
    EXPECT_EQ(flushed.back(), expected(r.tb, request->cycle + 1 - started.at(r.tb))) << "TB " << r.tb;
  }
  return flushed;
}

// From the Spec through the descriptor to the SM: what is flushed is what the definition says of the launch's key.
TEST(Flushing, FollowsTheProgressOfEachTbOfTheLaunch) {
  constexpr Cycle kTbCycles = 60'000;
  std::set<std::vector<bool>> different;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    spec::Spec spec = tiny_platform();
    spec.seed = seed;
    spec.scheduler.policy = spec::PolicyKind::kPpq;
    spec.scheduler.technique = spec::TechniqueKind::kFlush;
    spec::KernelSpec victim = kernel_of("victim", 4, kTbCycles);
    victim.idempotent_until_ppm = 500'000;
    victim.segment_cpi_spread_ppm = 800'000;
    victim.neighbour_cpi_spread_ppm = 300'000;
    add_process(spec, {victim}, {launch(0)});
    spec::ProcessSpec& winner = add_process(spec, {kernel_of("winner", 4, 1'000)}, {launch(0), cpu(10 * kTbCycles)});
    winner.priority = 1;
    winner.start = kTbCycles / 2 * kCyclePs;  // its kernel arrives when TBs of mean length are about half done
    const std::uint64_t key = workload::launch_key(seed, 0, 0, 0);
    const workload::TbDurations durations({kTbCycles, 0}, key, 300'000);
    const workload::TbProgress progress({0, 800'000, 300'000}, key);
    const Log log = simulate_checked(spec);
    different.insert(flushed_tbs(log, [&](std::uint32_t tb, Cycle run_for) {
      return progress.is_before_point(durations, tb, run_for, 500'000);
    }));
  }
  EXPECT_GT(different.size(), 2U) << "hardly a draw decided anything";
}

}  // namespace
}  // namespace tessera::platform::test
