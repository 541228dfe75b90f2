// SPDX-License-Identifier: Apache-2.0
// SM cycles that contexts have used, held against what the record log says of each SM: at any moment, for every way in
// which SMs change hands.
#include "tests/tlm/one_job_bench.h"
#include "tests/tlm/sm_usage_of_log.h"

namespace tessera::tlm_model::test {
namespace {

using spec::PolicyKind;
using spec::TechniqueKind;

constexpr std::uint32_t kNumSms = 2, kNumProcesses = 2;

// A long kernel of one process, and short ones of another that come again and again.
void launch_all(CoreBench& bench) {
  bench.launch(1, {0, 24, {700}, 2, 0});
  for (Cycle at = 301; at < 6000; at += 797) bench.launch(at, {1, 3, {200}, 1, 1});
}

// Returns how often an SM was taken from a kernel.
std::uint64_t expect_used_as_logged(const spec::Spec& spec) {
  constexpr Cycle kLastSample = 7000;
  CoreBench bench(spec);
  launch_all(bench);
  std::vector<std::pair<Cycle, std::vector<std::uint64_t>>> samples;
  for (Cycle at = 100; at < kLastSample; at += 113) {
    bench.run_before(at);
    samples.emplace_back(at, std::vector<std::uint64_t>{bench.sm_cycles(0, at), bench.sm_cycles(1, at)});
  }
  bench.run();
  const std::vector<Record>& records = bench.all_records();
  std::uint64_t num_moves = 0;
  for (const auto& [at, used] : samples) {
    const SmUsageOfLog expected(records, kNumProcesses, kNumSms, at, bench.usage_delays());
    EXPECT_EQ(used, expected.used()) << at;
    num_moves = expected.num_moves();
  }
  EXPECT_GT(samples.back().second[0], 0U);
  EXPECT_GT(samples.back().second[1], 0U);
  return num_moves;
}

template <typename MakeMachine>
void expect_used_as_logged_under_preempting_policies(MakeMachine make_machine) {
  for (const PolicyKind policy : {PolicyKind::kPpq, PolicyKind::kDss, PolicyKind::kTimeSlice}) {
    for (const TechniqueKind technique : {TechniqueKind::kContextSwitch, TechniqueKind::kDrain}) {
      SCOPED_TRACE(std::string(spec::info(policy).name) + (technique == TechniqueKind::kDrain ? ", drain" : ""));
      spec::Spec spec = make_machine(kNumSms, kNumProcesses, policy);
      spec.scheduler.technique = technique;
      spec.scheduler.time_slice = 400'000;  // ps
      EXPECT_GT(expect_used_as_logged(spec), 0U) << "no SM was taken from a kernel";
    }
  }
}

TEST(SmUsage, IsAtAnyMomentWhatTheLogSays) { expect_used_as_logged_under_preempting_policies(one_job_machine); }

TEST(IdealSmUsage, IsAtAnyMomentWhatTheLogSays) {
  expect_used_as_logged_under_preempting_policies(
      [](std::uint32_t num_sms, std::uint32_t num_processes, PolicyKind policy) {
        return machine(num_sms, num_processes, policy);
      });
}

// Who gets it pays for the save, and nobody for an SM that is idle.
TEST(SmUsage, OfAnSmThatIsBeingSavedIsItsNextContexts) {
  CoreBench bench(one_job_machine(kNumSms, kNumProcesses, PolicyKind::kPpq));
  bench.launch(1, {0, 2, {3000}, 1, 0, 4096});
  bench.run_before(300);
  const std::uint32_t high = bench.launch(301, {1, 1, {500}, 1, 1});
  bench.run_before(800);
  const std::vector<Record> requests = bench.records(Kind::kPreemptionRequested);
  ASSERT_EQ(requests.size(), 1U);
  const Cycle from = requests.front().cycle + bench.usage_delays().to_pins;
  EXPECT_TRUE(bench.kernel(Kind::kSmSetUp, high).empty()) << "it is saved yet";
  EXPECT_EQ(bench.sm_cycles(1, 800), 800 - from);
  EXPECT_EQ(bench.sm_cycles(0, 800) - bench.sm_cycles(0, 700), 100U) << "of the other SM";
  bench.run();
  const std::uint64_t used = bench.sm_cycles(0, 100'000);
  EXPECT_EQ(bench.sm_cycles(0, 200'000), used);
}

}  // namespace
}  // namespace tessera::tlm_model::test
