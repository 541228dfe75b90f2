// SPDX-License-Identifier: Apache-2.0
// XSched and GCAPS on the whole machine: launches held back in the host, suspensions at a kernel's boundary and within
// it, turns by weights, and a run list (docs/concepts/drivers.md). Every run has been checked by the monitors.
#include "tests/platform/kept_turn_timelines.h"
#include "tests/platform/machine_bench.h"

namespace tessera::platform::test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::Ge;
using testing::IsEmpty;
using testing::Le;
using testing::SizeIs;

constexpr Cycle kTaskTbCycles = 100'000;
constexpr double kSlack = 1'000;  // cycles: what one call, message or look takes at most

std::vector<spec::HostStep> launches(std::uint32_t count) { return {spec::Loop{count, {launch(0)}}, synchronise()}; }

spec::Spec xsched_platform(std::uint32_t level) {
  spec::Spec spec = tiny_platform();
  spec.driver.kind = spec::DriverKind::kXsched;
  spec.driver.xsched.suspend = 1009 * kCyclePs;
  spec.driver.xsched.resume = 1301 * kCyclePs;
  spec.driver.xsched.tasks.assign(2, {4, 2, level, {}});
  return spec;
}

// A process that launches so many kernels of kTaskTbCycles, each the whole machine.
spec::ProcessSpec& add_launches(spec::Spec& spec, std::uint32_t count, std::uint32_t priority = 0, Cycle start = 0) {
  spec::ProcessSpec& process = add_process(spec, {kernel_of("k", spec.gpu.num_sms, kTaskTbCycles)}, launches(count));
  process.priority = priority;
  process.start = start * kCyclePs;
  process.runs = 1;
  return process;
}

std::vector<std::uint64_t> values(const std::vector<Record>& records) {
  std::vector<std::uint64_t> found;
  for (const Record& record : records) found.push_back(record.value);
  return found;
}

// Of the first one from a cycle on.
Cycle first_from(const std::vector<Cycle>& cycles, Cycle from) {
  const auto found = std::lower_bound(cycles.begin(), cycles.end(), from);
  return found == cycles.end() ? kNever : *found;
}

// ---- progressive launching ---------------------------------------------------------------------------------------

TEST(Xsched, HandsOverUpToTheThresholdAndTopsUpWhenTheOldestBatchIsDone) {
  spec::Spec spec = xsched_platform(1);
  add_launches(spec, 8);
  const Log log = simulate_checked(spec);
  EXPECT_THAT(values(log.all(Kind::kLaunchHandedOver)), ElementsAre(1, 2, 3, 4, 3, 4, 3, 4));
  // The fifth and sixth follow the second kernel's end, the interrupt that tells of it, and a cycle.
  const HostLatencies host(spec);
  const std::vector<Cycle> finished = log.cycles(Kind::kKernelFinished);
  const std::vector<Cycle> handed_over = log.cycles(Kind::kLaunchHandedOver);
  ASSERT_THAT(handed_over, SizeIs(8));
  EXPECT_EQ(handed_over[4], finished[1] + host.link + host.interrupt + 1);
  EXPECT_EQ(handed_over[5], handed_over[4]);
}

TEST(Xsched, TheGpuIsAsBusyAsWithoutItWhereBatchesAreShorterThanTheThreshold) {
  spec::Spec spec = xsched_platform(1);
  add_launches(spec, 32);
  spec::Spec bare = spec;
  bare.driver = {};
  const Cycle end = simulate_checked(spec).cycles(Kind::kKernelFinished).back();
  EXPECT_EQ(end, simulate_checked(bare).cycles(Kind::kKernelFinished).back() + 1) << "the driver's cycle";
}

// ---- suspensions by priority ---------------------------------------------------------------------------------------

