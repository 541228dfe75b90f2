// SPDX-License-Identifier: Apache-2.0
// GLoop by hand, cycle by cycle: where kernels yield, who has the token, what the host serves meanwhile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "tests/platform/gloop_machine.h"

namespace tessera::platform {
namespace {

using namespace test;
using testing::ElementsAre;

constexpr Cycle kCallback = 10'007;

std::vector<std::uint64_t> values(const Log& log, Kind kind, std::uint16_t process = record::kNoIndex) {
  std::vector<std::uint64_t> found;
  for (const Record& record : log.all(kind, process)) found.push_back(record.value);
  return found;
}

// The first end of a callback from there on.
Cycle boundary(Cycle start, Cycle told, Cycle callback = kCallback) {
  return start + (told - start + callback - 1) / callback * callback;
}

struct Engine {
  const char* name;
  Abstraction abstraction;
  spec::Engine engine;
  std::uint32_t tb_issue_cycles;
};

void PrintTo(const Engine& engine, std::ostream* out) { *out << engine.name; }

// The same timelines on each engine: what its jobs take is in LoopPath.
class Gloop : public testing::TestWithParam<Engine> {
 protected:
  static spec::Spec machine() {
    spec::Spec spec = gloop_platform();
    spec.gpu.framework.engine = GetParam().engine;
    spec.gpu.framework.tb_issue_cycles = GetParam().tb_issue_cycles;
    return spec;
  }
  static Log simulated(const spec::Spec& spec) {
    MachineOptions options;
    options.abstraction = GetParam().abstraction;
    return simulate_checked(spec, options);
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, Gloop,
                         testing::Values(Engine{"ideal", Abstraction::kTlm, spec::Engine::kIdeal, 2},
                                         Engine{"tlm", Abstraction::kTlm, spec::Engine::kSerialised, 6},
                                         Engine{"rtl_model", Abstraction::kRtlModel, spec::Engine::kSerialised, 6}),
                         [](const testing::TestParamInfo<Engine>& test) { return std::string(test.param.name); });

TEST_P(Gloop, ALoopAloneTakesItsCallbacksAndNoEventBetween) {
  spec::Spec spec = machine();
  add_loops(spec, loop_kernel(1, 100'000, {callback(kCallback)}));
  const LoopPath path(spec);
  const Log log = simulated(spec);
  const Cycle granted = path.host.launch + 1;
  const Cycle start = granted + path.to_start();
  EXPECT_THAT(log.cycles(Kind::kTokenGranted), ElementsAre(granted));
  EXPECT_THAT(log.cycles(Kind::kLoopResumed), ElementsAre(start));
  EXPECT_THAT(log.cycles(Kind::kLoopLeft), ElementsAre(start + 100'000 * kCallback));
  EXPECT_THAT(values(log, Kind::kLoopLeft), ElementsAre(100'000U));
  EXPECT_LT(log.records.size(), 50U);
}

TEST_P(Gloop, WithoutTheDriverItIsTheSameButForTheToken) {
  spec::Spec spec = machine();
  spec.driver = {};
  add_loops(spec, loop_kernel(1, 10, {callback(kCallback)}));
  const LoopPath path(spec);
  const Log log = simulated(spec);
  EXPECT_THAT(log.cycles(Kind::kLoopResumed), ElementsAre(path.host.launch + path.to_start()));
  EXPECT_TRUE(log.all(Kind::kTokenRequested).empty());
}

TEST_P(Gloop, TwoSessionsHandTheTokenToEachOtherWhereACallbackEnds) {
  spec::Spec spec = machine();
  for (int i = 0; i < 2; ++i) add_loops(spec, loop_kernel(1, 9, {callback(kCallback)}));
  const LoopPath path(spec);
  const Log log = simulated(spec);
  // 1. Both ask in one cycle; the first process has it, a cycle later.
  const Cycle granted0 = path.host.launch + 1;
  const Cycle start0 = granted0 + path.to_start();
  // 2. It yields in the middle of a callback: at that one's end, with its state written.
  const Cycle told0 = granted0 + path.threshold;
  const Cycle left0 = boundary(start0, told0 + path.to_loops()) + LoopPath::state();
  const Cycle released0 = left0 + path.to_process();
  // 3. The other has it after the switch. The first asks again after the call of a launch.
  const Cycle granted1 = released0 + 1 + path.token_switch;
  const Cycle start1 = granted1 + path.to_start();
  const Cycle told1 = granted1 + path.threshold;
  const Cycle left1 = boundary(start1, told1 + path.to_loops()) + LoopPath::state();
  const Cycle released1 = left1 + path.to_process();
  const Cycle asked_again0 = released0 + path.host.launch;
  ASSERT_LT(asked_again0, granted1 + path.threshold);
  // 4. It reads its state, and does what is left.
  const Cycle granted_again0 = released1 + 1 + path.token_switch;
  const Cycle resumed0 = granted_again0 + path.to_start() + LoopPath::state();
  const std::uint64_t done0 = (left0 - LoopPath::state() - start0) / kCallback;
  EXPECT_THAT(log.cycles(Kind::kYieldRequested, 0), ElementsAre(told0));
  EXPECT_THAT(log.cycles(Kind::kLoopLeft, 0), ElementsAre(left0, resumed0 + (9 - done0) * kCallback));
  EXPECT_THAT(values(log, Kind::kLoopLeft, 0), ElementsAre(done0, 9U));
  EXPECT_THAT(log.cycles(Kind::kTokenReleased, 0), testing::Contains(released0));
  EXPECT_EQ(log.cycles(Kind::kTokenGranted, 1).front(), granted1);
  EXPECT_THAT(log.cycles(Kind::kTokenRequested, 0), ElementsAre(path.host.launch, asked_again0));
  EXPECT_EQ(log.cycles(Kind::kLoopLeft, 1).front(), left1);
  EXPECT_THAT(log.cycles(Kind::kTokenGranted, 0), ElementsAre(granted0, granted_again0));
  EXPECT_THAT(log.cycles(Kind::kLoopResumed, 0), ElementsAre(start0, resumed0));
  EXPECT_EQ(log.all(Kind::kLoopLeft, 0).front().bytes, 8 + 512U);
  EXPECT_EQ(log.all(Kind::kLoopResumed, 0).back().bytes, 8 + 512U);
  EXPECT_EQ(log.all(Kind::kLoopsLeft, 0).front().cycles, left0 + path.to_count() - (told0 + path.to_loops()));
}

TEST_P(Gloop, AThirdSessionDoesNotSuspendTheSecondOnItsGrant) {
  spec::Spec spec = machine();
  for (int i = 0; i < 3; ++i) add_loops(spec, loop_kernel(1, 30, {callback(kCallback)}));
  const LoopPath path(spec);
  const Log log = simulated(spec);
  for (std::uint16_t process = 0; process < 3; ++process) {
    EXPECT_EQ(log.cycles(Kind::kYieldRequested, process).front(),
              log.cycles(Kind::kTokenGranted, process).front() + path.threshold);
  }
}

TEST_P(Gloop, IoThatIsDoneWhileItsKernelIsSuspendedIsFoundDone) {
  spec::Spec spec = machine();
  constexpr std::uint64_t kBytes = 60'000;
  add_loops(spec, loop_kernel(1, 2, {file_read(kBytes), callback(kCallback)}));
  add_loops(spec, loop_kernel(1, 40, {callback(kCallback)}));
  const LoopPath path(spec);
  const Log log = simulated(spec);
  const Cycle granted = path.host.launch + 1;
  const Cycle asked = granted + path.to_start();  // its first step
  const Cycle done = asked + path.read(kBytes, spec);
  const Cycle told = granted + path.threshold + path.to_loops();
  ASSERT_LT(told, done);
  EXPECT_EQ(log.cycles(Kind::kIoRequested, 0).front(), asked);
  EXPECT_EQ(log.cycles(Kind::kIoDone, 0).front(), done);
  // A loop that polls leaves at once.
  EXPECT_EQ(log.cycles(Kind::kLoopLeft, 0).front(), told + LoopPath::state());
  EXPECT_EQ(values(log, Kind::kLoopLeft, 0).front(), 0U);
  EXPECT_EQ(values(log, Kind::kLoopResumed, 0).at(1), 1U) << "it has been read meanwhile";
  EXPECT_GT(log.result.gloop.at(0).io_suspended, 0U);
}

TEST_P(Gloop, APollingLoopGoesOnWhenItsIoIsDone) {
  spec::Spec spec = machine();
  constexpr std::uint64_t kBytes = 30'000;
  add_loops(spec, loop_kernel(1, 1, {callback(kCallback), file_read(kBytes), callback(kCallback)}));
  const LoopPath path(spec);
  const Log log = simulated(spec);
  const Cycle asked = path.host.launch + 1 + path.to_start() + kCallback;
  const Cycle done = asked + path.read(kBytes, spec);
  EXPECT_THAT(log.cycles(Kind::kIoDone), ElementsAre(done));
  EXPECT_THAT(log.cycles(Kind::kLoopLeft), ElementsAre(done + path.to_loops() + kCallback));
}

TEST_P(Gloop, ABlockingLoopLeavesWithItsRequestAndIsLaunchedAgainWhenThatIsDone) {
  spec::Spec spec = machine();
  constexpr std::uint64_t kBytes = 300'000;
  add_loops(spec, loop_kernel(1, 2, {file_read(kBytes), callback(kCallback)}, spec::LoopMode::kBlocking));
  const LoopPath path(spec);
  const Log log = simulated(spec);
  const Cycle asked = path.host.launch + 1 + path.to_start();
  const Cycle done = asked + path.read(kBytes, spec);
  const Cycle granted = done + path.host.launch + 1;
  EXPECT_EQ(log.cycles(Kind::kLoopLeft).front(), asked + LoopPath::state());
  EXPECT_EQ(log.cycles(Kind::kTokenGranted).at(1), granted);
  EXPECT_EQ(log.cycles(Kind::kLoopResumed).at(1), granted + path.to_start() + LoopPath::state());
  EXPECT_THAT(values(log, Kind::kLoopResumed), ElementsAre(0U, 1U, 3U));
  EXPECT_THAT(values(log, Kind::kLoopsLeft), ElementsAre(1U, 1U, 0U));
}

TEST_P(Gloop, AKernelThatDoesNotYieldIsKilled) {
  spec::Spec spec = machine();
  add_loops(spec, loop_kernel(1, 2, {callback(1'000'003)}));
  add_loops(spec, loop_kernel(1, 3, {callback(kCallback)}));
  const LoopPath path(spec);
  const Log log = simulated(spec);
  const Cycle killed = path.host.launch + 1 + path.threshold + path.kill;
  EXPECT_THAT(log.cycles(Kind::kKernelKilled), ElementsAre(killed));
  const Cycle over = killed + path.to_loops() + 1 + path.to_count();
  EXPECT_EQ(log.cycles(Kind::kLoopsLeft, 0).front(), over);
  EXPECT_EQ(values(log, Kind::kLoopsLeft, 0).front(), 1U);
  EXPECT_EQ(log.cycles(Kind::kTokenGranted, 1).front(), over + path.host.to_process() + 1 + path.token_switch);
  EXPECT_EQ(log.result.gloop.at(0).killed, 1U);
  EXPECT_EQ(log.result.gloop.at(1).killed, 0U);
}

TEST_P(Gloop, ARunThatWasKilledIsNotCompletedAndIsNotWaitedFor) {
  spec::Spec spec = machine();
  add_loops(spec, loop_kernel(1, 2, {callback(1'000'003)}));
  add_loops(spec, loop_kernel(1, 3, {callback(kCallback)}));
  const record::RunResult result = simulated(spec).result;
  EXPECT_EQ(result.stop_reason, "min_runs");
  EXPECT_EQ(result.processes.at(0).runs, 0U);
  EXPECT_EQ(result.processes.at(0).killed_runs, 1U);
  EXPECT_EQ(result.processes.at(0).turnaround_cycles, 0U);
  EXPECT_EQ(result.processes.at(1).runs, 1U);
  EXPECT_EQ(result.processes.at(1).killed_runs, 0U);
}

// Nobody waits for the token when it runs again.
TEST_P(Gloop, OnlyRunsThatWereNotKilledCountInTheTurnaround) {
  spec::Spec spec = machine();
  add_loops(spec, loop_kernel(1, 2, {callback(1'000'003)})).runs = 2;
  add_loops(spec, loop_kernel(1, 3, {callback(kCallback)}));
  const Log log = simulated(spec);
  const std::vector<Record> ended = log.all(Kind::kRunEnded, 0);
  ASSERT_EQ(ended.size(), 2U);
  ASSERT_EQ(log.all(Kind::kKernelKilled).size(), 1U);
  EXPECT_EQ(log.result.processes.at(0).runs, 1U);
  EXPECT_EQ(log.result.processes.at(0).killed_runs, 1U);
  EXPECT_EQ(log.result.processes.at(0).turnaround_cycles, ended[1].cycles);
}

// Whichever of the two the simulator has first.
TEST_P(Gloop, AKernelThatLeavesInTheCycleInWhichItIsKilledIsNotLaunchedAgain) {
  constexpr Cycle kLong = 60'013;
  spec::Spec spec = machine();
  add_loops(spec, loop_kernel(1, 9, {callback(kLong)}));
  add_loops(spec, loop_kernel(1, 3, {callback(kCallback)}));
  const LoopPath path(spec);
  const Cycle granted = path.host.launch + 1;
  const Cycle told = granted + path.threshold;
  const Cycle left =
      boundary(granted + path.to_start(), told + path.to_loops(), kLong) + LoopPath::state() + path.to_process();
  for (const Cycle before : {Cycle{1}, Cycle{0}}) {
    spec.driver.kill = (left - told - before) * kCyclePs;
    const Log log = simulated(spec);
    EXPECT_THAT(log.cycles(Kind::kKernelKilled), ElementsAre(left - before));
    EXPECT_EQ(log.cycles(Kind::kTokenReleased, 0), std::vector<Cycle>{left});
    EXPECT_EQ(log.result.processes.at(0).killed_runs, 1U);
  }
  spec.driver.kill = (left - told + 1) * kCyclePs;
  EXPECT_EQ(simulated(spec).result.processes.at(0).killed_runs, 0U);
}

// The host is impatient: what it says is on its way when the kernel has not come yet, or has left.
TEST_P(Gloop, AKillIsAboutItsLaunchWhereverThatIsByThen) {
  for (const Cycle patience : {1, 150, 300, 600, 1100, 2100, 4100}) {
    SCOPED_TRACE(patience);
    spec::Spec spec = machine();
    spec.driver.threshold = spec.driver.kill = patience * kCyclePs;
    spec.driver.token_switch = 0;
    for (int i = 0; i < 2; ++i) add_loops(spec, loop_kernel(1, 20, {callback(601)}));
    simulated(spec);
  }
}

// It loses the token in each callback, and is told to yield each time that it has it again.
TEST_P(Gloop, TheYieldDelayCountsFromTheFirstWord) {
  for (const Cycle patience : {9001, 20'011}) {
    SCOPED_TRACE(patience);
    spec::Spec spec = machine();
    spec.scheduler.policy = spec::PolicyKind::kPpq;
    spec.driver.on_timeout = spec::OnTimeout::kPreempt;
    spec.driver.threshold = spec.driver.kill = patience * kCyclePs;
    spec.stop.max_time = 100'000'000 * kCyclePs;
    for (int i = 0; i < 2; ++i) add_loops(spec, loop_kernel(1, 3, {callback(200'003)}));
    const Log log = simulated(spec);
    EXPECT_EQ(log.result.stop_reason, "min_runs");
    EXPECT_GT(log.all(Kind::kTokenRevoked, 0).size(), 3U);
  }
}

TEST_P(Gloop, OrIsPreemptedAndKeepsWhatItHasDone) {
  spec::Spec spec = machine();
  spec.driver.on_timeout = spec::OnTimeout::kPreempt;
  spec.scheduler.policy = spec::PolicyKind::kPpq;
  constexpr Cycle kLong = 1'000'003;
  add_loops(spec, loop_kernel(1, 1, {callback(kLong)}));
  add_loops(spec, loop_kernel(1, 3, {callback(kCallback)}));
  const LoopPath path(spec);
  const Log log = simulated(spec);
  const Cycle revoked = path.host.launch + 1 + path.threshold + path.kill;
  EXPECT_THAT(log.cycles(Kind::kTokenRevoked), ElementsAre(revoked));
  EXPECT_TRUE(log.all(Kind::kKernelKilled).empty());
  EXPECT_EQ(log.all(Kind::kPreemptionDone).size(), 1U);
  EXPECT_EQ(log.all(Kind::kTbSaved).size(), 1U);
  // Its callback is interrupted, and goes on where it stood.
  const Cycle start = path.host.launch + 1 + path.to_start();
  const Cycle frozen = log.cycles(Kind::kSaveStarted).front() - path.engine.trap;
  const Cycle restored = log.cycles(Kind::kTbRestored).front();
  EXPECT_EQ(log.cycles(Kind::kLoopLeft, 0).back(), restored + kLong - (frozen - start));
  EXPECT_LT(log.cycles(Kind::kLoopLeft, 1).back(), restored);
}

// It has lost the token, waits for the switch back to it, and is done before that is over.
TEST_P(Gloop, WhoLeavesBeforeItHasTheTokenAgainIsNotRecordedAsItsHolder) {
  spec::Spec spec = machine();
  spec.driver.on_timeout = spec::OnTimeout::kPreempt;
  spec.driver.token_switch = 200'003 * kCyclePs;
  spec.scheduler.policy = spec::PolicyKind::kPpq;
  add_loops(spec, loop_kernel(1, 1, {callback(400'009)}));
  add_loops(spec, loop_kernel(1, 3, {callback(kCallback)}));
  const LoopPath path(spec);
  const Log log = simulated(spec);
  EXPECT_EQ(log.cycles(Kind::kTokenRevoked, 0).size(), 1U);
  ASSERT_EQ(log.cycles(Kind::kTokenReleased, 0).size(), 1U);
  EXPECT_GT(log.cycles(Kind::kTokenReleased, 0).front(), log.cycles(Kind::kTokenReleased, 1).back());
  EXPECT_LT(log.cycles(Kind::kTokenReleased, 0).front(),
            log.cycles(Kind::kTokenReleased, 1).back() + path.token_switch);
  EXPECT_THAT(log.cycles(Kind::kTokenGranted, 0), ElementsAre(path.host.launch + 1));
  EXPECT_EQ(log.all(Kind::kTokenReleased, 0).front().cycles, 0U);
}

TEST_P(Gloop, LoopsOfOneSmMoveTheirStateOneAfterTheOther) {
  spec::Spec spec = machine();
  spec::KernelSpec kernel = loop_kernel(3, 9, {callback(kCallback)});
  kernel.threads_per_tb = tlm_model::test::kMaxThreadsPerSm / 4;
  add_loops(spec, kernel);
  add_loops(spec, loop_kernel(1, 9, {callback(kCallback)}));
  const Log log = simulated(spec);
  const std::vector<Cycle> left = log.cycles(Kind::kLoopLeft, 0);
  ASSERT_GE(left.size(), 3U);
  EXPECT_EQ(left[1], left[0] + LoopPath::state());
  EXPECT_EQ(left[2], left[1] + LoopPath::state());
}

TEST_P(Gloop, WorkOfTheStreamBeforeIsDoneBeforeTheTokenIsAskedFor) {
  spec::Spec spec = machine();
  add_process(spec, {kernel_of("before", 1, 70'001), loop_kernel(1, 2, {callback(kCallback)})},
              {launch(0), launch(1), launch(0), synchronise()})
      .runs = 1;
  const Log log = simulated(spec);
  const std::vector<Cycle> done = [&] {
    std::vector<Cycle> cycles;
    for (const Record& record : log.all(Kind::kKernelFinished, 0)) cycles.push_back(record.cycle);
    return cycles;
  }();
  ASSERT_EQ(done.size(), 3U);
  EXPECT_GT(log.cycles(Kind::kTokenRequested).front(), done[0]);
  EXPECT_LT(log.cycles(Kind::kTokenReleased).front(), done[2]);
}

}  // namespace
}  // namespace tessera::platform
