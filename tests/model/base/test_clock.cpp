// SPDX-License-Identifier: Apache-2.0
// Cycles and picoseconds: exact both ways at every frequency, whole cycles only.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "model/base/time.h"

namespace tessera {
namespace {

constexpr std::uint64_t kK20c = 706'000'000;  // 1416.43 ps a cycle: no whole number

TEST(Clock, ACycleStartsAtTheFirstPicosecondOfItsOwn) {
  const Clock clock(kK20c);
  EXPECT_EQ(clock.time_of(0), 0U);
  EXPECT_EQ(clock.time_of(1), 1417U);                      // ceil(1e12 / 706e6)
  EXPECT_EQ(clock.time_of(kK20c), kPicosecondsPerSecond);  // no drift in a second
}

TEST(Clock, TheFirstCycleFromItsOwnStartIsTheCycleItself) {
  const Clock clock(kK20c);
  for (Cycle cycle = 0; cycle < 2000; ++cycle) {
    EXPECT_EQ(clock.first_cycle_from(clock.time_of(cycle)), cycle);
    EXPECT_EQ(clock.first_cycle_from(clock.time_of(cycle) + 1), cycle + 1);
    EXPECT_EQ(clock.cycle_at(clock.time_of(cycle)), cycle);
    if (cycle > 0) {
      EXPECT_EQ(clock.cycle_at(clock.time_of(cycle) - 1), cycle - 1);
    }
  }
}

RC_GTEST_PROP(Clock, ConversionsAgreeAtEveryFrequencyAndTime, ()) {
  const Clock clock(*rc::gen::inRange<std::uint64_t>(1'000, 10'000'000'000));
  const auto time = *rc::gen::inRange<Picoseconds>(0, 1'000 * kPicosecondsPerSecond);
  const Cycle first = clock.first_cycle_from(time);
  RC_ASSERT(clock.time_of(first) >= time);
  if (first > 0) RC_ASSERT(clock.time_of(first - 1) < time);
  const Cycle last = clock.cycle_at(time);
  RC_ASSERT(clock.time_of(last) <= time);
  RC_ASSERT(clock.time_of(last + 1) > time);
}

TEST(Clock, DurationsRoundToTheNearestCycle) {
  const Clock clock(kK20c);
  EXPECT_EQ(clock.cycles_in(708), 0U);  // half a cycle is 708.2 ps
  EXPECT_EQ(clock.cycles_in(709), 1U);
  EXPECT_EQ(clock.cycles_in(500'000), 353U);  // 0.5 us is 353.0 cycles
}

}  // namespace
}  // namespace tessera
