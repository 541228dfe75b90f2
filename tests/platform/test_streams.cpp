// SPDX-License-Identifier: Apache-2.0
// What streams, events, start times and numbers of runs mean (docs/concepts/streams.md), on the tiny machine and to the
// cycle.
#include "tests/platform/machine_bench.h"
#include "tlm/driver/address_map.h"

namespace tessera::platform::test {
namespace {

using spec::CopyDirection;
using testing::ElementsAre;

constexpr Cycle kLongTb = 200'000;
constexpr Cycle kShortTb = 10'000;

// A process with kernels of one TB each, `a` (long) and `b`, `c`, `d` (short), and two events.
spec::ApplicationSpec& add_streams(spec::Spec& spec, std::vector<spec::HostStep> program) {
  add_process(spec,
              {kernel_of("a", 1, kLongTb), kernel_of("b", 1, kShortTb), kernel_of("c", 1, kShortTb),
               kernel_of("d", 1, kShortTb)},
              std::move(program));
  spec.applications.back().events = {"e", "f"};
  return spec.applications.back();
}

// As add_streams, with a NULL stream.
spec::ApplicationSpec& add_legacy(spec::Spec& spec, std::vector<spec::HostStep> program) {
  spec::ApplicationSpec& application = add_streams(spec, std::move(program));
  application.default_stream = spec::DefaultStream::kLegacy;
  return application;
}

Cycle arrived(const Log& log, std::uint16_t kernel) { return log.when(Kind::kKernelArrived, 0, kernel); }
Cycle finished(const Log& log, std::uint16_t kernel) { return log.when(Kind::kKernelFinished, 0, kernel); }

// From the end of what a wait was for to the arrival of the launch behind it: two looks if the wait was for a record,
// which is a command of its own.
Cycle behind_kernel(const HostLatencies& host) { return host.dispatch + 1; }
Cycle behind_record(const HostLatencies& host) { return 2 * host.dispatch + 1; }

// ---- events ----------------------------------------------------------------------------------------------------

TEST(Events, AStreamWaitsForWhatAnotherHadBeforeTheRecordAndNotForWhatCameAfter) {
  spec::Spec spec = tiny_platform();
  add_streams(spec, {launch(0, 1), record_event(0, 1), copy_async(CopyDirection::kToHost, 300'000, 1),
                     wait_for_event(0, 2), launch(1, 2)});
  const HostLatencies host(spec);
  const Log log = simulate_checked(spec);
  EXPECT_EQ(arrived(log, 1), finished(log, 0) + behind_record(host));
  EXPECT_LT(finished(log, 1), log.cycles(Kind::kDmaEnded).at(0));
}

TEST(Events, OnlyTheStreamThatWaitsIsHeld) {
  spec::Spec spec = tiny_platform();
  add_streams(spec, {launch(0, 1), record_event(0, 1), wait_for_event(0, 2), launch(1, 2), launch(2, 3)});
  const Log log = simulate_checked(spec);
  EXPECT_LT(finished(log, 2), finished(log, 0));
  EXPECT_GT(arrived(log, 1), finished(log, 0));
}

TEST(Events, AWaitIsForTheLastRecordBeforeIt) {
  spec::Spec spec = tiny_platform();
  // `b` waits for the first record only; `c` for the second, behind `a`.
  add_streams(spec, {record_event(0, 1), wait_for_event(0, 2), launch(1, 2), launch(0, 1), record_event(0, 1),
                     wait_for_event(0, 3), launch(2, 3)});
  const Log log = simulate_checked(spec);
  EXPECT_LT(finished(log, 1), finished(log, 0));
  EXPECT_GT(arrived(log, 2), finished(log, 0));
}

TEST(Events, AWaitForWhatWasNeverRecordedHoldsNobody) {
  spec::Spec spec = tiny_platform();
  add_streams(spec, {launch(0, 1), wait_for_event(0, 2), launch(1, 2), record_event(0, 1)});
  const HostLatencies host(spec);
  const Log log = simulate_checked(spec);
  EXPECT_EQ(arrived(log, 1), 3 * host.launch + host.to_arrival());  // a launch, a wait and a launch were called
}

TEST(Events, TheHostMaySynchroniseWithOne) {
  spec::Spec spec = tiny_platform();
  add_streams(spec, {launch(1, 1), record_event(0, 1), launch(0, 1), synchronise_event(0), launch(2, 2)});
  const HostLatencies host(spec);
  spec.applications[0].kernels[1].tb_time = kLongTb * kCyclePs;
  const Log log = simulate_checked(spec);
  EXPECT_EQ(arrived(log, 2), finished(log, 1) + host.to_process() + host.launch + host.to_arrival());
  EXPECT_LT(arrived(log, 2), finished(log, 0));
}

TEST(Events, ToSynchroniseWithOneThatIsOverOrWasNeverRecordedCostsTheCallOnly) {
  spec::Spec spec = tiny_platform();
  add_streams(spec, {synchronise_event(1), synchronise_event(1), launch(1, 1)});
  const HostLatencies host(spec);
  EXPECT_EQ(arrived(simulate_checked(spec), 1), 2 * host.synchronise + host.launch + host.to_arrival());
}

TEST(Events, CopiesAreWaitedForToo) {
  spec::Spec spec = tiny_platform();
  add_streams(spec,
              {copy_async(CopyDirection::kToGpu, 300'000, 1), record_event(0, 1), wait_for_event(0, 2), launch(1, 2)});
  const HostLatencies host(spec);
  const Log log = simulate_checked(spec);
  EXPECT_EQ(arrived(log, 1), log.cycles(Kind::kDmaEnded).at(0) + behind_record(host));
}

// Each stream waits for the other, again and again, and all share one queue or two: a wait is for what was submitted
// before it, so none waits for ever.
TEST(Events, StreamsThatWaitForEachOtherDoNotDeadlockWhateverTheyShare) {
  for (const std::uint32_t num_queues : {1U, 2U, 3U}) {
    spec::Spec spec = tiny_platform();
    spec.gpu.num_hardware_queues = num_queues;
    add_streams(spec, {loop(40, {wait_for_event(1, 0), launch(1, 0), record_event(0, 0), wait_for_event(0, 1),
                                 launch(2, 1), record_event(1, 1), launch(3, 2), wait_for_event(1, 2)})});
    spec.stop.min_runs = 2;
    const Log log = simulate_checked(spec);
    EXPECT_EQ(log.result.stop_reason, "min_runs") << num_queues;
    EXPECT_EQ(log.all(Kind::kKernelFinished).size(), 2U * 40 * 3) << num_queues;
  }
}

TEST(Events, MayBeMoreThanARingHolds) {
  constexpr std::uint32_t kRecords = 2 * tlm_model::address_map::kRingEntries;
  spec::Spec spec = tiny_platform();
  spec.host.launch = 0;  // far ahead of the GPU
  add_streams(spec, {loop(kRecords, {launch(1, 1), record_event(0, 1), wait_for_event(0, 2)}), launch(2, 2)});
  const Log log = simulate_checked(spec);
  EXPECT_EQ(log.result.stop_reason, "min_runs");
  EXPECT_GT(arrived(log, 2), log.cycles(Kind::kKernelFinished).at(kRecords - 1));
}

// ---- the NULL stream -------------------------------------------------------------------------------------------

TEST(NullStream, WaitsForEarlierWorkOfAllOthers) {
  spec::Spec spec = tiny_platform();
  add_legacy(spec, {launch(0, 1), launch(1, 2), launch(2, 0)});
  const HostLatencies host(spec);
  const Log log = simulate_checked(spec);
  EXPECT_LT(finished(log, 1), finished(log, 0));  // the others overlap
  // A wait for `a`'s stream and one for `b`'s, which is over by then: two looks behind the former.
  EXPECT_EQ(arrived(log, 2), finished(log, 0) + host.dispatch + behind_kernel(host));
}

TEST(NullStream, IsWaitedForByLaterWorkOfAllOthers) {
  spec::Spec spec = tiny_platform();
  add_legacy(spec, {launch(0, 0), launch(1, 1), launch(2, 2)});
  const HostLatencies host(spec);
  const Log log = simulate_checked(spec);
  // Both at once; but a command buffer is free for the second only when the first has left it.
  EXPECT_EQ(arrived(log, 1), finished(log, 0) + behind_kernel(host));
  EXPECT_LT(log.when(Kind::kKernelActivated, 0, 2), finished(log, 1));
}

TEST(NullStream, HasNothingToDoWithStreamsThatDoNotBlock) {
  spec::Spec spec = tiny_platform();
  spec::ApplicationSpec& application = add_legacy(spec, {launch(0, 1), launch(1, 0), launch(2, 1), launch(3, 2)});
  application.streams = {{"free", {}, true}, {"blocking", {}, false}};
  const Log log = simulate_checked(spec);
  EXPECT_LT(finished(log, 1), finished(log, 0));  // it does not wait for the stream
  EXPECT_GT(arrived(log, 3), finished(log, 1));   // but this one waits for it
}

TEST(NullStream, IsAnOrdinaryStreamWhereEachThreadHasItsOwn) {
  spec::Spec spec = tiny_platform();
  add_streams(spec, {launch(0, 1), launch(1, 0), launch(2, 2)});
  const HostLatencies host(spec);
  const Log log = simulate_checked(spec);
  EXPECT_EQ(arrived(log, 1), 2 * host.launch + host.to_arrival());
  EXPECT_EQ(arrived(log, 2), 3 * host.launch + host.to_arrival());
}

TEST(NullStream, OfOneProcessDoesNotHoldAnother) {
  spec::Spec spec = tiny_platform();
  spec.scheduler.policy = spec::PolicyKind::kDss;
  add_legacy(spec, {launch(0, 0), launch(1, 1)});
  add_legacy(spec, {launch(1, 1)});
  spec.processes[1].runs = 1;
  const Log log = simulate_checked(spec);
  EXPECT_LT(log.when(Kind::kKernelFinished, 1, 1), finished(log, 0));
}

TEST(NullStream, ASynchronousCopyOfItsWaitsForTheOthersToo) {
  spec::Spec spec = tiny_platform();
  add_legacy(spec, {launch(0, 1), copy(CopyDirection::kToHost, 64, 0), launch(1, 2)});
  const Log log = simulate_checked(spec);
  EXPECT_GT(log.cycles(Kind::kDmaStarted).at(0), finished(log, 0));
  EXPECT_GT(arrived(log, 1), log.cycles(Kind::kDmaEnded).at(0));
}

TEST(NullStream, SharesAQueueWithOthersAndStillDoesNotDeadlock) {
  for (const std::uint32_t num_queues : {1U, 2U, 3U}) {
    spec::Spec spec = tiny_platform();
    spec.gpu.num_hardware_queues = num_queues;
    add_legacy(spec, {loop(40, {launch(1, 0), launch(2, 1), launch(3, 2), launch(1, 0), launch(2, 3)})});
    const Log log = simulate_checked(spec);
    EXPECT_EQ(log.result.stop_reason, "min_runs") << num_queues;
    EXPECT_EQ(log.all(Kind::kKernelFinished).size(), 40U * 5) << num_queues;
  }
}

// ---- priorities ------------------------------------------------------------------------------------------------

// Kernels of two streams wait for the one active kernel that the machine can hold, on any model of the engine.
std::vector<std::uint16_t> order_under(spec::PolicyKind policy, Abstraction abstraction) {
  spec::Spec spec = tiny_platform(1);
  spec.gpu.framework.num_ksrs = 1;
  spec.scheduler.policy = policy;
  spec.stop.min_runs = 1;
  spec::ApplicationSpec& application = add_streams(spec, {launch(0, 1), launch(1, 2), launch(2, 3), launch(3, 4)});
  application.streams = {{"s1", {}, false}, {"s2", {}, false}, {"s3", {}, false}, {"urgent", 5, false}};
  MachineOptions options;
  options.abstraction = abstraction;
  std::vector<std::uint16_t> kernels;
  for (const Record& record : simulate_checked(spec, options).all(Kind::kKernelFinished)) {
    kernels.push_back(record.kernel);
  }
  return kernels;
}

// `a` is active, `b` is in the command buffer: `d`, of the urgent stream, overtakes `c`.
TEST(StreamPriorities, OvertakeWhatWaitsForTheCommandBufferOnEveryModel) {
  EXPECT_THAT(order_under(spec::PolicyKind::kNpq, Abstraction::kTlm), ElementsAre(0, 1, 3, 2));
  EXPECT_THAT(order_under(spec::PolicyKind::kNpq, Abstraction::kRtlModel), ElementsAre(0, 1, 3, 2));
}

TEST(StreamPriorities, RankTheStreamsOfAProcessWhateverItsOwnIs) {
  spec::Spec spec = tiny_platform(1);
  spec.gpu.framework.num_ksrs = 4;
  spec.scheduler.policy = spec::PolicyKind::kPpq;
  spec.scheduler.technique = spec::TechniqueKind::kDrain;
  // `c` goes before `d`, and `b`, whose stream has none, goes last.
  spec::ApplicationSpec& application = add_streams(spec, {launch(0, 0), launch(3, 1), launch(1, 2), launch(2, 3)});
  application.streams = {{"middle", 4, false}, {"none", {}, false}, {"urgent", 6, false}};
  spec.processes[0].priority = 5;
  const Log log = simulate_checked(spec);
  EXPECT_LT(finished(log, 0), finished(log, 2));
  EXPECT_LT(finished(log, 2), finished(log, 3));
  EXPECT_LT(finished(log, 3), finished(log, 1));
}

TEST(StreamPriorities, CountBetweenProcessesOnlyWhereTheseAreEqual) {
  spec::Spec spec = tiny_platform(1);
  spec.gpu.framework.num_ksrs = 4;
  spec.scheduler.policy = spec::PolicyKind::kPpq;
  spec.scheduler.technique = spec::TechniqueKind::kContextSwitch;
  add_streams(spec, {launch(0, 0)});
  spec.processes[0].priority = 5;
  spec::ApplicationSpec& other = add_streams(spec, {launch(1, 1)});
  other.streams = {{"urgent", 6, false}};
  spec.processes[1].start = 50'000 * kCyclePs;
  spec.processes[1].runs = 1;
  EXPECT_EQ(simulate_checked(spec).all(Kind::kPreemptionRequested).size(), 0U);
  spec.processes[1].priority = 5;
  EXPECT_EQ(simulate_checked(spec).all(Kind::kPreemptionRequested).size(), 1U);
  spec.processes[0].priority = 6;
  EXPECT_EQ(simulate_checked(spec).all(Kind::kPreemptionRequested).size(), 0U);
}

// ---- start times -----------------------------------------------------------------------------------------------

TEST(StartTimes, TheHostCallsALaunchNoEarlier) {
  spec::Spec spec = tiny_platform();
  add_streams(spec, {launch_at(40'000, 1)});
  const HostLatencies host(spec);
  EXPECT_EQ(arrived(simulate_checked(spec), 1), 40'000 + host.launch + host.to_arrival());
}

TEST(StartTimes, ThatHavePassedDelayNothing) {
  spec::Spec spec = tiny_platform();
  add_streams(spec, {cpu(50'000), launch_at(40'000, 1)});
  const HostLatencies host(spec);
  EXPECT_EQ(arrived(simulate_checked(spec), 1), 50'000 + host.launch + host.to_arrival());
}

TEST(StartTimes, CountFromTheRunAndNotFromTheProcess) {
  spec::Spec spec = tiny_platform();
  add_streams(spec, {launch_at(400'000, 1)});
  spec.processes[0].start = 7'000 * kCyclePs;
  spec.stop.min_runs = 2;
  const HostLatencies host(spec);
  const Log log = simulate_checked(spec);
  const std::vector<Cycle> started = log.cycles(Kind::kRunStarted);
  const std::vector<Cycle> arrivals = log.cycles(Kind::kKernelArrived);
  EXPECT_EQ(started.at(0), 7'000U);
  for (std::size_t run = 0; run < 2; ++run) {
    EXPECT_EQ(arrivals.at(run), started.at(run) + 400'000 + host.launch + host.to_arrival());
  }
}

// ---- runs ------------------------------------------------------------------------------------------------------

TEST(Runs, AProcessEndsAfterThemAndItsMetricsAreThose) {
  spec::Spec spec = tiny_platform();
  add_streams(spec, {launch(1, 0)});
  spec.processes[0].runs = 2;
  add_process(spec, {kernel_of("k", 1, kLongTb)}, {launch(0)});
  spec.stop.min_runs = 2;
  const Log log = simulate_checked(spec);
  const std::vector<Record> ended = log.all(Kind::kRunEnded, 0);
  ASSERT_EQ(ended.size(), 2U);
  EXPECT_EQ(log.all(Kind::kRunStarted, 0).size(), 2U) << "and no third is begun";
  EXPECT_LT(ended[1].cycle, log.cycles(Kind::kRunEnded, 1).at(1));
  EXPECT_EQ(log.result.processes[0].runs, 2U);
  EXPECT_EQ(log.result.processes[0].turnaround_cycles, ended[0].cycles + ended[1].cycles);
}

TEST(Runs, AllOfAForegroundProcessAreWaitedForThoughTheStopRuleAsksForFewer) {
  spec::Spec spec = tiny_platform();
  add_streams(spec, {launch(1, 0)});
  spec.processes[0].runs = 5;
  spec.stop.min_runs = 1;
  const Log log = simulate_checked(spec);
  EXPECT_EQ(log.result.stop_reason, "min_runs");
  EXPECT_EQ(log.result.processes[0].runs, 5U);
}

TEST(Runs, OfABackgroundProcessAreNot) {
  spec::Spec spec = tiny_platform();
  add_streams(spec, {launch(1, 0)});
  spec::ProcessSpec& background = add_process(spec, {kernel_of("k", 1, 100 * kLongTb)}, {launch(0)});
  background.is_background = true;
  background.runs = 1;
  const Log log = simulate_checked(spec);
  EXPECT_EQ(log.result.stop_reason, "min_runs");
  EXPECT_EQ(log.result.processes[1].runs, 0U);
}

}  // namespace
}  // namespace tessera::platform::test
