// SPDX-License-Identifier: Apache-2.0
// The text timeline shows, per SM and column, who ran or moved.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/record/trace/timeline.h"

namespace tessera::record {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Record of_sm(Kind kind, Cycle cycle, std::uint16_t sm, std::uint32_t launch, std::uint16_t process = kNoIndex) {
  Record record;
  record.cycle = cycle;
  record.kind = kind;
  record.sm = sm;
  record.launch = launch;
  record.process = process;
  return record;
}

TEST(Timeline, ShowsRunningMovingAndIdleSms) {
  TimelineSink sink(2, 8, 10);
  sink.consume(of_sm(Kind::kSmSetUp, 100, 0, 0, 0));      // columns 100 .. 130: process 0 runs
  sink.consume(of_sm(Kind::kSmSetUp, 115, 1, 1, 1));      // from column 120 on
  sink.consume(of_sm(Kind::kSaveStarted, 135, 0, 0));     // columns 140, 150: its contexts are saved
  sink.consume(of_sm(Kind::kPreemptionDone, 155, 0, 0));  // from column 160 on: idle
  sink.finish(180);
  EXPECT_EQ(sink.timeline().from, 100U);
  EXPECT_THAT(sink.timeline().rows, ElementsAre("AAAAaa..", "..BBBBBB"));
}

// The kernel that holds most of it; small letters while it is saved.
TEST(Timeline, ShowsWhoHoldsMostOfASharedSm) {
  TimelineSink sink(1, 6, 10);
  const auto held = [&](Cycle cycle, std::uint32_t launch, std::uint64_t share_ppm) {
    Record record = of_sm(Kind::kSmHeld, cycle, 0, launch);
    record.value = share_ppm > 0 ? 1 : 0;
    record.bytes = share_ppm;
    sink.consume(record);
  };
  for (std::uint16_t process : {0, 1}) {
    Record arrived = of_sm(Kind::kKernelArrived, 90, kNoIndex, process, process);
    arrived.kernel = 0;
    sink.consume(arrived);
  }
  held(100, 0, 400'000);
  held(105, 1, 300'000);  // from column 100 on: the first one has more
  held(115, 0, 100'000);  // from column 120 on
  sink.consume(of_sm(Kind::kSaveStarted, 135, 0, 0));
  held(145, 0, 0);
  held(145, 1, 0);
  sink.consume(of_sm(Kind::kPreemptionDone, 145, 0, 0));
  sink.finish(160);
  EXPECT_THAT(sink.timeline().rows, ElementsAre("AABBb."));
}

// From the decision on; an SM that goes idle later waits for the next one.
TEST(Timeline, MarksSmsThatAreIdleByRule) {
  TimelineSink sink(3, 8, 10);
  const auto withheld = [&sink](Cycle cycle, std::uint64_t count) {
    Record record;
    record.cycle = cycle;
    record.kind = Kind::kSmsWithheld;
    record.value = count;
    sink.consume(record);
  };
  sink.consume(of_sm(Kind::kSmSetUp, 100, 0, 0, 0));
  sink.consume(of_sm(Kind::kSmSetUp, 100, 1, 1, 1));
  withheld(115, 1);                                   // SM 2, in columns 120 to 170
  sink.consume(of_sm(Kind::kSmReleased, 125, 1, 1));  // SM 1 is idle, and by rule from column 150 on
  withheld(145, 2);
  sink.consume(of_sm(Kind::kSmSetUp, 155, 1, 0, 0));
  withheld(165, 0);
  sink.finish(180);
  EXPECT_THAT(sink.timeline().rows, ElementsAre("AAAAAAAA", "BBB..-AA", "..-----."));
}

TEST(Timeline, StartsAtTheFirstPreemptionAndMarksDraining) {
  TimelineSink sink(1, 4, 10);
  sink.consume(of_sm(Kind::kSmSetUp, 100, 0, 0, 2));
  Record request = of_sm(Kind::kPreemptionRequested, 500, 0, 0);
  request.technique = Technique::kDrain;
  sink.consume(request);
  Record cancelled = of_sm(Kind::kPreemptionRetargeted, 515, 0, 0);
  cancelled.technique = Technique::kDrain;
  cancelled.value = 0;  // the launch it runs
  sink.consume(cancelled);
  sink.finish(1000);
  EXPECT_EQ(sink.timeline().from, 500U);
  EXPECT_THAT(sink.timeline().rows, ElementsAre("~~CC"));
}

TEST(Timeline, IsEmptyWhereNothingRan) {
  TimelineSink sink(3, 4, 10);
  sink.finish(1000);
  EXPECT_THAT(sink.timeline().rows, IsEmpty());
}

}  // namespace
}  // namespace tessera::record
