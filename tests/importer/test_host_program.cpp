// SPDX-License-Identifier: Apache-2.0
// Where the host's time lies: in long calls, before the GPU's first operation, in a full queue. Times in us.
#include <gmock/gmock.h>

#include "importer/host_program.h"
#include "importer/recorded_pace.h"
#include "tests/importer/traces.h"

namespace tessera::importer::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

ImportedApplication imported(const Trace& trace) { return Import().of(trace.text()).applications.front(); }

void expect_span(const ImportedApplication& application, double recorded_us, double tolerance = 0.01) {
  ASSERT_TRUE(application.fidelity);
  EXPECT_NEAR(application.fidelity->recorded_span_us, recorded_us, 0.01);
  EXPECT_NEAR(application.fidelity->simulated_span_us, recorded_us, tolerance * recorded_us);
}

// ---- long calls ----------------------------------------------------------------------------------------------

TEST(LongCalls, WorkThatBeginsAtTheEndOfItsCallWasSubmittedThere) {
  Trace trace;
  trace.call(0, 30'000).work("a", 30'003, 50, 7);  // loads a module
  trace.kernel("a", 30'110, 50, 7, 30'103);
  trace.call(30'200, 60'000).work("b", 90'202, 50, 7);
  trace.kernel("b", 90'310, 50, 7, 90'303);
  const ImportedApplication application = imported(trace);
  expect_span(application, 60'357);
  EXPECT_THAT(application.assumptions, Contains(HasSubstr("1 long calls submitted their work late")));
}

TEST(LongCalls, WorkThatBeginsInTheMiddleWasSubmittedThere) {
  ProfileBench bench;
  bench.kernel("a", 10, 20, 0, 2);
  bench.kernel("b", 40'000, 20, 0, 100);
  bench.profile.calls.back().duration = ProfileBench::ns(90'000);
  const Workload workload = workloads_of(bench.profile, Collectives::kKeep).front();
  EXPECT_EQ(workload.operations[1].call_start, ProfileBench::ns(39'994));
  EXPECT_EQ(workload.operations[1].before_submission, ProfileBench::ns(39'894));
  EXPECT_TRUE(workload.gaps.empty());
}

TEST(LongCalls, AllWorkOfACallIsSubmittedWithTheFirst) {
  ProfileBench bench;
  bench.kernel("before", 10, 20, 0, 2);
  bench.kernel("node", 50'003, 20, 0, 100);  // of a graph
  bench.profile.calls.back().duration = ProfileBench::ns(50'000);
  GpuActivity node = bench.profile.activities.back();
  for (int i = 1; i < 5; ++i) {
    node.start += ProfileBench::ns(21);
    bench.profile.activities.push_back(node);
  }
  bench.kernel("behind", 50'400, 20, 0, 50'390);
  const Workload workload = workloads_of(bench.profile, Collectives::kKeep).front();
  for (std::size_t i = 1; i < 6; ++i) EXPECT_EQ(workload.operations[i].call_start, ProfileBench::ns(49'997)) << i;
}

TEST(LongCalls, WorkThatWaitedForItsStreamMayHaveBeenSubmittedAtOnce) {
  ProfileBench bench;
  bench.kernel("a", 10, 60'000, 0, 2);
  bench.kernel("b", 60'011, 20, 0, 100);
  bench.profile.calls.back().duration = ProfileBench::ns(60'000);
  const Workload workload = workloads_of(bench.profile, Collectives::kKeep).front();
  EXPECT_EQ(workload.operations[1].call_start, ProfileBench::ns(100));
}

TEST(LongCalls, ACopyThatWaitedForAnotherStreamWasNotSubmittedLate) {
  ProfileBench bench;
  bench.kernel("a", 10, 5'000, 1, 2);
  GpuActivity& copy = bench.kernel("", 5'012, 20, 2, 100);
  copy.work = Work::kCopyToHost;
  copy.bytes = 4096;
  bench.profile.calls.back().duration = ProfileBench::ns(4'935);
  const Workload workload = workloads_of(bench.profile, Collectives::kKeep).front();
  EXPECT_EQ(workload.operations[1].call_start, ProfileBench::ns(100));
  EXPECT_TRUE(workload.operations[1].blocks_host);
}

TEST(LongCalls, OneInTheFirstRoundOfALoopIsNoMeanWithTheOthers) {
  Trace trace;
  trace.kernel("a", 10, 1'000, 7, 0);
  trace.call(20, 80'000).work("a", 80'022, 1'000, 7);
  for (int i = 0; i < 100; ++i) trace.kernel("a", 81'023 + 1'001 * i, 1'000, 7, 80'030 + 10 * i);  // GPU-bound
  expect_span(imported(trace), 81'023 + 1'001 * 99 + 1'000 - 10);
}

TEST(LongCalls, ManyDoNotMakeAClockSeemBehind) {
  ProfileBench bench;
  for (int i = 0; i < 20; ++i) {
    bench.kernel("k", 50'000 * i + 40'003, 10, 0, 50'000 * i);
    bench.profile.calls.back().duration = ProfileBench::ns(40'000);
  }
  EXPECT_EQ(workloads_of(bench.profile, Collectives::kKeep).front().clock_leads.at(1), 0);
}

TEST(LongCalls, OnesOfSixtyMicrosecondsThatAreWaitedForKeepTheirTime) {
  Trace trace;
  for (int i = 0; i < 100; ++i) {
    const double at = 1'000 + 150.0 * i;
    trace.call(at, 60).work("k", at + 61, 30, 7);
    trace.wait(at + 64, 30);
  }
  const ImportedApplication application = imported(trace);
  expect_span(application, 150 * 99 + 30, 0.02);  // a launch is some us here, whatever the call
  EXPECT_THAT(application.assumptions, ::testing::Not(Contains(HasSubstr("clock"))));
}

TEST(LongCalls, AFirstOneOfSecondsIsACallAllTheSame) {
  ProfileBench bench;
  bench.kernel("k", 3'000'003, 10, 0, 0);
  bench.profile.calls.back().duration = ProfileBench::ns(3'000'000);
  const Workload workload = workloads_of(bench.profile, Collectives::kKeep).front();
  EXPECT_TRUE(workload.operations[0].has_call);
}

// ---- a full queue --------------------------------------------------------------------------------------------

// Two launches of a graph of 300 kernels, the second shorter than the first; nothing is queued when they are made.
TEST(FullQueue, ACallThatIsShorterThanOthersTakesNoTimeBack) {
  Trace trace;
  trace.call(0, 1'000);
  for (int i = 0; i < 300; ++i) trace.work("a", 1'003 + 4 * i, 3.5, 7);
  trace.wait(1'010, 1'200);
  trace.call(5'000, 880);
  for (int i = 0; i < 300; ++i) trace.work("a", 5'883 + 4 * i, 3.5, 7);
  trace.wait(5'890, 1'200);
  trace.kernel("b", 7'110, 50, 7, 7'100);
  expect_span(imported(trace), 7'160 - 1'003);
}

TEST(FullQueue, ACallWaitsForRoomOnceHoweverMuchItSubmits) {
  ProfileBench bench;
  for (int i = 0; i < 400; ++i) bench.kernel("k", 100 + 100 * i, 100, 0, 90 + 5 * i);
  bench.kernel("node", 40'100, 100, 0, 2'100);
  bench.profile.calls.back().duration = ProfileBench::ns(10'000);
  for (int i = 1; i < 10; ++i) {
    GpuActivity node = bench.profile.activities.back();
    node.start += ProfileBench::ns(100);
    bench.profile.activities.push_back(node);
  }
  bench.kernel("behind", 41'100, 100, 0, 15'000);
  const Workload workload = workloads_of(bench.profile, Collectives::kKeep).front();
  const KernelGroups groups = group_kernels(bench.profile, workload, {});
  const HostProgram program = host_program(bench.profile, workload, groups, {3'000, 10'000});
  // The call ends at 12,100 us; from then to 15,000 us the host does something of its own.
  EXPECT_NEAR(program.steps.back().cpu_before, ProfileBench::ns(2'900), ProfileBench::ns(40));
  EXPECT_THAT(program.notes, Contains(HasSubstr("ms of launch calls that waited for room")));
}

// ---- before the GPU's first operation ------------------------------------------------------------------------

TEST(BeforeTheRecording, CallsHaveNoTimeBetweenThem) {
  Trace trace;
  for (int i = 0; i < 60; ++i) trace.kernel("a", 30'000 + 40 * i, 39, 7, 200 * i);
  const ImportedApplication application = imported(trace);
  expect_span(application, 40 * 59 + 39);
  EXPECT_THAT(application.assumptions, Contains(HasSubstr("60 operations were called more than 100 us before")));
}

TEST(BeforeTheRecording, CallsOfSeveralThreadsHaveNoTimeBetweenThem) {
  Trace trace;
  for (int i = 0; i < 40; ++i) {
    trace.call(300 * i, 5, 6).work("a", 30'000 + 100 * i, 99, 7, 54);
    trace.call(300 * i + 100, 5, 8).work("b", 30'010 + 100 * i, 99, 8, 54);
  }
  expect_span(imported(trace), 10 + 100 * 39 + 99);
}

TEST(BeforeTheRecording, CallsTakeNoLongerThanTheWorkAheadOfThem) {
  Trace trace;
  for (int i = 0; i < 500; ++i) trace.kernel("a", 30'000 + 1.5 * i, 1.2, 7, 20 * i, 64);
  expect_span(imported(trace), 1.5 * 499 + 1.2);
}

TEST(BeforeTheRecording, WhatComesThenKeepsItsTime) {
  Trace trace;
  for (int i = 0; i < 30; ++i) trace.kernel("a", 30'000 + 40 * i, 39, 7, 200 * i);  // until 31,200
  for (int i = 0; i < 50; ++i) trace.kernel("a", 32'008 + 500 * i, 39, 7, 32'000 + 500 * i);
  expect_span(imported(trace), 2'008 + 500 * 49 + 39);
}

}  // namespace
}  // namespace tessera::importer::test
