// SPDX-License-Identifier: Apache-2.0
// What rows of measurements are predicted from, on record logs written by hand. A cycle is a microsecond.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign/silicon/arrivals.h"
#include "campaign/silicon/kernel_rates.h"
#include "campaign/silicon/run_times.h"
#include "campaign/silicon/slices.h"
#include "campaign/silicon/starts.h"
#include "campaign/silicon/suspensions.h"
#include "campaign/silicon/thread_blocks.h"
#include "model/spec/spec.h"

namespace tessera::campaign {
namespace {

using record::Kind;
using record::Record;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

spec::Spec two_processes() {
  spec::Spec spec;
  spec.gpu.clock_hz = 1'000'000;
  spec.gpu.framework.pipeline_drain_cycles = 0;
  spec.processes.resize(2);
  spec.applications.resize(1);
  spec.applications[0].kernels.resize(2);
  return spec;
}

class Log {
 public:
  explicit Log(record::ISink& sink) : sink_(sink) {}

  void run(Cycle cycle, Kind kind, std::uint16_t process, std::uint32_t run) {
    Record record;
    record.cycle = cycle;
    record.kind = kind;
    record.process = process;
    record.run = run;
    sink_.consume(record);
  }
  void stopped(Cycle cycle, std::uint16_t process, Cycle took) {
    Record record;
    record.cycle = cycle;
    record.kind = Kind::kTaskStopped;
    record.process = process;
    record.cycles = took;
    sink_.consume(record);
  }
  void launch(Cycle cycle, Kind kind, std::uint32_t launch, std::uint16_t process = record::kNoIndex) {
    Record record;
    record.cycle = cycle;
    record.kind = kind;
    record.launch = launch;
    record.process = process;
    sink_.consume(record);
  }
  void kernel(Cycle cycle, Kind kind, std::uint32_t launch, std::uint16_t process, std::uint16_t kernel,
              std::uint64_t num_tbs = 0) {
    Record record;
    record.cycle = cycle;
    record.kind = kind;
    record.launch = launch;
    record.process = process;
    record.kernel = kernel;
    record.value = num_tbs;
    sink_.consume(record);
  }
  void tb(Cycle cycle, Kind kind, std::uint32_t launch, std::uint16_t sm, std::uint16_t slot) {
    Record record;
    record.cycle = cycle;
    record.kind = kind;
    record.launch = launch;
    record.sm = sm;
    record.slot = slot;
    sink_.consume(record);
  }
  void preempt(Cycle cycle, std::uint32_t launch) {
    Record record;
    record.cycle = cycle;
    record.kind = Kind::kPreemptionRequested;
    record.technique = record::Technique::kContextSwitch;
    record.launch = launch;
    sink_.consume(record);
  }

