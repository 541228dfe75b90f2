// SPDX-License-Identifier: Apache-2.0
// Calls and kernels are joined by correlation; clocks, streams and waits follow from recorded times.
#include <gmock/gmock.h>

#include "importer/kernel_groups.h"
#include "importer/missing_fields.h"
#include "importer/recorded_pace.h"
#include "importer/workload.h"
#include "tests/importer/profiles.h"

namespace tessera::importer::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

Workload only_workload(const Profile& profile) {
  std::vector<Workload> workloads = workloads_of(profile, Collectives::kKeep);
  EXPECT_EQ(workloads.size(), 1U);
  return workloads.front();
}

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

TEST(Workload, AStreamWaitsForTheRecordThatTheProfileNames) {
  const Workload workload = only_workload(with_a_known_wait(50).profile);
  ASSERT_EQ(workload.dependencies.size(), 1U);
  EXPECT_EQ(workload.dependencies[0].earlier, 0U);  // not the long tail, which had ended last
  EXPECT_EQ(workload.dependencies[0].later, 2U);
}

TEST(Workload, ARecordThatTheProfileLacksIsTakenAsMadeJustBeforeTheWait) {
  const Workload workload = only_workload(with_a_known_wait(99).profile);
  ASSERT_EQ(workload.dependencies.size(), 1U);
  EXPECT_EQ(workload.dependencies[0].earlier, 1U);
}

TEST(Workload, WhereWaitsAreToldNothingElseIsTakenForOne) {
  ProfileBench bench = with_a_known_wait(50);
  bench.kernel("late", 3215, 50, 30, 130);  // just behind the end of `consume`, by chance
  EXPECT_EQ(only_workload(bench.profile).dependencies.size(), 1U);
}

