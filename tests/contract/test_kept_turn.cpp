// SPDX-License-Identifier: Apache-2.0
// The timelines of a kept turn on the whole machine, with the Verilog core beside the clocked model's: no pin and no
// register differs in any cycle.
#include "platform/clocked/lockstep_scheduler.h"
#include "tests/platform/kept_turn_timelines.h"

namespace tessera::platform::test {
namespace {

class KeptTurnInLockstep : public testing::TestWithParam<Timeline> {};

TEST_P(KeptTurnInLockstep, HasEachTimeWithinAMicrosecondOnBothCores) {
  spec::Spec spec = timeline_machine(spec::Engine::kSerialised);
  GetParam().add_contexts(spec);
  LockstepRecord lockstep;
  MachineOptions options;
  options.abstraction = Abstraction::kRtlModel;
  options.make_scheduler = lockstep_scheduler(lockstep, false);
  expect_timeline(GetParam(), simulate_checked(spec, options).records);
}

INSTANTIATE_TEST_SUITE_P(Machine, KeptTurnInLockstep, testing::ValuesIn(kept_turn_timelines()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tessera::platform::test
