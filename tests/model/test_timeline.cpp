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
