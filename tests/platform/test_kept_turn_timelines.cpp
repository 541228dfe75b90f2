// SPDX-License-Identifier: Apache-2.0
// The timelines of a kept turn on the whole machine, with both engines of the transaction-level model.
#include "tests/platform/kept_turn_timelines.h"

namespace tessera::platform::test {
namespace {

class KeptTurnTimelines : public testing::TestWithParam<std::tuple<Timeline, spec::Engine>> {};

TEST_P(KeptTurnTimelines, EachTimeIsWithinAMicrosecond) {
  const auto& [timeline, engine] = GetParam();
  spec::Spec spec = timeline_machine(engine);
  timeline.add_contexts(spec);
  expect_timeline(timeline, simulate_checked(spec).records);
}

INSTANTIATE_TEST_SUITE_P(Engines, KeptTurnTimelines,
                         testing::Combine(testing::ValuesIn(kept_turn_timelines()),
                                          testing::Values(spec::Engine::kIdeal, spec::Engine::kSerialised)),
                         [](const auto& engine) {
                           return std::get<0>(engine.param).name +
                                  (std::get<1>(engine.param) == spec::Engine::kIdeal ? "Ideal" : "Serialised");
                         });

}  // namespace
}  // namespace tessera::platform::test
