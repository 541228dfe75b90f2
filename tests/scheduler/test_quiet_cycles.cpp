// SPDX-License-Identifier: Apache-2.0
// Cycles that a core runs by itself are those that it would have been stepped through.
#include <gtest/gtest.h>

#include <vector>

#include "rtl_model/scheduler/tsr_scheduler.h"
#include "tests/scheduler/compare.h"
#include "tests/scheduler/traffic.h"

namespace tessera::rtl_model::test {
namespace {

struct CycleOfPins {
  SchedulerInputs in;
  SchedulerOutputs out;
};

enum class Has { kNothing, kKeptTurn, kLane };

// What a core that is stepped shows under random traffic. With a kept turn or a lane there may be links, too.
std::vector<CycleOfPins> stepped(CoreParams& params, std::uint64_t seed, Has has, Random& random) {
  if (has == Has::kKeptTurn) add_kept_turn(random, params);
  constexpr std::uint64_t kCycles = 6'000;
  TrafficProfile profile = TrafficProfile::random(random, seed, params);
  if (has == Has::kLane) {
    add_lane(random, params, profile);
  } else if (seed % 2 == 0) {
    add_links(random, params, profile);
  }
  Traffic traffic(params, profile);
  TsrScheduler core(params);
  std::vector<CycleOfPins> cycles;
  while (cycles.size() < kCycles) {
    const SchedulerOutputs out = core.outputs();
    cycles.push_back({traffic.drive(out), out});
    core.step(cycles.back().in);
  }
  return cycles;
}

bool is_left_alone(const CycleOfPins& cycle, const CoreParams& params) {
  const SchedulerInputs& in = cycle.in;
  const bool is_taken = in.sm_event.valid && cycle.out.sm_event_ready;
  const bool is_ticked = in.slice_tick || in.linger_over || in.switch_over || (in.sm_tick && params.issues_in_rounds);
  return !in.command.valid && !in.control.valid && !in.handle.valid && !is_taken && !is_ticked && !in.lists_change;
}

bool shows_something(const SchedulerOutputs& out) {
  return out.sm_control.valid || out.dispatch.valid || out.kernel_done.valid || out.events.any() || out.switch_start;
}

void expect_quiet_cycles(Has has) {
  std::uint64_t num_quiet = 0, num_long = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    CoreParams params = random_params(random);
    const std::vector<CycleOfPins> cycles = stepped(params, seed, has, random);
    TsrScheduler core(params);
    for (std::size_t i = 0; i < cycles.size();) {
      ASSERT_EQ(compare(cycles[i].out, core.outputs(), params.num_command_buffers), "") << seed << " in " << i;
      std::size_t end = i;
      bool event_waits = false;
      for (; end + 1 < cycles.size() && is_left_alone(cycles[end], params); ++end) {
        event_waits = event_waits || cycles[end].in.sm_event.valid;
      }
      const Cycle quiet = core.run_quietly(end - i, event_waits);
      ASSERT_LE(quiet, end - i);
      for (std::size_t k = i; k < i + quiet; ++k) {
        ASSERT_FALSE(shows_something(cycles[k].out)) << seed << " in " << k;
        ASSERT_FALSE(event_waits && cycles[k].out.sm_event_ready) << seed << " in " << k;
        ASSERT_FALSE(cycles[k + 1].out.events.any() || cycles[k + 1].out.kernel_done.valid) << seed << " in " << k;
      }
      num_quiet += quiet;
      num_long += quiet >= 5 ? 1 : 0;
      i += quiet;
      if (quiet == 0) core.step(cycles[i++].in);
    }
  }
  EXPECT_GT(num_quiet, 40 * 1'000U);
  EXPECT_GT(num_long, 1'000U);
}

TEST(QuietCycles, AreThoseThatTheCoreWouldHaveBeenSteppedThrough) { expect_quiet_cycles(Has::kNothing); }
TEST(QuietCycles, AreThoseOfAKeptTurnToo) { expect_quiet_cycles(Has::kKeptTurn); }
TEST(QuietCycles, AreThoseOfARefillLaneToo) { expect_quiet_cycles(Has::kLane); }

}  // namespace
}  // namespace tessera::rtl_model::test
