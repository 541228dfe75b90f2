// SPDX-License-Identifier: Apache-2.0
// A refill lane (docs/hardware/timing.md 6.7) in the clocked machine: random experiments under any policy, with links
// or without. All invariants hold, the full log is sound, and nothing depends on how the machine is driven.
#include "tests/platform/linked_experiment.h"
#include "tests/platform/machine_bench.h"

namespace tessera::platform::test {
namespace {

TEST(LanedMachine, KeepsEveryInvariantUnderAnyPolicy) {
  // More by hand: TESSERA_LANE_SEEDS=200 test_platform.
  const char* given = std::getenv("TESSERA_LANE_SEEDS");
  const std::uint64_t num_seeds = given != nullptr ? std::strtoull(given, nullptr, 10) : 12;
  std::uint64_t num_saved = 0, num_flushed = 0, num_turns = 0;
  for (std::uint64_t seed = 1; seed <= num_seeds; ++seed) {
    SCOPED_TRACE(seed);
    const Log log = simulate_checked(laned_experiment(seed), clocked(ClockDrive::kGated));
    num_saved += log.all(Kind::kTbSaved).size();
    num_flushed += log.all(Kind::kTbRestarted).size();
    num_turns += log.all(Kind::kTurnBegan).size();
  }
  EXPECT_GT(num_saved, 0U);
  EXPECT_GT(num_flushed, 0U);
  EXPECT_GT(num_turns, 0U);
}

TEST(LanedMachine, AClockAndOneProcessDriveItAlike) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    spec::Spec spec = laned_experiment(seed);
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

}  // namespace
}  // namespace tessera::platform::test
