// SPDX-License-Identifier: Apache-2.0
// Runs that are released: what is counted of them, and what the summary says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "model/record/metrics/metrics.h"
#include "tests/model/record/metrics/summary_input.h"
#include "tests/model/record/released_log.h"

namespace tessera::record {
namespace {

using test::at;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

FrameResult frames_of(const std::vector<Record>& log, Cycle end, RunStart start = RunStart::kReleased) {
  MetricsSink sink(2, {}, 0, {RunStart::kBackToBack, start});
  test::feed(sink, in_order(log), end);
  EXPECT_EQ(sink.result().processes[0].frames.released, 0U);
  return sink.result().processes[kFrames].frames;
}

// ---- metrics --------------------------------------------------------------------------------------------------------

TEST(Frames, ResponseAndDeadlineCountFromTheReleaseAndNotFromTheStart) {
  const FrameResult frames = frames_of(late_frames(), 291);
  EXPECT_EQ(frames.released, 3U);
  EXPECT_EQ(frames.ended, 3U);
  EXPECT_EQ(frames.skipped, 0U);
  EXPECT_EQ(frames.response.sum, 150U + 140U + 90U);
  EXPECT_EQ(frames.p50, 140U);
  EXPECT_EQ(frames.response.max, 150U);
  EXPECT_EQ(frames.missed, 2U) << "90 cycles are not more than 90";
  EXPECT_EQ(frames.judged, 3U);
  EXPECT_EQ(frames.worst, 150U);
}

TEST(Frames, WithoutADeadlineNoneIsMissed) {
  std::vector<Record> log = late_frames();
  for (Record& record : log) {
    if (record.kind == Kind::kRunReleased) record.cycles = 0;
  }
  EXPECT_EQ(frames_of(log, 10'000).missed, 0U);
}

TEST(Frames, OneOpenAtTheEndIsMissedOnceItsDeadlineHasPassed) {
  const std::vector<Record> log = {released(0, 0, 1, 90), started(0, 0), released(50, 1, 2, 90)};
  EXPECT_EQ(frames_of(log, 90).missed, 0U);
  EXPECT_EQ(frames_of(log, 91).missed, 1U) << "it runs";
  EXPECT_EQ(frames_of(log, 141).missed, 2U) << "the other waits";
  EXPECT_EQ(frames_of(log, 141).ended, 0U);
  EXPECT_EQ(frames_of(log, 91).judged, 1U);
  EXPECT_EQ(frames_of(log, 141).worst, 141U) << "from its release to the end, and nobody knows how long";
}

TEST(Frames, ThoseThatAreSkippedAreMissed) {
  const std::vector<Record> log = {released(0, 0, 1),   started(0, 0),   released(100, 1, 2), released(200, 2, 2),
                                   ended(250, 0, 250),  started(300, 3), released(300, 3, 1), ended(340, 3, 40),
                                   released(400, 4, 1), started(400, 4), released(500, 5, 2)};
  const FrameResult frames = frames_of(log, 501, RunStart::kReleasedOrSkipped);
  EXPECT_EQ(frames.released, 6U);
  EXPECT_EQ(frames.ended, 2U);
  EXPECT_EQ(frames.skipped, 3U) << "the last too, for which no run that goes on makes room";
  EXPECT_EQ(frames.missed, 3U);
}

TEST(Frames, OneThatStartsAsTheOtherEndsSkipsNone) {
  const std::vector<Record> log = {released(0, 0, 1), started(0, 0), ended(100, 0, 100), started(100, 1),
                                   released(100, 1, 1)};
  const FrameResult frames = frames_of(log, 101, RunStart::kReleasedOrSkipped);
  EXPECT_EQ(frames.skipped, 0U);
  EXPECT_EQ(frames.ended, 1U);
}

TEST(Frames, PercentilesAreNearestRanks) {
  std::vector<Record> log;
  for (std::uint32_t run = 0; run < 100; ++run) {  // responses of 1 to 100 cycles
    log.push_back(released(1000 * run, run, 1));
    log.push_back(started(1000 * run, run));
    log.push_back(ended(1000 * run + run + 1, run, run + 1));
  }
  const FrameResult frames = frames_of(log, 100'000);
  EXPECT_EQ(frames.p50, 50U);
  EXPECT_EQ(frames.p95, 95U);
  EXPECT_EQ(frames.response.p99, 99U);
  EXPECT_EQ(frames.response.max, 100U);
}

// ---- summary --------------------------------------------------------------------------------------------------------

TEST(Frames, AreInTheSummaryInThePlaceOfTheKernelsDeadline) {
  SummaryInput input = test::two_processes();  // two cycles are a microsecond
  input.processes[1].deadline = 45'000'000;
  input.processes[1].has_releases = true;
  input.shared.cycles = 2'000'000;
  input.shared.processes[1].frames = frames_of(late_frames(), 291);
  const auto process = make_summary(input)["processes"][1];
  EXPECT_FALSE(process.contains("deadline"));
  EXPECT_FALSE(make_summary(input)["processes"][0].contains("frames"));
  const auto& frames = process["frames"];
  EXPECT_EQ(frames["released"], 3);
  EXPECT_EQ(frames["deadline_us"], 45.0);
  EXPECT_EQ(frames["missed"], 2);
  EXPECT_EQ(frames["rate_hz"], 3.0) << "in a second";
  EXPECT_DOUBLE_EQ(frames["response_us"]["mean"].get<double>(), (150 + 140 + 90) / 3.0 / 2);
  EXPECT_EQ(frames["response_us"]["p50"], 70.0);
  EXPECT_EQ(frames["response_us"]["max"], 75.0);
}

TEST(Frames, ThatNeverEndedHaveNoResponse) {
  SummaryInput input = test::two_processes();
  input.processes[1].has_releases = true;
  const auto frames = make_summary(input)["processes"][1]["frames"];
  EXPECT_TRUE(frames["deadline_us"].is_null());
  for (const auto& [name, value] : frames["response_us"].items()) EXPECT_TRUE(value.is_null()) << name;
  EXPECT_EQ(frames["rate_hz"], 0.0);
}

}  // namespace
}  // namespace tessera::record
