// SPDX-License-Identifier: Apache-2.0
// Channels that take turns (`framework.channels: one`) on the whole machine, cycle by cycle from the Spec.
// The policy lets kernels of several processes run side by side: where one waits, it is for its turn.
#include "tests/platform/machine_bench.h"

namespace tessera::platform::test {
namespace {

using spec::CopyDirection;

constexpr Cycle kSoon = 10'000;
constexpr Cycle kLate = 200'000;
constexpr std::uint64_t kManyBytes = 300'000;  // 150,000 cycles on the link

spec::Spec one_channel(Cycle quantum) {
  spec::Spec spec = tiny_platform();
  spec.scheduler.policy = spec::PolicyKind::kDss;
  spec.gpu.framework.channels = spec::Channels::kOne;
  spec.gpu.framework.channel_quantum = quantum * kCyclePs;
  return spec;
}

// Runs once, and has one kernel.
spec::ProcessSpec& add_once(spec::Spec& spec, Cycle tb_cycles, std::vector<spec::HostStep> program) {
  spec::ProcessSpec& process = add_process(spec, {kernel_of("k", 1, tb_cycles)}, std::move(program));
  process.runs = 1;
  return process;
}

spec::Spec without_turns(spec::Spec spec) {
  spec.gpu.framework.channels = spec::Channels::kAll;
  return spec;
}

// From the start of a process that launches at once to its kernel's arrival, where nothing holds it.
Cycle first_arrival(const HostLatencies& host) { return host.launch + host.to_arrival(); }

void expect_the_same_records(const Log& log, const Log& other) {
  ASSERT_EQ(log.records.size(), other.records.size());
  for (std::size_t i = 0; i < log.records.size(); ++i) {
    ASSERT_EQ(nlohmann::json(log.records[i]), nlohmann::json(other.records[i])) << "record " << i;
  }
}

// ---- the quantum -------------------------------------------------------------------------------------------------

TEST(Channels, AQuantumIsKeptThroughTheGapsBetweenCommands) {
  constexpr Cycle kQuantum = 60'000;
  spec::Spec spec = one_channel(kQuantum);
  add_once(spec, kSoon, {launch(0), synchronise(), launch(0)});
  add_once(spec, kSoon, {launch(0)});
  const HostLatencies host(spec);
  const Log log = simulate_checked(spec);
  const std::vector<Cycle> arrived = log.cycles(Kind::kKernelArrived, 0);
  const std::vector<Cycle> finished = log.cycles(Kind::kKernelFinished, 0);
  ASSERT_EQ(arrived.size(), 2U);
  // The first, and the next one after a wait for it: as if nobody else were there.
  EXPECT_EQ(arrived[0], first_arrival(host));
  EXPECT_EQ(arrived[1], finished[0] + host.to_process() + host.launch + host.to_arrival());
  ASSERT_LT(finished[1], arrived[0] + kQuantum);
  // The other one asked when the first did. A turn comes a cycle before the kernel's arrival, and so does its end.
  EXPECT_EQ(log.when(Kind::kKernelArrived, 1, 0), arrived[0] + kQuantum);
}

TEST(Channels, ALongCommandIsWaitedForBeyondTheQuantum) {
  spec::Spec spec = one_channel(50'000);
  add_once(spec, kLate, {launch(0)});
  add_once(spec, kSoon, {launch(0)});
  const Log log = simulate_checked(spec);
  ASSERT_GT(log.when(Kind::kKernelFinished, 0, 0), 50'000 + log.when(Kind::kKernelArrived, 0, 0));
  EXPECT_EQ(log.when(Kind::kKernelArrived, 1, 0), log.when(Kind::kKernelFinished, 0, 0) + 1);
}

// It asks within its own turn, which is over and wanted; then it waits for the other's quantum.
TEST(Channels, AnotherStreamDoesNotProlongATurnThatIsOver) {
  constexpr Cycle kQuantum = 50'000;
  spec::Spec spec = one_channel(kQuantum);
  add_once(spec, kLate, {launch(0, 0), cpu(100'000), launch(0, 1)});
  add_once(spec, kSoon, {launch(0)});
  const HostLatencies host(spec);
  const Log log = simulate_checked(spec);
  const std::vector<Cycle> arrived = log.cycles(Kind::kKernelArrived, 0);
  const Cycle first_finished = log.cycles(Kind::kKernelFinished, 0).at(0);
  ASSERT_LT(first_arrival(host) + 100'000 + host.launch, first_finished);  // when it asks
  EXPECT_EQ(log.when(Kind::kKernelArrived, 1, 0), first_finished + 1);
  ASSERT_EQ(arrived.size(), 2U);
  EXPECT_EQ(arrived[1], first_finished + kQuantum + 1);
}

TEST(Channels, TurnsGoRoundByContext) {
  constexpr Cycle kQuantum = 30'000;
  spec::Spec spec = one_channel(kQuantum);
  add_once(spec, kSoon, {launch(0), cpu(40'000), launch(0)});
  add_once(spec, kSoon, {launch(0)}).start = 200 * kCyclePs;
  add_once(spec, kSoon, {launch(0)}).start = 100 * kCyclePs;  // asks before the one with the number below
  const HostLatencies host(spec);
  const Log log = simulate_checked(spec);
  const Cycle first = first_arrival(host);
  const std::vector<Cycle> arrived = log.cycles(Kind::kKernelArrived, 0);
  ASSERT_EQ(arrived.size(), 2U);
  EXPECT_EQ(arrived[0], first);
  EXPECT_EQ(log.when(Kind::kKernelArrived, 1, 0), first + kQuantum);
  EXPECT_EQ(log.when(Kind::kKernelArrived, 2, 0), first + 2 * kQuantum);
  // It asks again in the turn of the second, and waits until it has gone round.
  ASSERT_GT(first + 40'000 + host.launch, first + kQuantum);
  EXPECT_EQ(arrived[1], first + 3 * kQuantum);
}

// ---- no delay without need ---------------------------------------------------------------------------------------

TEST(Channels, AProcessAloneIsNotDelayedWhateverTheQuantum) {
  spec::Spec spec = one_channel(1);
  spec.stop.min_runs = 2;
  add_process(spec, {kernel_of("a", 3, kSoon), kernel_of("b", 1, kLate)},
              {copy_async(CopyDirection::kToGpu, kManyBytes, 0), launch(1, 1), loop(3, {launch(0, 2), launch(0, 3)}),
               synchronise(2), copy(CopyDirection::kToHost, 4'000, 2), launch(0)});
  expect_the_same_records(simulate_checked(spec), simulate_checked(without_turns(spec)));
}

TEST(Channels, WhoComesWhenNothingIsInFlightAndTheQuantumIsOverIsNotDelayed) {
  spec::Spec spec = one_channel(50'000);
  add_once(spec, kSoon, {launch(0), cpu(200'000), launch(0)});
  add_once(spec, kSoon, {launch(0)}).start = 100'000 * kCyclePs;
  expect_the_same_records(simulate_checked(spec), simulate_checked(without_turns(spec)));
}

TEST(Channels, FencesAndWaitsNeedNoTurn) {
  spec::Spec spec = one_channel(kLate);
  add_once(spec, kLate, {launch(0)});
  add_once(spec, kSoon, {record_event(0, 1), wait_for_event(0, 2), record_event(1, 2), synchronise_event(1)});
  spec.applications[1].events = {"e", "f"};
  const Cycle ended = simulate_checked(spec).cycles(Kind::kRunEnded, 1).at(0);
  EXPECT_EQ(ended, simulate_checked(without_turns(spec)).cycles(Kind::kRunEnded, 1).at(0));
  EXPECT_LT(ended, kLate);
}

// ---- copies ------------------------------------------------------------------------------------------------------

TEST(Channels, CopiesAndLaunchesOfOneChannelOverlap) {
  spec::Spec spec = one_channel(1);
  add_once(spec, kSoon, {copy_async(CopyDirection::kToGpu, kManyBytes, 0), launch(0, 1)});
  const HostLatencies host(spec);
  const Log log = simulate_checked(spec);
  EXPECT_EQ(log.when(Kind::kKernelArrived, 0, 0), host.copy + host.launch + host.to_arrival());
  EXPECT_LT(log.when(Kind::kKernelFinished, 0, 0), log.cycles(Kind::kDmaEnded).at(0));
}

TEST(Channels, ALaunchWaitsForAnotherChannelsCopy) {
  spec::Spec spec = one_channel(1);
  add_once(spec, kSoon, {copy_async(CopyDirection::kToGpu, kManyBytes)});
  add_once(spec, kSoon, {launch(0)}).start = 30'000 * kCyclePs;
  const Log log = simulate_checked(spec);
  EXPECT_EQ(log.when(Kind::kKernelArrived, 1, 0), log.cycles(Kind::kDmaEnded).at(0) + 1);
}

TEST(Channels, ACopyWaitsForAnotherChannelsKernel) {
  spec::Spec spec = one_channel(1);
  add_once(spec, kLate, {launch(0)});
  add_once(spec, kSoon, {copy_async(CopyDirection::kToGpu, kManyBytes)}).start = 10'000 * kCyclePs;
  const Log log = simulate_checked(spec);
  EXPECT_EQ(log.cycles(Kind::kDmaStarted).at(0), log.when(Kind::kKernelFinished, 0, 0) + 1);
}

// ---- below clocked engines ---------------------------------------------------------------------------------------

TEST(Channels, TakeTurnsBelowAClockedEngineToo) {
  constexpr Cycle kQuantum = 60'000;
  MachineOptions clocked;
  clocked.abstraction = Abstraction::kRtlModel;
  for (const Cycle tb_cycles : {kSoon, kLate}) {
    spec::Spec spec = one_channel(kQuantum);
    spec.gpu.framework.engine = spec::Engine::kSerialised;
    spec.gpu.framework.tb_issue_cycles = 6;
    add_once(spec, tb_cycles, {launch(0)});
    add_once(spec, kSoon, {launch(0)});
    const Log log = simulate_checked(spec, clocked);
    const Cycle first = first_arrival(HostLatencies(spec));
    EXPECT_EQ(log.when(Kind::kKernelArrived, 0, 0), first);
    const Cycle over = std::max(first + kQuantum, log.when(Kind::kKernelFinished, 0, 0) + 1);
    EXPECT_EQ(log.when(Kind::kKernelArrived, 1, 0), over);
  }
}

}  // namespace
}  // namespace tessera::platform::test
