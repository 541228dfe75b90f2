// SPDX-License-Identifier: Apache-2.0
// A kept turn on the whole machine with the clocked core.
#include "tests/platform/kept_turn_timelines.h"

namespace tessera::platform::test {
namespace {

class ClockedKeptTurn : public testing::TestWithParam<Timeline> {};

TEST_P(ClockedKeptTurn, HasEachTimeWithinAMicrosecond) {
  spec::Spec spec = timeline_machine(spec::Engine::kSerialised);
  GetParam().add_contexts(spec);
  expect_timeline(GetParam(), simulate_checked(spec, clocked()).records);
}

INSTANTIATE_TEST_SUITE_P(Machine, ClockedKeptTurn, testing::ValuesIn(kept_turn_timelines()),
                         [](const auto& test) { return test.param.name; });

// Slices of some kernels, saves and switches, in cycles that a free-running clock can afford.
spec::Spec small_slices(spec::SwitchScope scope) {
  spec::Spec spec = timeline_machine(spec::Engine::kSerialised);
  spec.gpu.num_sms = 2;
  spec.gpu.framework.num_ksrs = 4;
  spec.gpu.framework.dispatch_cycles = 60;
  spec.gpu.framework.gpu_switch.preempted = 150 * kCyclePs;
  spec.gpu.framework.gpu_switch.dry = 90 * kCyclePs;
  spec.gpu.framework.gpu_switch.in_slice = 40 * kCyclePs;
  spec.scheduler.time_slice = 1500 * kCyclePs;
  spec.scheduler.switch_scope = scope;
  for (const std::uint32_t num_tbs : {3U, 5U}) {
    add_process(spec, {kernel_of("k", num_tbs, 900)},
                {launch(0), launch(0), synchronise(), cpu(700), launch(0), synchronise()});
  }
  spec.processes[1].time_slice = 2200 * kCyclePs;
  if (scope == spec::SwitchScope::kGpu) spec.processes[1].slice_end = spec::SliceEnd::kDrain;
  spec.stop.min_runs = 2;
  return spec;
}

class ClocksOfAKeptTurn : public testing::TestWithParam<spec::SwitchScope> {};

TEST_P(ClocksOfAKeptTurn, GatedAndFreeRunningGiveTheSameLog) {
  const spec::Spec spec = small_slices(GetParam());
  const Log gated = simulate_checked(spec, clocked());
  const Log free_running = simulate_checked(spec, clocked(ClockDrive::kFree));
  EXPECT_EQ(nlohmann::json(gated.records), nlohmann::json(free_running.records));
  const auto begins = [](const Record& record) { return record.kind == Kind::kTurnBegan; };
  EXPECT_GE(std::count_if(gated.records.begin(), gated.records.end(), begins), 6);
}

INSTANTIATE_TEST_SUITE_P(Scopes, ClocksOfAKeptTurn, testing::Values(spec::SwitchScope::kSm, spec::SwitchScope::kGpu),
                         [](const auto& test) { return test.param == spec::SwitchScope::kSm ? "Sm" : "Gpu"; });

}  // namespace
}  // namespace tessera::platform::test
