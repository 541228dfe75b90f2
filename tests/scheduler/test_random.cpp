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
  std::uint64_t stale = 0, used_up = 0;  // answers to superseded set-ups; cycles in which an SM has no tag
  std::uint64_t both = 0;                // cycles with a command and a thread block on the pins
};

bool is_stale(const TsrScheduler& core, const SmEventPins& event) {
  const bool is_taken = event.valid && core.outputs().sm_event_ready && event.kind == SmEventKind::kSetupDone;
  return is_taken && !core.tables().set_up_tags.is_current(event.sm, event.tag);
}

bool is_used_up(const TsrScheduler& core, std::uint32_t sm) {
  return core.tables().smst.idle().has(sm) && core.tables().set_up_tags.are_used_up(sm);
}

enum class With { kNothing, kLinks, kLane };

void run(std::uint64_t seed, With with, Totals& totals) {
  Random random(seed);
  CoreParams params = random_params(random);
  TrafficProfile profile = TrafficProfile::random(random, seed, params);
  if (with == With::kLinks) add_links(random, params, profile);
  if (with == With::kLane) add_lane(random, params, profile);
  const bool has_links = params.tag_width > 0;
  Traffic traffic(params, profile);
  TsrScheduler core(params);
  bool can_be_recounted = false;
  while (traffic.now() < kBusyCycles || !traffic.is_done()) {
    if (traffic.now() == kBusyCycles) traffic.calm();
    expect(traffic.now() < (has_links ? 10 : 1) * kMaxCycles, "kernels do not end");
    const SchedulerInputs in = traffic.drive(core.outputs());
    const bool could_be_recounted = can_be_recounted;
    can_be_recounted = test::can_be_recounted(core);
    if (can_be_recounted && !could_be_recounted) {
      check_tables(core);
      ++totals.recounts;
    }
    totals.stale += is_stale(core, in.sm_event) ? 1 : 0;
    for (std::uint32_t sm = 0; has_links && sm < params.num_sms; ++sm) totals.used_up += is_used_up(core, sm) ? 1 : 0;
    core.step(in);
    totals.both += core.outputs().sm_control.valid && core.outputs().dispatch.valid ? 1 : 0;
  }
  totals.cycles += traffic.now();
  totals.kernels += traffic.ledger().num_finished();
  totals.saves += traffic.num_saves();
}

Totals run_all(With with) {
  // More by hand: TESSERA_TRAFFIC_SEEDS=3000 test_rtl_model.
  const char* given = std::getenv("TESSERA_TRAFFIC_SEEDS");
  const std::uint64_t num_seeds = given != nullptr ? std::strtoull(given, nullptr, 10) : 100;
  Totals totals;
  for (std::uint64_t seed = 1; seed <= num_seeds; ++seed) {
    try {
      run(seed, with, totals);
    } catch (const std::exception& error) {
      ADD_FAILURE() << "seed " << seed << ": " << error.what();
      break;
    }
  }
  EXPECT_GT(totals.saves, num_seeds);
  EXPECT_GT(totals.kernels, num_seeds * 10);
  for (const auto& [name, total] :
       {std::pair{"cycles", totals.cycles}, std::pair{"kernels", totals.kernels}, std::pair{"saves", totals.saves},
        std::pair{"recounts", totals.recounts}, std::pair{"stale", totals.stale}, std::pair{"used_up", totals.used_up},
        std::pair{"both", totals.both}}) {
    testing::Test::RecordProperty(name, std::to_string(total));
  }
  return totals;
}

TEST(RandomTraffic, IsServedInEveryShape) { run_all(With::kNothing); }

TEST(RandomTraffic, IsServedThroughLinks) {
  const Totals totals = run_all(With::kLinks);
  EXPECT_GT(totals.stale, 0U);
  EXPECT_GT(totals.used_up, 0U);
}

TEST(RandomTraffic, IsServedThroughARefillLane) {
  const Totals totals = run_all(With::kLane);
  EXPECT_GT(totals.stale, 0U);
  EXPECT_GT(totals.recounts, 10'000U);
  EXPECT_GT(totals.both, 0U);
}

}  // namespace
}  // namespace tessera::rtl_model::test
