// SPDX-License-Identifier: Apache-2.0
// Which streams an application gets, and what the NULL stream orders without a word.
#include <gmock/gmock.h>

#include "importer/application_yaml.h"
#include "importer/recorded_pace.h"
#include "tests/importer/profiles.h"

namespace tessera::importer::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Kind = StreamProperties::Kind;

// One long kernel in stream 13, a short one in 14 beside it, and one of the NULL stream, 7, when both have ended.
struct ThreeStreams : ProfileBench {
  ThreeStreams() {
    kernel("background", 0, 4'000, 13, -8);
    kernel("urgent", 500, 300, 14, 492);
    kernel("on_null_stream", 4'004, 100, 7, 600);
    kernel("background", 4'105, 1'000, 13, 700);
    tell(13, {Kind::kBlocking, 0});
    tell(14, {Kind::kNonBlocking, 5});
    tell(7, {Kind::kNull, 0});
  }
  void tell(std::uint64_t stream, StreamProperties properties) { profile.streams[{0, 1, stream}] = properties; }
};

std::vector<std::uint32_t> streams_of(const Workload& workload) {
  std::vector<std::uint32_t> streams;
  for (const Operation& operation : workload.operations) streams.push_back(operation.stream);
  return streams;
}

std::string yaml_of(const Profile& profile) {
  const Workload workload = only_workload(profile);
  const KernelGroups groups = group_kernels(profile, workload, {});
  ApplicationStyle style;
  style.name = "app";
  return application_yaml(groups, host_program(profile, workload, groups, {kUsualCall, 1}), style).text;
}

TEST(ImportedStreams, TheNullStreamIsStream0AndTheOthersHaveWhatTheProfileSays) {
  const Workload workload = only_workload(ThreeStreams().profile);
  EXPECT_THAT(streams_of(workload), ElementsAre(1, 2, 0, 1));
  EXPECT_EQ(workload.default_stream, spec::DefaultStream::kLegacy);
  ASSERT_EQ(workload.streams.size(), 2U);
  EXPECT_EQ(workload.streams[0].priority, std::nullopt);
  EXPECT_FALSE(workload.streams[0].is_non_blocking);
  EXPECT_EQ(workload.streams[1].priority, 5U);
  EXPECT_TRUE(workload.streams[1].is_non_blocking);
}

// Else the waits of the NULL stream would stand there twice, as its rule and as events.
TEST(ImportedStreams, WhatTheNullStreamsRuleOrdersNeedsNoEvent) {
  ThreeStreams bench;
  EXPECT_THAT(only_workload(bench.profile).dependencies, IsEmpty());
  bench.profile.streams.clear();
  EXPECT_THAT(only_workload(bench.profile).dependencies, Not(IsEmpty()));
}

TEST(ImportedStreams, AKnownWaitBesideTheNullStreamIsAnEventAllTheSame) {
  ThreeStreams bench;
  bench.tell(13, {Kind::kNonBlocking, 0});
  EXPECT_THAT(only_workload(bench.profile).dependencies, Not(IsEmpty()));
}

TEST(ImportedStreams, AreWrittenByName) {
  const std::string text = yaml_of(ThreeStreams().profile);
  EXPECT_THAT(text, HasSubstr("default_stream: legacy\nstreams:\n  - {name: stream13}\n"
                              "  - {name: stream14, priority: 5, non_blocking: true}\n"));
  EXPECT_THAT(text, HasSubstr("{launch: {kernel: urgent, stream: stream14}}"));
  EXPECT_THAT(text, HasSubstr("{launch: {kernel: on_null_stream}}"));
}

TEST(ImportedStreams, AreNumbersWhereTheProfileSaysNothingThatMatters) {
  ThreeStreams bench;
  bench.profile.streams.clear();
  EXPECT_THAT(yaml_of(bench.profile), Not(HasSubstr("streams:")));
  ProfileBench alone;  // all of it in the NULL stream
  alone.kernel("a", 0, 10, 7);
  alone.profile.streams[{0, 1, 7}] = {Kind::kNull, 0};
  EXPECT_THAT(yaml_of(alone.profile), Not(HasSubstr("legacy")));
}

TEST(ImportedStreams, WhatRanBesideItsStreamHasThatStreamsPriority) {
  ThreeStreams bench;
  bench.kernel("urgent", 600, 300, 14, 592);
  const Workload workload = only_workload(bench.profile);
  ASSERT_EQ(workload.streams.size(), 3U);
  EXPECT_EQ(workload.streams[2].name, "stream14_2");
  EXPECT_EQ(workload.streams[2].priority, 5U);
}

TEST(ImportedStreams, OfWhichTheProfileDoesNotSayWhetherTheyWaitForTheNullStreamDoNotAndItIsTold) {
  ThreeStreams bench;
  bench.tell(13, {Kind::kNotTold, 0});
  const Workload workload = only_workload(bench.profile);
  EXPECT_TRUE(workload.streams[0].is_non_blocking);
  EXPECT_THAT(workload.notes, testing::Contains(HasSubstr("whether 1 streams wait for the NULL stream")));
}

TEST(ImportedStreams, TooManyShareAndHaveNoNames) {
  ThreeStreams bench;
  for (std::uint64_t stream = 100; stream < 100 + kMaxStreams; ++stream) {
    bench.kernel("many", 6'000, 10, stream, 5'200);
  }
  const Workload workload = only_workload(bench.profile);
  EXPECT_THAT(workload.streams, IsEmpty());
  EXPECT_EQ(workload.default_stream, spec::DefaultStream::kPerThread);
  EXPECT_THAT(workload.notes, testing::Contains(HasSubstr("neither priorities nor a NULL stream")));
}

}  // namespace
}  // namespace tessera::importer::test
