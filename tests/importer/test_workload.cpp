// SPDX-License-Identifier: Apache-2.0
// Calls and kernels are joined by correlation; clocks, streams and waits follow from recorded times.
#include <gmock/gmock.h>

#include "importer/workload.h"
#include "tests/importer/profiles.h"

namespace tessera::importer::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

std::vector<std::string> names_in_order(const Profile& profile, const Workload& workload) {
  std::vector<std::string> names;
  for (const Operation& each : workload.operations)
    names.push_back(profile.names[profile.activities[each.activity].name]);
  return names;
}

TEST(Workload, LaunchesAreJoinedByCorrelationAndNotByOrder) {
  ProfileBench bench;
  bench.kernel("late", 40, 10, 1, 25);
  bench.kernel("early", 45, 10, 2, 20);  // runs later, was launched earlier
  std::swap(bench.profile.calls[0], bench.profile.calls[1]);
  const Workload workload = only_workload(bench.profile);
  EXPECT_EQ(names_in_order(bench.profile, workload), (std::vector<std::string>{"early", "late"}));
}

TEST(Workload, EveryContextOfEveryDeviceIsOne) {
  ProfileBench bench;
  bench.kernel("a", 10, 1);
  bench.kernel("b", 20, 1).device = 1;
  bench.kernel("c", 30, 1).context = 5;
  EXPECT_EQ(workloads_of(bench.profile, Collectives::kKeep).size(), 3U);
}

TEST(Workload, AClockAheadOfTheGpuIsSetBack) {
  ProfileBench bench;
  bench.kernel("a", 100, 10, 0, 90, 1);
  bench.kernel("b", 200, 10, 0, 5190, 2);  // the clock of thread 2 is 5 ms ahead
  bench.kernel("c", 300, 10, 0, 5280, 2);
  const Workload workload = only_workload(bench.profile);
  EXPECT_EQ(names_in_order(bench.profile, workload), (std::vector<std::string>{"a", "b", "c"}));
  for (const Operation& each : workload.operations) {
    EXPECT_LE(each.call_start, bench.profile.activities[each.activity].start);
  }
  EXPECT_EQ(workload.clock_leads.at(2), ProfileBench::ns(4990));  // b: called 4990 us after it began
  EXPECT_THAT(workload.notes, Contains(HasSubstr("is ahead of the GPU's by 4990.000 us")));
}

TEST(Workload, AClockBehindTheGpusIsSeenByTheOrderOfAStream) {
  ProfileBench bench;
  bench.kernel("first", 100, 10, 0, 90, 1);
  bench.kernel("second", 200, 10, 0, 40, 2);  // of the same stream, called earlier by a clock that is behind
  const Workload workload = only_workload(bench.profile);
  EXPECT_EQ(names_in_order(bench.profile, workload), (std::vector<std::string>{"first", "second"}));
  EXPECT_THAT(workload.notes, Contains(HasSubstr("1 calls are recorded before that of the work ahead of them")));
}

TEST(Workload, AStreamThatWaitsForAnEventWaitsForWhatEndedLast) {
  ProfileBench bench;
  bench.kernel("producer", 100, 50, 1, 90);
  bench.call(CallKind::kWaitEvent, 95, 1);
  bench.kernel("consumer", 151, 10, 2, 99);
  const Workload workload = only_workload(bench.profile);
  ASSERT_EQ(workload.dependencies.size(), 1U);
  EXPECT_EQ(workload.dependencies[0].earlier, 0U);
  EXPECT_EQ(workload.dependencies[0].later, 1U);
}

TEST(Workload, WithoutCallsALateStartBehindAnotherStreamsEndIsAWait) {
  ProfileBench bench;
  bench.kernel("producer", 100, 500, 1, 90);
  bench.kernel("consumer", 602, 10, 2, 99);
  EXPECT_EQ(only_workload(bench.profile).dependencies.size(), 1U);
}

TEST(Workload, WorkThatWaitsForNothingKnownIsListedAndLaunchedWhenItBegan) {
  ProfileBench bench;
  bench.kernel("a", 100, 10, 0, 90);
  bench.kernel("b", 5000, 10, 0, 95);
  const Workload workload = only_workload(bench.profile);
  ASSERT_EQ(workload.gaps.size(), 1U);
  EXPECT_EQ(workload.gaps[0].length, ProfileBench::ns(5000 - 110));
  EXPECT_EQ(workload.operations[1].call_start, ProfileBench::ns(4990));
}

TEST(Workload, ASynchronisationWaitsForWhatHadEndedWhenItReturned) {
  ProfileBench bench;
  bench.kernel("a", 100, 50, 0, 90);
  bench.kernel("b", 160, 1000, 1, 95);
  bench.call(CallKind::kSynchronise, 110, 42);  // until 152: for a, not for b
  bench.kernel("c", 2000, 10, 0, 1990);
  const Workload workload = only_workload(bench.profile);
  ASSERT_EQ(workload.waits.size(), 1U);
  EXPECT_EQ(workload.waits[0].awaited, 0U);
  EXPECT_EQ(workload.waits[0].before, 2U);
}

TEST(Workload, ASynchronisationDuringWhichAnotherThreadLaunchesIsLeftOut) {
  ProfileBench bench;
  bench.kernel("a", 100, 50, 0, 90, 1);
  bench.call(CallKind::kSynchroniseDevice, 110, 100, 1);
  bench.kernel("b", 190, 10, 0, 150, 2);
  const Workload workload = only_workload(bench.profile);
  EXPECT_TRUE(workload.waits.empty());
  EXPECT_THAT(workload.notes, Contains(HasSubstr("1 synchronising calls of one thread are left out")));
}

