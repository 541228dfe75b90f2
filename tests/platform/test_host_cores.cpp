// SPDX-License-Identifier: Apache-2.0
// Processes that compete for cores, by hand timelines: who is preempted resumes with what was left, who spins holds its
// core, waking up takes its time, and who has lost its core launches nothing (docs/concepts/host_cores.md).
#include "tests/platform/machine_bench.h"

namespace tessera::platform::test {
namespace {

using testing::ElementsAre;

constexpr Cycle kKernelCycles = 40'000;
// What is asked for in a cycle is decided in the next: it passes whenever a process wakes up.
constexpr Cycle kTakeover = 1;

spec::Spec host_with(std::uint32_t num_cores) {
  spec::Spec spec = tiny_platform();
  spec.host.cpu = spec::CpuSpec{num_cores, 1, spec.host.interrupt};
  return spec;
}

struct Place {
  std::uint32_t priority = 0;
  std::vector<std::uint32_t> cores{};
  Cycle start = 0;
  spec::WaitKind wait = spec::WaitKind::kSleep;
};

// A process of one run.
void add(spec::Spec& spec, const Place& place, std::vector<spec::HostStep> program) {
  spec::ProcessSpec& process = add_process(spec, {kernel_of("k", 1, kKernelCycles)}, std::move(program));
  process.cpu_priority = place.priority;
  process.cores = place.cores;
  process.start = place.start * kCyclePs;
  process.wait = place.wait;
  process.runs = 1;
}

Cycle ended(const Log& log, std::uint16_t process) { return log.cycles(Kind::kRunEnded, process).at(0); }

// When the fence of a kernel that ends is in memory.
Cycle fence_written(const Log& log, const HostLatencies& host, std::uint16_t process) {
  return log.cycles(Kind::kKernelFinished, process).at(0) + host.dispatch + host.link;
}

// ---- one core -------------------------------------------------------------------------------------------------------

TEST(HostCores, APreemptedCpuPhaseResumesWithWhatWasLeft) {
  spec::Spec spec = host_with(1);
  add(spec, {1}, {cpu(10'000)});
  add(spec, {2, {}, 3'000}, {cpu(2'000)});
  const HostLatencies host(spec);
  const Log log = simulate_checked(spec);
  const Cycle low_started = kTakeover;
  const Cycle high_started = 3'000 + kTakeover;
  const Cycle high_ended = high_started + 2'000 + host.synchronise;  // a run ends with that call
  const Cycle low_resumed = high_ended + kTakeover;
  const Cycle left = 10'000 - (high_started - low_started);
  EXPECT_THAT(log.cycles(Kind::kRunStarted), ElementsAre(low_started, high_started));
  EXPECT_THAT(log.cycles(Kind::kCpuStarted, 0), ElementsAre(low_started, low_resumed));
  EXPECT_THAT(log.cycles(Kind::kCpuStarted, 1), ElementsAre(high_started));
  EXPECT_EQ(ended(log, 1), high_ended);
  EXPECT_EQ(ended(log, 0), low_resumed + left + host.synchronise);
  EXPECT_EQ(log.result.cpu.at(0).used, 10'000U + host.synchronise + kTakeover);  // until its sleep is decided
  EXPECT_EQ(log.result.cpu.at(0).waited, low_resumed - high_started);
  EXPECT_EQ(log.result.cpu.at(0).preemptions, 1U);
  EXPECT_EQ(log.result.cpu.at(1).waited, 0U);
}

TEST(HostCores, AnEqualWaitsUntilTheCoreIsFree) {
  spec::Spec spec = host_with(1);
  add(spec, {2}, {cpu(10'000)});
  add(spec, {2, {}, 3'000}, {cpu(2'000)});
  const HostLatencies host(spec);
  const Log log = simulate_checked(spec);
  EXPECT_EQ(ended(log, 0), kTakeover + 10'000 + host.synchronise);
  EXPECT_THAT(log.cycles(Kind::kRunStarted, 1), ElementsAre(ended(log, 0) + kTakeover));
}

TEST(HostCores, OfThoseThatComeInOneCycleTheMoreUrgentGoesFirstThenTheLowerNumber) {
  spec::Spec spec = host_with(1);
  add(spec, {1}, {cpu(1'000)});
  add(spec, {1}, {cpu(1'000)});
  add(spec, {2}, {cpu(1'000)});
  const Log log = simulate_checked(spec);
  EXPECT_LT(ended(log, 2), ended(log, 0));
  EXPECT_LT(ended(log, 0), ended(log, 1));
  EXPECT_EQ(log.result.cpu.at(0).preemptions + log.result.cpu.at(1).preemptions, 0U);
}

TEST(HostCores, WhoHasLostItsCoreLaunchesNothing) {
  spec::Spec spec = host_with(1);
  add(spec, {1}, {launch(0, 0), launch(0, 1), launch(0, 2)});
  add(spec, {2, {}, 7'000}, {cpu(20'000)});
  const HostLatencies host(spec);
  ASSERT_LT(kTakeover + host.launch, 7'000U);
  ASSERT_GT(kTakeover + 2 * host.launch, 7'000U);  // the second call is under way
  const Log log = simulate_checked(spec);
  const Cycle resumed = ended(log, 1) + kTakeover;
  const Cycle left = kTakeover + 2 * host.launch - (7'000 + kTakeover);
  EXPECT_EQ(ended(log, 1), 7'000 + kTakeover + 20'000 + host.synchronise);
  EXPECT_THAT(log.cycles(Kind::kKernelArrived),
              ElementsAre(kTakeover + host.launch + host.to_arrival(), resumed + left + host.to_arrival(),
                          resumed + left + host.launch + host.to_arrival()));
}

// ---- waiting for the GPU -------------------------------------------------------------------------------------------

TEST(HostCores, WhoSleepsLeavesItsCoreToOthers) {
  spec::Spec spec = host_with(1);
  add(spec, {}, {launch(0)});
  add(spec, {}, {cpu(1'000)});
  const HostLatencies host(spec);
  const Log log = simulate_checked(spec);
  const Cycle asleep = kTakeover + host.launch + host.synchronise;
  EXPECT_THAT(log.cycles(Kind::kRunStarted, 1), ElementsAre(asleep + kTakeover));
  EXPECT_EQ(ended(log, 0), fence_written(log, host, 0) + host.interrupt + kTakeover);
}

TEST(HostCores, WhoSpinsHoldsItsCoreAndReadsTheFenceItself) {
  spec::Spec spec = host_with(1);
  add(spec, {0, {}, 0, spec::WaitKind::kSpin}, {launch(0)});
  add(spec, {}, {cpu(1'000)});
  const HostLatencies host(spec);
  const Log log = simulate_checked(spec);
  EXPECT_EQ(ended(log, 0), fence_written(log, host, 0) + kTakeover);
  EXPECT_THAT(log.cycles(Kind::kRunStarted, 1), ElementsAre(ended(log, 0) + kTakeover));
  EXPECT_EQ(log.result.cpu.at(0).spun, ended(log, 0) - (kTakeover + host.launch + host.synchronise));
}

TEST(HostCores, WhoSpinsAndHasLostItsCoreSeesTheFenceWhenItHasOneAgain) {
  spec::Spec spec = host_with(1);
  add(spec, {1, {}, 0, spec::WaitKind::kSpin}, {launch(0)});
  add(spec, {2, {}, 30'000}, {cpu(100'000)});
  const HostLatencies host(spec);
  const Log log = simulate_checked(spec);
  ASSERT_LT(fence_written(log, host, 0), ended(log, 1));
  EXPECT_EQ(ended(log, 0), ended(log, 1) + kTakeover);
  const Cycle began = kTakeover + host.launch + host.synchronise;
  EXPECT_EQ(log.result.cpu.at(0).spun, 30'000 + kTakeover - began);
}

TEST(HostCores, WakingUpTakesItsTimeAndTheInterruptIsPartOfIt) {
  spec::Spec spec = host_with(1);
  spec.host.cpu->wake = 9'001 * kCyclePs;
  add(spec, {}, {launch(0)});
  const HostLatencies host(spec);
  ASSERT_LT(host.interrupt, 9'001U);
  const Log log = simulate_checked(spec);
  EXPECT_EQ(ended(log, 0), fence_written(log, host, 0) + 9'001 + kTakeover);
}

TEST(HostCores, WhoWaitsForSeveralStreamsWakesUpOnce) {
  spec::Spec spec = host_with(1);
  add(spec, {}, {launch(0, 0), launch(0, 1), synchronise()});
  const Log log = simulate_checked(spec);
  EXPECT_EQ(log.cycles(Kind::kCpuReady).size(), 2U);  // to start with, and for the kernels
}

TEST(HostCores, WhoWakesUpWaitsForACoreThatAMoreUrgentProcessHas) {
  spec::Spec spec = host_with(1);
  add(spec, {1}, {launch(0)});
  add(spec, {2, {}, 20'000}, {cpu(100'000)});
  const HostLatencies host(spec);
  const Log log = simulate_checked(spec);
  EXPECT_EQ(ended(log, 0), ended(log, 1) + kTakeover);
  EXPECT_EQ(log.result.cpu.at(0).preemptions, 0U);
}

// ---- several cores --------------------------------------------------------------------------------------------------

TEST(HostCores, EnoughOfThemCostADecisionAWakeUpAndNothingElse) {
  const auto turnaround = [](spec::Spec spec) {
    add(spec, {}, {cpu(1'000), launch(0, 0), copy(spec::CopyDirection::kToHost, 100), launch(0, 1)});
    return simulate_checked(spec).all(Kind::kRunEnded).at(0).cycles;
  };
  EXPECT_EQ(turnaround(host_with(1)), turnaround(tiny_platform()) + 2 * kTakeover);  // the copy, and the run's end
}

TEST(HostCores, AProcessTakesTheCoreOfTheLeastUrgentThatItMayTake) {
  spec::Spec spec = host_with(3);
  add(spec, {3, {0}}, {cpu(20'000)});
  add(spec, {2, {1}}, {cpu(20'000)});
  add(spec, {1, {2}}, {cpu(20'000)});
  add(spec, {4, {0, 1}, 5'000}, {cpu(1'000)});
  const Log log = simulate_checked(spec);
  const std::vector<Record> started = log.all(Kind::kCpuStarted, 3);
  ASSERT_EQ(started.size(), 1U);
  EXPECT_EQ(started[0].cycle, 5'000 + kTakeover);
  EXPECT_EQ(started[0].value, 1U);
  EXPECT_EQ(log.result.cpu.at(1).preemptions, 1U);
  EXPECT_EQ(log.result.cpu.at(2).preemptions, 0U);
}

// ---- releases and drivers -------------------------------------------------------------------------------------------

TEST(HostCores, AReleasedRunStartsWhenItsProcessHasACore) {
  spec::Spec spec = host_with(1);
  add(spec, {1}, {cpu(3'000)});
  spec.processes[0].runs = 2;
  spec.processes[0].releases = spec::ReleaseSpec{spec::Arrivals::kPeriodic, 50'000 * kCyclePs};
  add(spec, {2, {}, 49'000}, {cpu(10'000)});
  const Log log = simulate_checked(spec);
  EXPECT_THAT(log.cycles(Kind::kRunReleased, 0), ElementsAre(0, 50'000));
  EXPECT_THAT(log.cycles(Kind::kRunStarted, 0), ElementsAre(kTakeover, ended(log, 1) + kTakeover));
}

// With PRT the second process's group waits until the first one's is done; meanwhile a third computes on its core.
TEST(HostCores, WhoIsHeldBackByTimegraphSleepsWhileACallThatIsNotHoldsItsCore) {
  spec::Spec spec = host_with(2);
  spec.driver.kind = spec::DriverKind::kTimegraph;
  spec.driver.arrival = 700 * kCyclePs;
  add(spec, {1, {0}}, {launch(0)});
  add(spec, {1, {1}, 100}, {launch(0)});
  add(spec, {0, {1}}, {cpu(1'000'000)});
  const HostLatencies host(spec);
  const Log log = simulate_checked(spec);
  // The first holds its core until its call has returned and it waits for its kernel.
  EXPECT_EQ(log.all(Kind::kCpuStopped, 0).at(0).cycle, kTakeover + host.launch + 700 + host.synchronise + kTakeover);
  // The second sleeps once the driver's code has run in its call, and wakes for its doorbell, then for its kernel.
  const Cycle called = 100 + kTakeover + host.launch;
  EXPECT_EQ(log.all(Kind::kCpuStopped, 1).at(0).cycle, called + 700 + 1 + kTakeover);
  EXPECT_EQ(log.all(Kind::kCpuStarted, 1).size(), 3U);
  EXPECT_GT(log.when(Kind::kKernelArrived, 1, 0), log.when(Kind::kKernelFinished, 0, 0));
}

}  // namespace
}  // namespace tessera::platform::test
