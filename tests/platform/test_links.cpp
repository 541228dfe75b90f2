// SPDX-License-Identifier: Apache-2.0
// Links between the scheduler and the SMs (docs/hardware/timing.md 3.11, 7.5) in the clocked machine: random
// experiments, each SM with delays of its own. All invariants hold, the full log is sound, and nothing depends on how
// the machine is driven.
#include "tests/platform/linked_experiment.h"
#include "tests/platform/machine_bench.h"

namespace tessera::platform::test {
namespace {

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