 private:
  record::ISink& sink_;
};

// ---- runs --------------------------------------------------------------------------------------------------------

TEST(RunTimesSink, ARunBeginsWithItsStartUnlessItIsReleased) {
  spec::Spec spec = two_processes();
  spec.processes[1].releases.emplace();
  RunTimesSink sink(spec);
  Log log(sink);
  log.run(10, Kind::kRunStarted, 0, 0);
  log.run(20, Kind::kRunReleased, 1, 0);
  log.run(30, Kind::kRunReleased, 1, 1);
  log.run(25, Kind::kRunStarted, 1, 0);
  log.run(45, Kind::kRunEnded, 0, 0);
  log.run(60, Kind::kRunEnded, 1, 0);
  log.run(60, Kind::kRunStarted, 1, 1);
  log.run(90, Kind::kRunEnded, 1, 1);
  EXPECT_THAT(sink.processes()[0].latencies(), ElementsAre(35));
  EXPECT_THAT(sink.processes()[1].latencies(), ElementsAre(40, 60));
  EXPECT_DOUBLE_EQ(sink.processes()[1].longest(), 60);
}

TEST(RunTimesSink, ThroughputIsOfTheTimeBetweenFirstBeginAndLastEnd) {
  RunTimesSink sink(two_processes());
  Log log(sink);
  for (std::uint32_t run = 0; run < 4; ++run) {
    log.run(1000 + 100 * run, Kind::kRunStarted, 0, run);
    log.run(1100 + 100 * run, Kind::kRunEnded, 0, run);
  }
  log.run(1400, Kind::kRunStarted, 0, 4);  // does not end
  EXPECT_DOUBLE_EQ(sink.processes()[0].per_second(), 4 / 400e-6);
  EXPECT_DOUBLE_EQ(sink.processes()[1].per_second(), 0);
  EXPECT_DOUBLE_EQ(sink.processes()[1].longest(), 0);
}

// ---- arrivals ----------------------------------------------------------------------------------------------------

TEST(ArrivalSink, TimesRunFromTheCallToTheFirstThreadBlockOfItsOwn) {
  ArrivalSink sink(two_processes(), 0);
  Log log(sink);
  log.launch(0, Kind::kKernelArrived, 1, 1);
  log.launch(2, Kind::kTbIssued, 1);
  log.run(100, Kind::kRunStarted, 0, 0);
  log.launch(108, Kind::kKernelArrived, 2, 0);
  log.launch(120, Kind::kTbIssued, 1);
  log.launch(260, Kind::kTbIssued, 2);
  log.launch(270, Kind::kTbIssued, 2);
  log.launch(280, Kind::kKernelFinished, 2, 0);
  log.run(283, Kind::kRunEnded, 0, 0);
  EXPECT_THAT(sink.to_first_block(), ElementsAre(160));
  EXPECT_THAT(sink.to_end(), ElementsAre(183));
}

TEST(ArrivalSink, ARunOfAnotherProcessAndOneThatDoesNotEndAreNone) {
  ArrivalSink sink(two_processes(), 0);
  Log log(sink);
  log.run(10, Kind::kRunStarted, 1, 0);
  log.launch(11, Kind::kKernelArrived, 1, 1);
  log.launch(12, Kind::kTbIssued, 1);
  log.run(20, Kind::kRunEnded, 1, 0);
  log.run(30, Kind::kRunStarted, 0, 0);
  log.launch(31, Kind::kKernelArrived, 2, 0);
  log.launch(32, Kind::kTbIssued, 2);
  EXPECT_THAT(sink.to_first_block(), IsEmpty());
}

TEST(ArrivalSink, EachRunIsTimedFromItsOwnCall) {
  ArrivalSink sink(two_processes(), 0);
  Log log(sink);
  for (std::uint32_t run = 0; run < 2; ++run) {
    const Cycle call = 1000 * (run + 1);
    log.run(call, Kind::kRunStarted, 0, run);
    log.launch(call + 5, Kind::kKernelArrived, run, 0);
    log.launch(call + 9 + run, Kind::kTbIssued, run);
    log.launch(call + 19, Kind::kKernelFinished, run, 0);
    log.run(call + 30, Kind::kRunEnded, 0, run);
  }
  EXPECT_THAT(sink.to_first_block(), ElementsAre(9, 10));
}

// ---- slices ------------------------------------------------------------------------------------------------------

// Context 0 runs until 1000, 1 from 1150 to 2100, 0 again from 2250 to 3200 and 1 from 3360: the first slice, in which
// 1 had not come yet, does not count.
TEST(SliceSink, ASliceRunsFromFirstStartToLastStopAndIsFollowedByNobody) {
  SliceSink sink(two_processes());
  Log log(sink);
  log.launch(0, Kind::kKernelArrived, 7, 0);
  log.launch(100, Kind::kKernelArrived, 8, 1);
  log.launch(1, Kind::kTbIssued, 7);
  log.launch(2, Kind::kTbIssued, 7);
  log.preempt(999, 7);
  log.preempt(1000, 7);
  log.launch(1150, Kind::kTbIssued, 8);
  log.launch(1160, Kind::kTbIssued, 8);
  log.preempt(2090, 8);
  log.preempt(2100, 8);
  log.launch(2250, Kind::kTbRestored, 7);
  log.launch(2260, Kind::kTbRestored, 7);
  log.preempt(3200, 7);
  log.launch(3360, Kind::kTbRestored, 8);
  EXPECT_THAT(sink.periods(), ElementsAre(1100, 1110));
  EXPECT_THAT(sink.runs(), ElementsAre(950, 950));
  EXPECT_THAT(sink.nobody_runs(), ElementsAre(150, 160));
}

TEST(SliceSink, WhatIsInFlightExecutesForTheTimeOfThePipelineDrain) {
  spec::Spec spec = two_processes();
  spec.gpu.framework.pipeline_drain_cycles = 3;
  SliceSink sink(spec);
  Log log(sink);
  log.launch(0, Kind::kKernelArrived, 7, 0);
  log.launch(0, Kind::kKernelArrived, 8, 1);
  log.launch(1, Kind::kTbIssued, 8);
  log.preempt(50, 8);
  log.launch(100, Kind::kTbIssued, 7);
  log.preempt(400, 7);
  log.launch(540, Kind::kTbRestored, 8);
  EXPECT_THAT(sink.runs(), ElementsAre(303));
  EXPECT_THAT(sink.nobody_runs(), ElementsAre(137));
}

TEST(SliceSink, AKernelThatEndsStopsToo) {
  SliceSink sink(two_processes());
  Log log(sink);
  log.launch(0, Kind::kKernelArrived, 7, 0);
  log.launch(0, Kind::kKernelArrived, 8, 1);
  log.launch(1, Kind::kTbIssued, 8);
  log.preempt(50, 8);
  log.launch(100, Kind::kTbIssued, 7);
  log.launch(400, Kind::kTbFinished, 7);
  log.launch(540, Kind::kTbRestored, 8);
  EXPECT_THAT(sink.runs(), ElementsAre(300));
  EXPECT_THAT(sink.nobody_runs(), ElementsAre(140));
}

// ---- suspensions -------------------------------------------------------------------------------------------------

TEST(SuspensionSink, ASuspensionTakesUntilTheDriverKnowsThatTheTaskHasStopped) {
  SuspensionSink sink(two_processes(), 1);
  Log log(sink);
  log.run(10, Kind::kTaskSuspended, 1, 0);
  log.stopped(260, 1, 250);
  log.stopped(300, 0, 90);  // another process's
  log.run(500, Kind::kTaskSuspended, 1, 0);
  log.stopped(525, 1, 25);
  log.run(900, Kind::kTaskSuspended, 1, 0);  // does not come to its end
  EXPECT_THAT(sink.took(), ElementsAre(250, 25));
}

// ---- rates -------------------------------------------------------------------------------------------------------

TEST(KernelRateSink, ARateIsThreadBlocksOverTheTimeInWhichTheKernelIsActive) {
  KernelRateSink sink(two_processes(), 0);
  Log log(sink);
  log.kernel(10, Kind::kKernelActivated, 1, 0, 0);
  log.kernel(10, Kind::kKernelActivated, 2, 1, 0);  // another process's
  log.kernel(30, Kind::kKernelFinished, 1, 0, 0, 40);
  log.kernel(40, Kind::kKernelFinished, 2, 1, 0, 300);
  log.kernel(100, Kind::kKernelActivated, 3, 0, 1);
  log.kernel(110, Kind::kKernelActivated, 4, 0, 0);  // does not end
  log.kernel(108, Kind::kKernelFinished, 3, 0, 1, 4);
  EXPECT_THAT(sink.rates_of(0), ElementsAre(2));
  EXPECT_THAT(sink.rates_of(1), ElementsAre(0.5));
}

// ---- thread blocks -----------------------------------------------------------------------------------------------

TEST(ThreadBlocks, InOneInstantTheEndComesBeforeTheStart) {
  EXPECT_EQ(most_at_once({0, 1, 5, 5}, {5, 6, 7, 8}), 3);
  EXPECT_EQ(most_at_once({0, 5}, {5, 9}), 1);
  EXPECT_EQ(most_at_once({}, {}), 0);
}

TEST(ThreadBlocks, EvenAreTheSmsThatHadOneBeforeAnyHasItsThird) {
  EXPECT_EQ(even_sms({7, 8, 7, 9, 7, 10}), 3);
  EXPECT_EQ(even_sms({7, 8, 7, 8}), 2);
}

TEST(ThreadBlockSink, ATurnaroundIsFromAnEndToTheNextStartInThePlace) {
  ThreadBlockSink sink(two_processes(), {0});
  Log log(sink);
  log.kernel(0, Kind::kKernelArrived, 1, 0, 0);
  log.kernel(0, Kind::kKernelArrived, 2, 1, 0);
  log.tb(10, Kind::kTbIssued, 1, 3, 0);
  log.tb(11, Kind::kTbIssued, 1, 3, 1);
  log.tb(12, Kind::kTbIssued, 2, 4, 0);  // another process's
  log.tb(20, Kind::kTbFinished, 1, 3, 0);
  log.tb(24, Kind::kTbIssued, 1, 3, 0);
  log.tb(30, Kind::kTbFinished, 1, 3, 1);
  log.tb(30, Kind::kTbFinished, 2, 4, 0);
  log.tb(37, Kind::kTbIssued, 1, 3, 1);  // does not end
  log.tb(40, Kind::kTbFinished, 1, 3, 0);
  EXPECT_THAT(sink.turnarounds(), ElementsAre(4, 7));
  EXPECT_THAT(sink.sms(), ElementsAre(3, 3, 3, 3));
  EXPECT_THAT(sink.starts(), ElementsAre(10, 11, 24));
  EXPECT_THAT(sink.ends(), ElementsAre(20, 30, 40));
}

// ---- starts ------------------------------------------------------------------------------------------------------

// Kernel 1 arrives at 100 and places four thread blocks; one of another launch starts before the first of them, and
// one at the same time as it, which is neither between nor later.
TEST(StartSink, StartsOfALaunchCountFromItsFirstOneAndThoseOfOthersFromItsArrivalToo) {
  StartSink sink(two_processes(), 0, 1);
  Log log(sink);
  log.kernel(10, Kind::kKernelActivated, 1, 0, 0);
  log.tb(11, Kind::kTbIssued, 1, 0, 0);
  log.kernel(100, Kind::kKernelActivated, 2, 0, 1);
  log.tb(105, Kind::kTbIssued, 1, 1, 0);
  log.tb(110, Kind::kTbIssued, 1, 2, 0);
  log.tb(110, Kind::kTbIssued, 2, 3, 0);
  log.tb(112, Kind::kTbIssued, 2, 4, 0);
  log.tb(115, Kind::kTbIssued, 2, 5, 0);
  log.tb(116, Kind::kTbIssued, 1, 6, 0);
  log.tb(140, Kind::kTbIssued, 2, 7, 0);
  log.tb(150, Kind::kTbIssued, 1, 8, 0);
  log.kernel(160, Kind::kKernelFinished, 2, 0, 1, 4);
  EXPECT_THAT(sink.medians(), ElementsAre(5));
  EXPECT_THAT(sink.lasts(), ElementsAre(30));
  EXPECT_THAT(sink.others_between(), ElementsAre(1));
  EXPECT_THAT(sink.others_since(), ElementsAre(3));
}

TEST(StartSink, EachLaunchOfTheKernelHasItsOwn) {
  StartSink sink(two_processes(), 1, 0);
  Log log(sink);
  for (std::uint32_t launch = 0; launch < 2; ++launch) {
    log.kernel(100 * launch, Kind::kKernelActivated, launch, 1, 0);
    log.tb(100 * launch + 1, Kind::kTbIssued, launch, 0, 0);
    log.tb(100 * launch + 5 + launch, Kind::kTbIssued, launch, 1, 0);
    log.kernel(100 * launch + 50, Kind::kKernelFinished, launch, 1, 0, 2);
  }
  log.kernel(300, Kind::kKernelActivated, 2, 0, 0);  // another process's
  log.tb(301, Kind::kTbIssued, 2, 0, 0);
  log.kernel(350, Kind::kKernelFinished, 2, 0, 0, 1);
  EXPECT_THAT(sink.lasts(), ElementsAre(4, 5));
  EXPECT_THAT(sink.others_since(), ElementsAre(0, 0));
}

}  // namespace
}  // namespace tessera::campaign