// The lower one has been suspended while its first kernel runs; the higher one's is to come.
spec::Spec two_priorities(std::uint32_t level) {
  spec::Spec spec = xsched_platform(level);
  add_launches(spec, 8, 0);
  add_launches(spec, 2, 1, 60'000);
  return spec;
}

// Kernels of the lower process that come to the engine while it is suspended.
std::size_t arrivals_while_suspended(const Log& log) {
  const Cycle suspended = log.cycles(Kind::kTaskSuspended, 0).at(0);
  const Cycle resumed = log.cycles(Kind::kTaskResumed, 0).at(0);
  std::size_t arrivals = 0;
  for (const Cycle arrived : log.cycles(Kind::kKernelArrived, 0)) {
    arrivals += arrived > suspended && arrived < resumed ? 1 : 0;
  }
  return arrivals;
}

TEST(Xsched, AtLevelOneWhatIsOnTheGpuGoesOn) {
  const Log log = simulate_checked(two_priorities(1));
  ASSERT_THAT(log.all(Kind::kTaskSuspended, 0), SizeIs(1));
  EXPECT_EQ(log.all(Kind::kTaskSuspended, 0)[0].value, 4U);
  // Contexts take turns under fcfs: its second kernel runs between the other's two, and its third comes when that ends.
  EXPECT_EQ(arrivals_while_suspended(log), 2U);
}

TEST(Xsched, AtLevelTwoNothingFollowsTheKernelThatRuns) {
  const spec::Spec spec = two_priorities(2);
  const Log log = simulate_checked(spec);
  const Cycle suspended = log.cycles(Kind::kTaskSuspended, 0).at(0);
  EXPECT_EQ(arrivals_while_suspended(log), 0U);
  // The register write and a read behind it.
  const HostLatencies host(spec);
  EXPECT_THAT(log.cycles(Kind::kTaskHalted, 0), ElementsAre(suspended + 1009 + 2 * host.link));
  // The driver hears of the boundary by an interrupt.
  const Cycle boundary = first_from(log.cycles(Kind::kKernelFinished, 0), suspended);
  EXPECT_THAT(log.cycles(Kind::kTaskStopped, 0), ElementsAre(boundary + host.link + host.interrupt + 1));
  // Resumed, its next kernel comes as late as the register write.
  const Cycle resumed = log.cycles(Kind::kTaskResumed, 0).at(0);
  EXPECT_EQ(first_from(log.cycles(Kind::kKernelArrived, 0), resumed), resumed + 1301 + host.link + 1);
}

TEST(Xsched, BothEndWhateverTheLevel) {
  for (const std::uint32_t level : {1U, 2U}) {
    const Log log = simulate_checked(two_priorities(level));
    EXPECT_THAT(log.all(Kind::kKernelFinished), SizeIs(10)) << level;
    EXPECT_LT(log.cycles(Kind::kRunEnded, 1).at(0), log.cycles(Kind::kRunEnded, 0).at(0)) << level;
  }
}

// The lower one's kernel is long, and so are slices.
TEST(Xsched, AtLevelThreeTheRunningKernelIsTakenOff) {
  spec::Spec spec = timeline_machine(spec::Engine::kIdeal);
  spec.driver.kind = spec::DriverKind::kXsched;
  spec.scheduler.time_slice = 100'000 * kUs * kCyclePs;
  spec.driver.xsched.suspend = 25 * kUs * kCyclePs;
  spec.driver.xsched.tasks.assign(2, {8, 4, 3, {}});
  add_context(spec, {kernel_us(5000)}, {launch(0)});
  add_context(spec, {kernel_us(50)}, {launch_at_us(2000, 0)});
  spec.processes[1].priority = 1;
  const Log log = simulate_checked(spec);
  const Cycle suspended = log.cycles(Kind::kTaskSuspended, 0).at(0);
  EXPECT_NEAR(static_cast<double>(suspended), 2000.0 * kUs, kSlack);
  // Taken off 25 us later, in the middle of the kernel; the driver sees it within its polls.
  ASSERT_THAT(log.all(Kind::kTaskStopped, 0), SizeIs(1));
  EXPECT_LE(log.all(Kind::kTaskStopped, 0)[0].cycles, 25 * kUs + 4 * kUs);
  const Cycle high_ended = log.cycles(Kind::kKernelFinished, 1).at(0);
  EXPECT_NEAR(static_cast<double>(high_ended), (2000.0 + 25 + 100 + 50) * kUs, 2 * kSlack);
  // It goes on where it was, after another switch.
  const Cycle low_ended = log.cycles(Kind::kKernelFinished, 0).at(0);
  EXPECT_NEAR(static_cast<double>(low_ended), static_cast<double>(high_ended) + (100.0 + 5000 - 2024) * kUs,
              4 * kSlack);
}

// ---- weights
// -----------------------------------------------------------------------------------------------------------

// Turns of 30 and 10 kernels: when the first has had its four, the other has had three.
TEST(Xsched, WeightsDivideTheGpu) {
  spec::Spec spec = xsched_platform(2);
  spec.driver.xsched.tasks = {{4, 2, 2, 3}, {4, 2, 2, 1}};
  spec.driver.xsched.round = 40 * kTaskTbCycles * kCyclePs;
  add_launches(spec, 120);
  add_launches(spec, 120);
  const Log log = simulate_checked(spec);
  const Cycle end = log.cycles(Kind::kKernelFinished, 0).back();
  const std::vector<Cycle> others = log.cycles(Kind::kKernelFinished, 1);
  const auto finished = std::count_if(others.begin(), others.end(), [end](Cycle at) { return at <= end; });
  EXPECT_NEAR(static_cast<double>(finished), 30, 3);
}

// ---- suspensions from outside
// ----------------------------------------------------------------------------------------

spec::Spec suspended_from_outside(std::uint32_t level) {
  spec::Spec spec = xsched_platform(level);
  add_launches(spec, 200);
  spec.driver.xsched.suspensions =
      spec::SuspensionSpec{0, 0, 300'000 * kCyclePs, 1'000 * kCyclePs, 2'000 * kCyclePs, 500 * kCyclePs};
  return spec;
}

TEST(Xsched, ASuspensionTakesUntilTheEndOfWhatIsInFlightOrOfTheKernelThatRuns) {
  for (const std::uint32_t level : {1U, 2U}) {
    const Log log = simulate_checked(suspended_from_outside(level));
    std::vector<Cycle> took;
    for (const Record& record : log.all(Kind::kTaskStopped)) took.push_back(record.cycles);
    ASSERT_THAT(took, SizeIs(Ge(20U)));
    // Of four kernels, or of one; a little more for what is between kernels, the stop, and the interrupt.
    EXPECT_THAT(took, Each(Le((level == 1 ? 4 : 1) * (kTaskTbCycles + 4'000) + 8'000))) << level;
    EXPECT_GT(*std::max_element(took.begin(), took.end()), (level == 1 ? 3 : 0) * kTaskTbCycles + kTaskTbCycles / 2)
        << level;
    EXPECT_EQ(log.result.tasks.tasks.at(0).latency.count, took.size());
    EXPECT_THAT(log.all(Kind::kKernelFinished), SizeIs(200));
  }
}

TEST(Xsched, TheSameInTheRunAheadAndTheStepwiseEngine) {
  const spec::Spec spec = suspended_from_outside(2);
  MachineOptions stepwise;
  stepwise.pace = tlm_model::ExecutionEngine::Pace::kStepwise;
  const Log ahead = simulate_checked(spec), step = simulate_checked(spec, stepwise);
  EXPECT_EQ(ahead.cycles(Kind::kTaskStopped), step.cycles(Kind::kTaskStopped));
  EXPECT_EQ(ahead.records.size(), step.records.size());
}

// ---- GCAPS
// -------------------------------------------------------------------------------------------------------------

constexpr Cycle kUpdate = 10;  // us

spec::Spec gcaps_machine() {
  spec::Spec spec = timeline_machine(spec::Engine::kIdeal);
  spec.driver.kind = spec::DriverKind::kGcaps;
  spec.driver.update = kUpdate * kUs * kCyclePs;
  return spec;
}

// A change of the list before its kernel, and one after.
TEST(Gcaps, ASegmentPaysForTwoChangesOfTheRunList) {
  spec::Spec spec = gcaps_machine();
  add_context(spec, {kernel_us(300)}, {launch(0)});
  const Log log = simulate_checked(spec);
  EXPECT_THAT(log.all(Kind::kRunListUpdated, 0), SizeIs(2));
  EXPECT_NEAR(static_cast<double>(log.cycles(Kind::kKernelFinished).at(0)), (kUpdate + 300.0) * kUs, 2 * kSlack);
  EXPECT_NEAR(static_cast<double>(log.cycles(Kind::kRunEnded).at(0)), (2 * kUpdate + 300.0) * kUs, 3 * kSlack);
  EXPECT_EQ(log.result.tasks.cpu_cycles, 2 * kUpdate * kUs);
}

// The low one, at 10 to 310, is taken off at 110, has run 100; the high one runs from 210, after a switch, to 260; its
// segment ends at 270, and after a switch the low one has 200 left.
TEST(Gcaps, TheHighestPriorityAloneUsesTheGpu) {
  spec::Spec spec = gcaps_machine();
  add_context(spec, {kernel_us(300)}, {launch(0)});
  add_context(spec, {kernel_us(50)}, {launch_at_us(100, 0)});
  spec.processes[1].priority = 1;
  const Log log = simulate_checked(spec);
  EXPECT_NEAR(static_cast<double>(log.cycles(Kind::kKernelFinished, 1).at(0)), 260.0 * kUs, 3 * kSlack);
  EXPECT_NEAR(static_cast<double>(log.cycles(Kind::kKernelFinished, 0).at(0)), (270.0 + 100 + 200) * kUs, 4 * kSlack);
  EXPECT_THAT(log.all(Kind::kTaskSuspended), SizeIs(1));
  EXPECT_EQ(log.all(Kind::kTaskSuspended)[0].process, 0);
}

// It waits for the end of the high one's segment, and changes nothing before.
TEST(Gcaps, ALowerPriorityWaitsWithoutAChangeOfTheList) {
  spec::Spec spec = gcaps_machine();
  add_context(spec, {kernel_us(300)}, {launch(0)});
  add_context(spec, {kernel_us(50)}, {launch_at_us(100, 0)});
  spec.processes[0].priority = 1;
  const Log log = simulate_checked(spec);
  EXPECT_NEAR(static_cast<double>(log.cycles(Kind::kKernelFinished, 0).at(0)), (kUpdate + 300.0) * kUs, 2 * kSlack);
  const Cycle listed = log.cycles(Kind::kTaskResumed, 1).at(0);
  EXPECT_NEAR(static_cast<double>(listed), (2 * kUpdate + 300.0) * kUs, 3 * kSlack);
  EXPECT_NEAR(static_cast<double>(log.cycles(Kind::kKernelFinished, 1).at(0)),
              static_cast<double>(listed) + (100.0 + 50) * kUs, 2 * kSlack);
}

TEST(Gcaps, EqualPrioritiesShareTheGpuBySlices) {
  spec::Spec spec = gcaps_machine();
  add_context(spec, {kernel_us(1500)}, {launch(0)});
  add_context(spec, {kernel_us(1500)}, {launch(0)});
  const Log log = simulate_checked(spec);
  EXPECT_THAT(log.all(Kind::kTaskSuspended), IsEmpty());
  EXPECT_THAT(log.all(Kind::kTurnPassed), SizeIs(Ge(3U)));
}

// ---- GCAPS on a host with cores

constexpr std::uint16_t kLow = 0, kHigh = 1, kMid = 2;

// A low one that launches 300 us at 0, and a high one that launches 50 us at 4.
spec::Spec gcaps_host(std::uint32_t num_cores) {
  spec::Spec spec = gcaps_machine();
  spec.host.cpu = spec::CpuSpec{num_cores, 1, spec.host.interrupt};
  add_context(spec, {kernel_us(300)}, {launch(0)});
  add_context(spec, {kernel_us(50)}, {launch(0)});
  spec.processes[kHigh].priority = 1;
  spec.processes[kHigh].cpu_priority = 2;
  spec.processes[kHigh].start = 4 * kUs * kCyclePs;
  return spec;
}

double us_of(const Log& log, Kind kind, std::uint16_t process, std::size_t n = 0) {
  return static_cast<double>(log.cycles(kind, process).at(n)) / kUs;
}

// The high one takes the core at 4, finds that the low one changes the list, and sleeps, also one that spins: the low
// one is done at 10, and runs until the high one is done too, at 20. That one runs from 120 to 170, and gives the list
// back at 180; the low one has 290 left.
TEST(Gcaps, WhoWaitsForTheListSleepsSoThatTheOneThatChangesItGetsTheCoreBack) {
  for (const spec::WaitKind wait : {spec::WaitKind::kSleep, spec::WaitKind::kSpin}) {
    spec::Spec spec = gcaps_host(1);
    spec.processes[kHigh].wait = wait;
    const Log log = simulate_checked(spec);
    EXPECT_NEAR(us_of(log, Kind::kRunListUpdated, kLow), 10, 1);
    EXPECT_NEAR(us_of(log, Kind::kRunListUpdated, kHigh), 20, 1);
    EXPECT_NEAR(us_of(log, Kind::kKernelFinished, kHigh), 170, 1);
    EXPECT_NEAR(us_of(log, Kind::kRunListUpdated, kHigh, 1), 180, 1);
    EXPECT_NEAR(us_of(log, Kind::kKernelFinished, kLow), 180.0 + 100 + 290, 3);  // started 1 after its doorbell
  }
}

// Nobody lends its priority to the one that changes the list: one in between, at 3 on its core, delays both by 100.
TEST(Gcaps, OneInBetweenOnTheCoreOfTheOneThatChangesTheListDelaysWhoWaitsForIt) {
  spec::Spec spec = gcaps_host(2);
  add_context(spec, {kernel_us(1)}, {cpu(100 * kUs)});
  spec.processes[kLow].cores = spec.processes[kMid].cores = {0};
  spec.processes[kHigh].cores = {1};
  spec.processes[kMid].cpu_priority = 1;
  spec.processes[kMid].start = 3 * kUs * kCyclePs;
  const Log log = simulate_checked(spec);
  EXPECT_NEAR(us_of(log, Kind::kRunListUpdated, kLow), 110, 1);
  EXPECT_NEAR(us_of(log, Kind::kRunListUpdated, kHigh), 120, 1);
}

}  // namespace
}  // namespace tessera::platform::test