TEST(Workload, AHostWaitsForTheRecordThatTheProfileNames) {
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

// ---- groups --------------------------------------------------------------------------------------------------

KernelGroups groups_of(const Profile& profile, const GroupOptions& options = {}) {
  return group_kernels(profile, only_workload(profile), options);
}

TEST(KernelGroups, NameAndShapeMakeAKernelWithItsMeanTime) {
  ProfileBench bench;
  bench.kernel("void ns::f<1>(int)", 100, 10);
  bench.kernel("void ns::f<1>(int)", 200, 20);
  bench.kernel("void ns::f<1>(int)", 300, 7).grid = {65, 1, 1};
  bench.kernel("void ns::f<2>(int)", 400, 7);
  const KernelGroups groups = groups_of(bench.profile);
  ASSERT_EQ(groups.groups.size(), 3U);
  EXPECT_EQ(groups.groups[0].kernel.name, "f");
  EXPECT_EQ(groups.groups[1].kernel.name, "f.2");
  EXPECT_EQ(groups.groups[0].kernel.kernel_time, 15'000'000U);
  // Two values, m (1 - s/2) and m (1 + s/2): 10 and 20 us about 15 us.
  EXPECT_NEAR(groups.groups[0].kernel.kernel_time_spread_ppm, 2 * 5 / 15.0 * 1e6, 1);
}

TEST(KernelGroups, AKernelNamedNullIsOneAllTheSame) {
  ProfileBench bench;
  bench.kernel("null", 100, 10);
  EXPECT_EQ(groups_of(bench.profile).groups[0].kernel.name, "kernel_null");  // YAML's `null` is no text
}

TEST(KernelGroups, RegistersAreAllocatedForWholeWarpsInUnits) {
  EXPECT_EQ(allocated_registers(30, 128), 4U * 1024);  // 30 x 32 = 960, in units of 256: 1024 a warp
  EXPECT_EQ(allocated_registers(33, 33), 2U * 1280);   // two warps of 1056
  EXPECT_EQ(allocated_registers(0, 1), 256U);
}

TEST(KernelGroups, CollectivesMayTakeTheShortestOfTheirKind) {
  ProfileBench bench;
  bench.kernel("ncclKernel_AllReduce", 100, 10);
  bench.kernel("ncclKernel_AllReduce", 200, 1000);
  GroupOptions options;
  options.collectives = Collectives::kShortest;
  const KernelGroups groups = groups_of(bench.profile, options);
  EXPECT_EQ(groups.groups[0].kernel.kernel_time, 10'000'000U);
  EXPECT_EQ(groups.groups[0].kernel.kernel_time_spread_ppm, 0U);
}

TEST(KernelGroups, MemsetsAndCopiesOnTheGpuAreKernelsBySizeClass) {
  ProfileBench bench;
  GpuActivity& small = bench.kernel("", 100, 10);
  small.work = Work::kMemset;
  small.bytes = 100'000;
  GpuActivity& same_class = bench.kernel("", 200, 10);
  same_class.work = Work::kMemset;
  same_class.bytes = 131'072;
  bench.kernel("k", 300, 1);
  const KernelGroups groups = groups_of(bench.profile);
  ASSERT_EQ(groups.groups.size(), 2U);
  EXPECT_EQ(groups.groups[0].kernel.name, "memset_131072_bytes");
  EXPECT_EQ(groups.groups[0].kernel.num_tbs, 131072U / 16384);
}

TEST(KernelGroups, WhatIsMissingOrOfNoDurationIsTold) {
  ProfileBench bench;
  GpuActivity& kernel = bench.kernel("k", 100, 0);
  kernel.grid = {};
  kernel.regs_per_thread.reset();
  GroupOptions options;
  options.num_sms = 80;
  const KernelGroups groups = groups_of(bench.profile, options);
  EXPECT_EQ(groups.groups[0].kernel.num_tbs, 80U);
  EXPECT_GT(groups.groups[0].kernel.kernel_time, 0U);
  EXPECT_THAT(groups.notes, Contains(HasSubstr("1 kernels without grid or block")));
  EXPECT_THAT(groups.notes, Contains(HasSubstr("1 kernels without registers")));
  EXPECT_THAT(groups.notes, Contains(HasSubstr("1 operations of no duration")));
}

TEST(KernelGroups, NoMoreThreadBlocksThanTheGpuIssuesInMostOfTheTime) {
  ProfileBench bench;
  bench.kernel("k", 100, 10).grid = {1'000'000, 1, 1};
  bench.kernel("none", 200, 0).grid = {1'000'000, 1, 1};
  bench.kernel("few", 300, 10).grid = {5000, 1, 1};
  GroupOptions options;
  options.num_sms = 108;
  options.tbs_per_us = 1000;
  const KernelGroups groups = groups_of(bench.profile, options);
  EXPECT_EQ(groups.groups[0].kernel.num_tbs, 8000U);  // 80 % of 10 us
  EXPECT_EQ(groups.groups[1].kernel.num_tbs, 108U);   // a thread block an SM
  EXPECT_EQ(groups.groups[2].kernel.num_tbs, 5000U);
  EXPECT_THAT(groups.notes, Contains(HasSubstr("2 kernels of more thread blocks")));
}

// ---- what a profile leaves out, and how fast its machine was ------------------------------------------------

TEST(MissingFields, AreThoseOfOtherLaunchesOfTheName) {
  ProfileBench bench;
  bench.kernel("k", 100, 10);
  GpuActivity& bare = bench.kernel("k", 200, 10);
  bare.grid = bare.block = {};
  bare.regs_per_thread.reset();
  fill_missing_fields(bench.profile);
  EXPECT_EQ(bench.profile.activities[1].grid, bench.profile.activities[0].grid);
  EXPECT_EQ(bench.profile.activities[1].block, bench.profile.activities[0].block);
  EXPECT_EQ(bench.profile.activities[1].regs_per_thread, 32U);
  EXPECT_THAT(bench.profile.notes, Contains(HasSubstr("1 kernels whose shape is told in part")));
}

TEST(MissingFields, OfSeveralSizesThatOfTheNearestTimeIsTaken) {
  ProfileBench bench;
  bench.kernel("k", 100, 10).grid = {1, 1, 1};
  bench.kernel("k", 200, 8'000).grid = {400, 1, 1};
  for (const double duration : {7'000.0, 12.0, 9'000.0, 3.0}) {
    bench.kernel("k", 10'000, duration).grid = {};
    bench.profile.activities.back().block = {};
  }
  fill_missing_fields(bench.profile);
  std::vector<std::uint32_t> grids;
  for (std::size_t i = 2; i < 6; ++i) grids.push_back(bench.profile.activities[i].grid[0]);
  EXPECT_EQ(grids, (std::vector<std::uint32_t>{400, 1, 400, 1}));
  EXPECT_EQ(bench.profile.activities[5].block[0], 128U);
}

TEST(MissingFields, EachPartIsThatOfALaunchWhichTellsIt) {
  ProfileBench bench;
  bench.kernel("k", 100, 10).regs_per_thread.reset();
  bench.kernel("k", 200, 50).grid = {};
  bench.kernel("k", 300, 11).grid = {};
  bench.profile.activities[1].regs_per_thread = 77;
  bench.profile.activities[2].regs_per_thread.reset();
  fill_missing_fields(bench.profile);
  EXPECT_EQ(bench.profile.activities[0].regs_per_thread, 77U);
  EXPECT_EQ(bench.profile.activities[2].regs_per_thread, 77U);
  EXPECT_EQ(bench.profile.activities[2].grid[0], 64U);
}

TEST(MissingFields, ADurationIsTheMeanOfItsKindUntilTheNextOfItsStream) {
  ProfileBench bench;
  bench.kernel("k", 100, 10);
  bench.kernel("k", 200, 30);
  bench.kernel("k", 300, 0).duration.reset();
  bench.kernel("k", 400, 0).duration.reset();
  bench.kernel("other", 405, 1);
  fill_missing_fields(bench.profile);
  EXPECT_EQ(bench.profile.activities[2].duration, ProfileBench::ns(20));
  EXPECT_EQ(bench.profile.activities[3].duration, ProfileBench::ns(5));
  EXPECT_THAT(bench.profile.notes, Contains(HasSubstr("2 operations without a duration")));
}

TEST(RecordedPace, CallsCostNoMoreThanTheyAreApart) {
  ProfileBench close;
  ProfileBench apart;
  for (int i = 0; i < 100; ++i) {
    close.kernel("k", 100 + 1.55 * i, 1, 0, 90 + 1.55 * i);
    apart.kernel("k", 100 + 50 * i, 1, 0, 90 + 50 * i);
  }
  EXPECT_EQ(recorded_call(close.profile, only_workload(close.profile)), 1'500);  // tenths of a microsecond
  EXPECT_EQ(recorded_call(apart.profile, only_workload(apart.profile)), kUsualCall);
}

TEST(RecordedPace, AHandOverIsTheMeanGapBehindWhatWasQueuedFor) {
  ProfileBench bench;
  for (int i = 0; i < 20; ++i) bench.kernel("k", 1000 + 50 * i, i % 2 == 0 ? 49 : 48, 0, 10 + 5 * i);
  // 10 gaps of 1 us and 9 of 2 us.
  EXPECT_EQ(recorded_hand_over(bench.profile, only_workload(bench.profile)), (10 * 1000 + 9 * 2000) / 19);
}

TEST(RecordedPace, ALinkIsAsFastAsCopiesThatTheHostDidNotWaitFor) {
  ProfileBench bench;
  bench.kernel("k", 1, 1);
  for (int i = 0; i < 4; ++i) {
    GpuActivity& copy = bench.kernel("", 100 + 200 * i, 100);
    copy.work = Work::kCopyToHost;
    copy.bytes = 5'500'000;
  }
  EXPECT_EQ(recorded_copy_rate(bench.profile, only_workload(bench.profile)), 55'000);
}

TEST(KernelGroups, MoreShapesThanAnApplicationMayHaveAreMadeCoarser) {
  ProfileBench bench;
  constexpr std::uint32_t kShapes = 5000;
  for (std::uint32_t i = 0; i < kShapes; ++i) bench.kernel("k", 100.0 * i, 10).grid = {i + 1, 1, 1};
  const KernelGroups groups = groups_of(bench.profile);
  EXPECT_EQ(groups.groups.size(), 14U);  // 1, 2, 4, .. 8192
  EXPECT_THAT(groups.notes, Contains(HasSubstr("within a factor of two")));
}

}  // namespace
}  // namespace tessera::importer::test
