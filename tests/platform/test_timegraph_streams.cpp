// SPDX-License-Identifier: Apache-2.0
// Streams, events and engines under TimeGraph: groups wait for each other as docs/concepts/streams.md says, and no
// command of its own asks how far the GPU has come.
#include "tests/platform/timegraph_machine.h"

namespace tessera::platform::test {
namespace {

using spec::CopyDirection;
using testing::ElementsAre;

constexpr Cycle kTgLongTb = 400'000;
constexpr Cycle kTgShortTb = 20'000;
constexpr Cycle kTgTail = 100;  // so that the simulation does not end with the last completion
enum KernelOfStreams : std::uint16_t { kTgLong, kTgShort };

// One HT process, whose groups of several streams may all be on the GPU.
spec::Spec chain_of(std::vector<spec::HostStep> program) {
  spec::Spec spec = timegraph_platform();
  add_process(spec, {kernel_of("long", 1, kTgLongTb), kernel_of("short", 1, kTgShortTb)}, std::move(program));
  spec.applications.back().events = {"e", "f"};
  add_entry(spec, GroupDispatch::kHt, 1);
  return spec;
}

TEST(TimegraphStreams, RunBesideEachOtherInAChain) {
  const Log log = simulate_checked(chain_of({launch(kTgLong, 0), launch(kTgShort, 1)}));
  EXPECT_LT(log.when(Kind::kKernelFinished, 0, kTgShort), log.when(Kind::kKernelFinished, 0, kTgLong));
}

TEST(TimegraphStreams, UnderPrtTheyDoNot) {
  spec::Spec spec = chain_of({launch(kTgLong, 0), launch(kTgShort, 1)});
  spec.driver.entries.back().dispatch = GroupDispatch::kPrt;
  const GroupPath path(spec);
  const Log log = simulate_checked(spec);
  EXPECT_EQ(
      log.when(Kind::kKernelArrived, 0, kTgShort),
      log.when(Kind::kKernelFinished, 0, kTgLong) + path.host.to_process() + path.completion + path.host.to_arrival());
}

// The wait goes with the next group: the dispatcher looks at it again when the fence of the recorded group has passed.
TEST(TimegraphStreams, AnAwaitedEventHoldsTheNextGroupOnTheGpu) {
  const spec::Spec spec = chain_of({launch(kTgLong, 0), record_event(0, 0), wait_for_event(0, 1), launch(kTgShort, 1)});
  const HostLatencies host(spec);
  const Log log = simulate_checked(spec);
  const Cycle finished = log.when(Kind::kKernelFinished, 0, kTgLong);
  EXPECT_LT(told(log, Kind::kGroupSubmitted).at(1), finished);  // its doorbell was rung before
  // The fence, then the kernel: the wait itself has been looked at before, and ends with the fence.
  EXPECT_EQ(log.when(Kind::kKernelArrived, 0, kTgShort), finished + 2 * host.dispatch + 1);
}

TEST(TimegraphStreams, AnEventThatHasPassedHoldsNobody) {
  const spec::Spec spec =
      chain_of({launch(kTgLong, 0), record_event(0, 0), synchronise(0), wait_for_event(0, 1), launch(kTgShort, 1)});
  const GroupPath path(spec);
  const Log log = simulate_checked(spec);
  EXPECT_EQ(log.when(Kind::kKernelArrived, 0, kTgShort), log.when(Kind::kKernelFinished, 0, kTgLong) +
                                                             path.host.to_process() + 2 * path.host.launch +
                                                             path.arrival + path.host.to_arrival());
}

TEST(TimegraphStreams, WhoSynchronisesWithAnEventOrAStreamIsWokenByItsCompletion) {
  for (const spec::HostStep& wait : {synchronise_event(0), synchronise(0), synchronise()}) {
    const spec::Spec spec =
        chain_of({launch(kTgShort, 0), record_event(0, 0), wait, launch(kTgLong, 1), synchronise(), cpu(kTgTail)});
    const GroupPath path(spec);
    const Log log = simulate_checked(spec);
    EXPECT_EQ(told(log, Kind::kGroupArrived).at(1),
              log.when(Kind::kKernelFinished, 0, kTgShort) + path.host.to_process() + path.host.launch);
    EXPECT_EQ(log.all(Kind::kGroupDone).size(), 2U);  // events are no groups
  }
}

TEST(TimegraphStreams, TheNullStreamWaitsForTheOthersAndTheyForIt) {
  spec::Spec spec = chain_of({launch(kTgLong, 1), launch(kTgShort, 0), launch(kTgLong, 1)});
  spec.applications.back().default_stream = spec::DefaultStream::kLegacy;
  const HostLatencies host(spec);
  const Log log = simulate_checked(spec);
  const std::vector<Cycle> arrived = log.cycles(Kind::kKernelArrived);
  const std::vector<Cycle> finished = log.cycles(Kind::kKernelFinished);
  ASSERT_EQ(arrived.size(), 3U);
  for (const std::size_t nth : {1, 2}) EXPECT_EQ(arrived[nth], finished[nth - 1] + 2 * host.dispatch + 1) << nth;
}

// What a stream waits for holds whoever waits for the stream, though nothing was put into it since.
TEST(TimegraphStreams, AnEventBehindAWaitHasWhatThatWaitsFor) {
  const spec::Spec spec = chain_of({launch(kTgLong, 0), record_event(0, 0), wait_for_event(0, 1), record_event(1, 1),
                                    synchronise_event(1), launch(kTgShort, 2)});
  const Log log = simulate_checked(spec);
  EXPECT_GT(log.when(Kind::kKernelArrived, 0, kTgShort), log.when(Kind::kKernelFinished, 0, kTgLong));
}

TEST(TimegraphStreams, WhoSynchronisesWithAStreamWaitsForItsWaitsToo) {
  const spec::Spec spec =
      chain_of({launch(kTgLong, 0), record_event(0, 0), wait_for_event(0, 1), synchronise(1), launch(kTgShort, 2)});
  const Log log = simulate_checked(spec);
  EXPECT_GT(log.when(Kind::kKernelArrived, 0, kTgShort), log.when(Kind::kKernelFinished, 0, kTgLong));
}

TEST(TimegraphStreams, RecordsAndWaitsInTheNullStreamAreWorkInIt) {
  const std::vector<std::vector<spec::HostStep>> programs = {
      // A record waits for the other streams.
      {launch(kTgLong, 1), record_event(0, 0), synchronise_event(0), launch(kTgShort, 3)},
      // What comes later in another stream waits for the record.
      {launch(kTgLong, 1), record_event(0, 0), launch(kTgShort, 2)},
      // The NULL stream waits for another stream's wait.
      {launch(kTgLong, 3), record_event(0, 3), wait_for_event(0, 1), launch(kTgShort, 0)},
  };
  for (const std::vector<spec::HostStep>& program : programs) {
    spec::Spec spec = chain_of(program);
    spec.applications.back().default_stream = spec::DefaultStream::kLegacy;
    spec.applications.back().streams = {{"one", {}, false}, {"two", {}, false}, {"apart", {}, true}};
    for (const spec::DriverKind kind : {spec::DriverKind::kPassThrough, spec::DriverKind::kTimegraph}) {
      spec.driver.kind = kind;
      const Log log = simulate_checked(spec);
      EXPECT_GT(log.when(Kind::kKernelArrived, 0, kTgShort), log.when(Kind::kKernelFinished, 0, kTgLong));
    }
  }
}

// ---- engines -----------------------------------------------------------------------------------------------------

// A process that computes beside one that copies.
spec::Spec kernel_beside_copy(spec::OnlineScope scope) {
  spec::Spec spec = timegraph_platform();
  add_process(spec, {kernel_of("long", 1, kTgLongTb)}, {launch(0), synchronise(), cpu(50'000)});
  add_entry(spec, GroupDispatch::kPrt, 1);
  add_process(spec, {}, {cpu(1'000), copy(CopyDirection::kToGpu, 10'000), cpu(600'000)});
  add_entry(spec, GroupDispatch::kPrt, 1);
  spec.driver.online_scope = scope;
  return spec;
}

TEST(TimegraphEngines, OnOneListACopyWaitsForTheKernelOfAnother) {
  const spec::Spec spec = kernel_beside_copy(spec::OnlineScope::kDevice);
  const GroupPath path(spec);
  const Log log = simulate_checked(spec);
  EXPECT_EQ(log.cycles(Kind::kDmaStarted).at(0), log.cycles(Kind::kKernelFinished).at(0) + path.host.to_process() +
                                                     path.completion + path.host.to_transfer());
}

TEST(TimegraphEngines, WithAListForEachEngineItDoesNot) {
  const spec::Spec spec = kernel_beside_copy(spec::OnlineScope::kEngine);
  const GroupPath path(spec);
  const Log log = simulate_checked(spec);
  EXPECT_EQ(log.cycles(Kind::kDmaStarted).at(0), 1'000 + path.host.copy + path.arrival + path.host.to_transfer());
  EXPECT_LT(log.cycles(Kind::kDmaEnded).at(0), log.cycles(Kind::kKernelFinished).at(0));
}

TEST(TimegraphEngines, AGroupOfBothWaitsForBoth) {
  spec::Spec spec = kernel_beside_copy(spec::OnlineScope::kEngine);
  spec.applications[1].kernels = {kernel_of("k", 1, kTgShortTb)};
  spec.applications[1].program = {cpu(1'000), group({copy_async(CopyDirection::kToGpu, 10'000), launch(0)}),
                                  synchronise(), cpu(600'000)};
  const GroupPath path(spec);
  const Log log = simulate_checked(spec);
  EXPECT_EQ(log.cycles(Kind::kDmaStarted).at(0), log.cycles(Kind::kKernelFinished, 0).at(0) + path.host.to_process() +
                                                     path.completion + path.host.to_transfer());
}

}  // namespace
}  // namespace tessera::platform::test
