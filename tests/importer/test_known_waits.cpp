// SPDX-License-Identifier: Apache-2.0
// Streams and the host wait for the records that the profile names; where it names none, times tell.
#include <gmock/gmock.h>

#include <filesystem>

#include "importer/known_waits.h"
#include "importer/readers/readers.h"
#include "importer/workload.h"
#include "tests/importer/profiles.h"

namespace tessera::importer::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

// produce | record | long_tail in stream 7; stream 20 waits for the record, which the profile names.
ProfileBench with_a_known_wait(std::optional<std::uint64_t> record) {
  ProfileBench bench;
  bench.kernel("produce", 110, 100, 7, 100);
  bench.call(CallKind::kRecordEvent, 108, 1).correlation = 50;
  bench.kernel("long_tail", 211, 1000, 7, 112);
  bench.call(CallKind::kWaitEvent, 120, 1).wait = KnownWait{20, 7, record};
  bench.kernel("consume", 3010, 200, 20, 3000);
  bench.profile.tells_waits = true;
  return bench;
}

TEST(KnownWaits, AStreamWaitsForTheRecordThatTheProfileNames) {
  const Workload workload = only_workload(with_a_known_wait(50).profile);
  ASSERT_EQ(workload.dependencies.size(), 1U);
  EXPECT_EQ(workload.dependencies[0].earlier, 0U);  // not the long tail, which had ended last
  EXPECT_EQ(workload.dependencies[0].later, 2U);
}

// Correlations: produce 1, long_tail 2, consume 3.
TEST(KnownWaits, ARecordWithoutItsCallIsBehindTheWorkOfSmallerCorrelations) {
  const Workload workload = only_workload(with_a_known_wait(2).profile);
  ASSERT_EQ(workload.dependencies.size(), 1U);
  EXPECT_EQ(workload.dependencies[0].earlier, 0U);
}

TEST(KnownWaits, ARecordOfWhichNothingIsKnownIsTakenAsMadeJustBeforeTheWait) {
  ProfileBench bench = with_a_known_wait(std::nullopt);
  const Workload workload = only_workload(bench.profile);
  ASSERT_EQ(workload.dependencies.size(), 1U);
  EXPECT_EQ(workload.dependencies[0].earlier, 1U);
  EXPECT_THAT(workload.notes, Contains(HasSubstr("1 waits are for records whose calls are not in the profile")));
}

// `long_tail` was called after the record, though it had ended last.
TEST(KnownWaits, WhereTheStreamOfTheRecordIsNotToldTimesTellAmongWorkThatWasCalledBeforeIt) {
  ProfileBench bench = with_a_known_wait(50);
  for (HostCall& call : bench.profile.calls) {
    if (call.wait) call.wait->awaited.reset();
  }
  const Workload workload = only_workload(bench.profile);
  ASSERT_EQ(workload.dependencies.size(), 1U);
  EXPECT_EQ(workload.dependencies[0].earlier, 0U);
}

// CUPTI of CUDA 13 names the stream that waits and the event, and -1 for the record and its stream.
TEST(KnownWaits, WhereTheRecordIsNotToldTimesTellWhatTheNamedStreamWaitedFor) {
  ProfileBench bench;
  bench.kernel("produce", 110, 100, 7, 100);
  bench.kernel("long_tail", 211, 1000, 7, 112);
  bench.call(CallKind::kWaitEvent, 120, 1).wait = KnownWait{20, std::nullopt, std::nullopt};
  bench.kernel("of_another_stream", 130, 10, 30, 122);
  bench.kernel("consume", 212, 200, 20, 124);
  bench.profile.tells_waits = true;
  const Workload workload = only_workload(bench.profile);
  ASSERT_EQ(workload.dependencies.size(), 1U);
  EXPECT_EQ(workload.dependencies[0].earlier, 0U);
  EXPECT_EQ(workload.dependencies[0].later, 3U);
  EXPECT_THAT(workload.notes, Contains(HasSubstr("1 times a stream waits for an event of another; for which")));
}

TEST(KnownWaits, TheStreamThatWaitsIsThatOfTheThreadsNextWorkWhereItIsNotTold) {
  ProfileBench bench = with_a_known_wait(50);
  for (HostCall& call : bench.profile.calls) {
    if (call.wait) call.wait->stream.reset();
  }
  const Workload workload = only_workload(bench.profile);
  ASSERT_EQ(workload.dependencies.size(), 1U);
  EXPECT_EQ(workload.dependencies[0].earlier, 0U);
  EXPECT_EQ(workload.dependencies[0].later, 2U);
}

TEST(KnownWaits, WhereWaitsAreToldNothingElseIsTakenForOne) {
  ProfileBench bench = with_a_known_wait(50);
  bench.kernel("late", 3215, 50, 30, 130);  // just behind the end of `consume`, by chance
  EXPECT_EQ(only_workload(bench.profile).dependencies.size(), 1U);
}

TEST(KnownWaits, AHostWaitsForTheRecordThatTheProfileNames) {
  ProfileBench bench;
  bench.kernel("a", 110, 100, 7, 100);
  bench.call(CallKind::kRecordEvent, 108, 1).correlation = 50;
  bench.kernel("b", 211, 100, 7, 112);
  bench.kernel("c", 120, 80, 8, 114);
  bench.call(CallKind::kSynchronise, 130, 400).wait = KnownWait{std::nullopt, 7, 50};
  const Workload workload = only_workload(bench.profile);
  ASSERT_EQ(workload.waits.size(), 1U);
  EXPECT_EQ(workload.waits[0].awaited, 0U);
  bench.profile.calls.back().wait = KnownWait{8, std::nullopt, std::nullopt};  // cudaStreamSynchronize(8)
  EXPECT_EQ(
      bench.profile.activities[workload.operations[only_workload(bench.profile).waits[0].awaited].activity].stream, 8U);
}

// tests/data/README.md: each product waits for the kernel of 400,000 cycles (202 us at 1.98 GHz), while that of
// 2,000,000 behind it runs on.
TEST(KnownWaits, OnAnH200AProductWaitsForTheWorkAheadOfTheRecord) {
  const Profile profile = read_profile(
      std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/data/profiles/event_waits_h200.kineto.json.gz", {});
  const Workload workload = only_workload(profile);
  const auto work = [&](std::uint32_t operation) {
    return profile.activities[workload.operations[operation].activity];
  };
  std::size_t num_products = 0;
  for (const Dependency& dependency : workload.dependencies) {
    if (profile.names[work(dependency.later).name].find("Kernel2") == std::string::npos) continue;
    ++num_products;
    EXPECT_NEAR(static_cast<double>(work(dependency.earlier).duration.value()), 202'000, 2'000);
  }
  EXPECT_EQ(num_products, 6U);
}

}  // namespace
}  // namespace tessera::importer::test
