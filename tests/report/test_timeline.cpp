// SPDX-License-Identifier: Apache-2.0
// Slices of a log by hand, and the numbers as the page gets them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/pack.h"
#include "report/timeline.h"
#include "tests/model/record/support.h"

namespace tessera::report {
namespace {

using record::Kind;
using record::Record;
using record::SmPhase;
using record::Technique;
using record::test::at;
using testing::ElementsAre;

constexpr record::SetUp kSetUp{4, 12};

using Drawn = std::tuple<Cycle, Cycle, int>;  // begin, end, state

std::vector<Track> tracks_of(const std::vector<Record>& log, Cycle end) {
  const record::Names names = record::test::small_names();
  TimelineBuilder builder(names, kSetUp);
  for (const Record& record : log) builder.consume(record);
  builder.finish(end);
  return builder.tracks();
}

std::vector<Drawn> drawn(const std::vector<Track>& tracks, TrackGroup group, std::uint32_t index) {
  std::vector<Drawn> list;
  for (const Track& track : tracks) {
    if (track.group != group || track.index != index) continue;
    for (const Slice& slice : track.slices) list.emplace_back(slice.begin, slice.end, slice.state);
  }
  return list;
}

int state(SmPhase phase) { return static_cast<int>(phase); }

TEST(Timeline, ASwitchedSmGoesThroughAllItsPhases) {
  const auto tracks = tracks_of(
      {at(0, Kind::kKernelArrived).launched(0).kernel(0, 0).run(0),
       at(10, Kind::kSmSetUp).on(0).launched(0).kernel(0, 0), at(15, Kind::kTbIssued).on(0, 0).launched(0).tb(0),
       at(40, Kind::kPreemptionRequested).on(0).launched(0).value(1).by(Technique::kContextSwitch),
       at(50, Kind::kSaveStarted).on(0).launched(0).bytes(8),
       at(60, Kind::kPreemptionDone).on(0).launched(0).bytes(8).cycles(20).by(Technique::kContextSwitch)},
      100);
  EXPECT_THAT(drawn(tracks, TrackGroup::kSm, 0),
              ElementsAre(Drawn(10, 15, state(SmPhase::kSetUp)), Drawn(15, 40, state(SmPhase::kRunning)),
                          Drawn(40, 50, state(SmPhase::kReserved)), Drawn(50, 60, state(SmPhase::kSaving))));
}

TEST(Timeline, AnSmThatIsIdleByRuleIsDrawnSoAndOwnedByNobody) {
  const auto tracks = tracks_of({at(10, Kind::kSmSetUp).on(0).launched(0).kernel(0, 0),
                                 at(20, Kind::kSmsWithheld).value(1), at(60, Kind::kSmsWithheld).value(0)},
                                100);
  EXPECT_THAT(drawn(tracks, TrackGroup::kSm, 1), ElementsAre(Drawn(20, 60, state(SmPhase::kWithheld))));
  EXPECT_EQ(tracks.at(1).slices.at(0).reference, record::kNoNumber);
}

// Eight parts: half of the SM is the first kernel's, then a quarter the second one's beside it.
TEST(Timeline, ASharedSmIsDividedAmongItsKernels) {
  const auto tracks = tracks_of({at(0, Kind::kKernelArrived).launched(0).kernel(0, 0).run(0),
                                 at(0, Kind::kKernelArrived).launched(1).kernel(1, 0).run(0),
                                 at(10, Kind::kSmHeld).on(0).launched(0).value(4).bytes(500'000),
                                 at(30, Kind::kSmHeld).on(0).launched(1).value(1).bytes(250'000),
                                 at(60, Kind::kSmHeld).on(0).launched(0).value(0).bytes(0)},
                                100);
  std::vector<std::vector<std::pair<Cycle, std::uint32_t>>> parts;  // begin and launch of each slice
  for (const Track& track : tracks) {
    if (track.group != TrackGroup::kSm || track.index != 0) continue;
    auto& part = parts.emplace_back();
    for (const Slice& slice : track.slices) part.emplace_back(slice.begin, slice.reference);
  }
  using Part = std::vector<std::pair<Cycle, std::uint32_t>>;
  const Part first{{10, 0}, {60, 1}}, second{{10, 0}}, third{{30, 1}}, free{};
  EXPECT_THAT(parts, ElementsAre(first, first, second, second, third, third, free, free));
}

TEST(Timeline, WithoutThreadBlocksASetUpIsAsLongAsTheSpecSays) {
  const auto tracks = tracks_of({at(10, Kind::kSmSetUp).on(1).launched(0).kernel(0, 0)}, 100);
  EXPECT_THAT(drawn(tracks, TrackGroup::kSm, 1),
              ElementsAre(Drawn(10, 14, state(SmPhase::kSetUp)), Drawn(14, 100, state(SmPhase::kRunning))));
}

TEST(Timeline, WithoutThreadBlocksASetUpForARestoreLastsUntilThat) {
  const auto tracks = tracks_of(
      {at(10, Kind::kSmSetUp).on(1).launched(0).kernel(0, 0), at(20, Kind::kRestoreStarted).on(1).launched(0).bytes(8),
       at(30, Kind::kRestoreDone).on(1).launched(0).bytes(8).cycles(10)},
      100);
  EXPECT_THAT(drawn(tracks, TrackGroup::kSm, 1),
              ElementsAre(Drawn(10, 20, state(SmPhase::kSetUp)), Drawn(20, 30, state(SmPhase::kRestoring)),
                          Drawn(30, 100, state(SmPhase::kRunning))));
}

TEST(Timeline, WithoutThreadBlocksARestoreThatComesLaterFindsOthersRunning) {
  const auto tracks = tracks_of(
      {at(10, Kind::kSmSetUp).on(1).launched(0).kernel(0, 0), at(23, Kind::kRestoreStarted).on(1).launched(0).bytes(8)},
      30);
  EXPECT_THAT(drawn(tracks, TrackGroup::kSm, 1),
              ElementsAre(Drawn(10, 14, state(SmPhase::kSetUp)), Drawn(14, 23, state(SmPhase::kRunning)),
                          Drawn(23, 30, state(SmPhase::kRestoring))));
}

TEST(Timeline, LaunchesThatOverlapLieInLanesOfTheirOwn) {
  const auto tracks = tracks_of({at(0, Kind::kKernelArrived).launched(0).kernel(0, 0).run(0),
                                 at(5, Kind::kKernelArrived).launched(1).kernel(0, 0).run(0),
                                 at(8, Kind::kKernelActivated).launched(0).kernel(0, 0),
                                 at(20, Kind::kKernelFinished).launched(0).kernel(0, 0).value(1),
                                 at(30, Kind::kKernelArrived).launched(2).kernel(0, 0).run(0)},
                                50);
  std::vector<std::vector<std::uint32_t>> lanes;
  for (const Track& track : tracks) {
    if (track.group != TrackGroup::kKernels) continue;
    lanes.emplace_back();
    for (const Slice& slice : track.slices) lanes.back().push_back(slice.reference);
  }
  EXPECT_THAT(lanes, ElementsAre(ElementsAre(0, 0, 2), ElementsAre(1)));
  EXPECT_THAT(drawn(tracks, TrackGroup::kKernels, 0),
              ElementsAre(Drawn(0, 8, 0), Drawn(8, 20, 1), Drawn(30, 50, 0), Drawn(5, 50, 0)));
}

TEST(Timeline, ReleasesAreThoseOfTheirProcesses) {
  const record::Names names = record::test::small_names();
  TimelineBuilder builder(names, kSetUp);
  builder.consume(at(5, Kind::kRunReleased).process(1).run(0).cycles(20));
  builder.consume(at(7, Kind::kRunReleased).process(0).run(0));
  builder.consume(at(30, Kind::kRunReleased).process(1).run(1).cycles(20));
  builder.finish(50);
  const auto drawn = [&builder](std::size_t process) {
    std::vector<std::tuple<Cycle, Cycle, std::uint32_t>> list;
    for (const Release& each : builder.releases().at(process)) list.emplace_back(each.at, each.deadline, each.run);
    return list;
  };
  EXPECT_THAT(drawn(0), ElementsAre(std::make_tuple(Cycle{7}, Cycle{0}, 0U)));
  EXPECT_THAT(drawn(1),
              ElementsAre(std::make_tuple(Cycle{5}, Cycle{20}, 0U), std::make_tuple(Cycle{30}, Cycle{20}, 1U)));
}

TEST(Timeline, SlicesOfATrackNeverOverlap) {
  for (const Track& track : tracks_of(record::test::sound_log(), record::test::kSoundLogEnd)) {
    Cycle last = 0;
    for (const Slice& slice : track.slices) {
      EXPECT_GE(slice.begin, last);
      EXPECT_GT(slice.end, slice.begin);
      last = slice.end;
    }
  }
}

TEST(Pack, SmallNumbersTakeAByteAndLargeOnesAllTheyNeed) {
  std::string bytes;
  for (const std::uint64_t number : {0ULL, 127ULL, 128ULL, 300ULL}) append_number(bytes, number);
  EXPECT_EQ(bytes, std::string("\x00\x7f\x80\x01\xac\x02", 6));
  bytes.clear();
  for (const std::int64_t number : {0, -1, 1, -2, 64}) append_signed(bytes, number);
  EXPECT_EQ(bytes, std::string("\x00\x01\x02\x03\x80\x01", 6));
}

TEST(Pack, Base64IsThatOfRfc4648) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
}

}  // namespace
}  // namespace tessera::report