TEST(Workload, ACallTakenAsLaterThanRecordedIsNoneDuringAWait) {
  ProfileBench bench;
  bench.kernel("a", 100, 10, 0, 90);
  bench.kernel("b", 400, 10, 0, 95);  // nothing tells why so late
  bench.call(CallKind::kSynchronise, 110, 302);
  bench.kernel("c", 500, 10, 0, 490);
  const Workload workload = only_workload(bench.profile);
  ASSERT_EQ(workload.waits.size(), 1U);
  EXPECT_EQ(workload.waits[0].awaited, 1U);
  EXPECT_EQ(workload.waits[0].before, 2U);
}

TEST(Workload, WorkWithoutAContextBelongsToThatOfItsDevice) {
  ProfileBench bench;
  bench.kernel("a", 10, 1);
  bench.kernel("b", 30, 1).context.reset();
  GpuActivity& copy = bench.kernel("", 50, 1);
  copy.work = Work::kCopyToGpu;
  copy.context = 9;  // which has no kernels
  const Workload workload = only_workload(bench.profile);
  EXPECT_EQ(workload.operations.size(), 3U);
  EXPECT_THAT(workload.notes, Contains(HasSubstr("2 operations of no context, or of one without kernels")));
}

TEST(Workload, CopiesOfADeviceWithoutKernelsAreLeftOutAndTold) {
  ProfileBench bench;
  bench.kernel("a", 10, 1);
  GpuActivity& copy = bench.kernel("", 50, 1);
  copy.work = Work::kCopyToGpu;
  copy.device = 3;
  EXPECT_THAT(only_workload(bench.profile).notes, Contains(HasSubstr("1 copies and memsets of devices")));
}

TEST(Workload, AClockBehindTheGpusIsSeenWhereTheGpuWasIdle) {
  ProfileBench bench;
  for (int i = 0; i < 20; ++i) {
    bench.kernel("first", 1000 + 100 * i, 10, 0, 494 + 100 * i);   // 6 us after its call, by a clock 500 us behind
    bench.kernel("second", 1012 + 100 * i, 10, 0, 496 + 100 * i);  // which waited for the first
  }
  const Workload workload = only_workload(bench.profile);
  EXPECT_EQ(workload.clock_leads.at(1), -ProfileBench::ns(500));
  EXPECT_TRUE(workload.gaps.empty());
  EXPECT_THAT(workload.notes, Contains(HasSubstr("is behind the GPU's by 500.000 us")));
}

TEST(Workload, OneMistakenCallIsNotItsThreadsClock) {
  ProfileBench bench;
  for (int i = 0; i < 150; ++i) bench.kernel("k", 100 * i, 10);
  bench.profile.calls[70].start += ProfileBench::ns(1e7);
  bench.profile.calls[0].start = 0;  // 1970, where the others are of today
  for (GpuActivity& each : bench.profile.activities) each.start += ProfileBench::ns(1e15);
  for (std::size_t i = 1; i < 150; ++i) bench.profile.calls[i].start += ProfileBench::ns(1e15);
  const Workload workload = only_workload(bench.profile);
  EXPECT_EQ(workload.clock_leads.at(1), 0);
  for (const Operation& each : workload.operations) {
    const Nanoseconds ahead = bench.profile.activities[each.activity].start - each.call_start;
    EXPECT_GE(ahead, ProfileBench::ns(6));
    EXPECT_LE(ahead, ProfileBench::ns(8));
  }
  EXPECT_THAT(workload.notes, Contains(HasSubstr("2 calls are recorded after their work began")));
}

TEST(Workload, OfCallsOfOneCorrelationTheLastBeforeTheWorkIsTheCall) {
  ProfileBench bench;
  bench.kernel("a", 100, 10, 0, 90);
  bench.kernel("b", 1000, 10, 0, 980);
  for (GpuActivity& each : bench.profile.activities) each.correlation = 0;
  for (HostCall& each : bench.profile.calls) each.correlation = 0;
  const Workload workload = only_workload(bench.profile);
  EXPECT_EQ(workload.operations[0].call_start, ProfileBench::ns(90));
  EXPECT_EQ(workload.operations[1].call_start, ProfileBench::ns(980));
}

TEST(Workload, WhatOverlapsInItsStreamRunsBesideIt) {
  ProfileBench bench;
  bench.kernel("a", 100, 50);
  bench.kernel("b", 120, 50);    // 30 us before a ends
  bench.kernel("c", 151, 50);    // when a has ended
  bench.kernel("d", 200.5, 10);  // as whole microseconds seem to overlap
  const Workload workload = only_workload(bench.profile);
  EXPECT_EQ(workload.operations[0].stream, workload.operations[2].stream);
  EXPECT_NE(workload.operations[0].stream, workload.operations[1].stream);
  EXPECT_EQ(workload.operations[2].stream, workload.operations[3].stream);
  EXPECT_THAT(workload.notes, Contains(HasSubstr("1 operations began before those ahead of them in their stream")));
}

TEST(Workload, CollectivesMayBeLeftOut) {
  ProfileBench bench;
  bench.kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL(args)", 10, 1);
  bench.kernel("a", 30, 1);
  EXPECT_EQ(workloads_of(bench.profile, Collectives::kDrop).front().operations.size(), 1U);
  EXPECT_TRUE(is_collective("ncclKernel_AllReduce_RING_LL_Sum_float"));
  EXPECT_FALSE(is_collective("vectorized_elementwise_kernel"));
}

}  // namespace
}  // namespace tessera::importer::test
