// SPDX-License-Identifier: Apache-2.0
// Random legal traffic in random shapes of the core: nothing is lost, nothing is done twice, and it all ends.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tests/scheduler/table_checks.h"
#include "tests/scheduler/traffic.h"

namespace tessera::rtl_model::test {
namespace {

constexpr std::uint64_t kBusyCycles = 8'000;
constexpr std::uint64_t kMaxCycles = 400'000;

struct Totals {
  std::uint64_t cycles = 0, kernels = 0, saves = 0, recounts = 0;
};

void run(std::uint64_t seed, Totals& totals) {
  Random random(seed);
  const CoreParams params = random_params(random);
  Traffic traffic(params, TrafficProfile::random(random, seed, params));
  TsrScheduler core(params);
  bool can_be_recounted = false;
  while (traffic.now() < kBusyCycles || !traffic.is_done()) {
    if (traffic.now() == kBusyCycles) traffic.calm();
    expect(traffic.now() < kMaxCycles, "kernels do not end");
    const SchedulerInputs in = traffic.drive(core.outputs());
    const bool could_be_recounted = can_be_recounted;
    can_be_recounted = test::can_be_recounted(core);
    if (can_be_recounted && !could_be_recounted) {
      check_tables(core);
      ++totals.recounts;
    }
    core.step(in);
  }
  totals.cycles += traffic.now();
  totals.kernels += traffic.ledger().num_finished();
  totals.saves += traffic.num_saves();
}

TEST(RandomTraffic, IsServedInEveryShape) {
  // More by hand: TESSERA_TRAFFIC_SEEDS=3000 test_rtl_model.
  const char* given = std::getenv("TESSERA_TRAFFIC_SEEDS");
  const std::uint64_t num_seeds = given != nullptr ? std::strtoull(given, nullptr, 10) : 100;
  Totals totals;
  for (std::uint64_t seed = 1; seed <= num_seeds; ++seed) {
    try {
      run(seed, totals);
    } catch (const std::exception& error) {
      FAIL() << "seed " << seed << ": " << error.what();
    }
  }
  EXPECT_GT(totals.saves, num_seeds);
  EXPECT_GT(totals.kernels, num_seeds * 10);
  RecordProperty("cycles", std::to_string(totals.cycles));
  RecordProperty("kernels", std::to_string(totals.kernels));
  RecordProperty("saves", std::to_string(totals.saves));
  RecordProperty("recounts", std::to_string(totals.recounts));
}

}  // namespace
}  // namespace tessera::rtl_model::test
