// SPDX-License-Identifier: Apache-2.0
// A kept turn under host programs: streams, copies and graphs, slices and their ends by process, and what the results
// say of it. Every log has been checked.
#include "tests/platform/machine_bench.h"

namespace tessera::platform::test {
namespace {

using record::Technique;
using spec::CopyDirection;

constexpr Cycle kSlice = 20'000;
constexpr Cycle kSwitch = 3'000;

spec::Spec kept_turn_platform(spec::Engine engine) {
  spec::Spec spec = tiny_platform(2);
  spec.gpu.framework.engine = engine;
  spec.gpu.framework.tb_issue_cycles = spec::kSerialisedIssueCycles;
  spec.gpu.framework.gpu_switch.preempted = kSwitch * kCyclePs;
  spec.gpu.framework.gpu_switch.dry = kSwitch / 2 * kCyclePs;
  spec.scheduler.policy = spec::PolicyKind::kTimeSlice;
  spec.scheduler.turn = spec::Turn::kKept;
  spec.scheduler.switch_scope = spec::SwitchScope::kGpu;
  spec.scheduler.time_slice = kSlice * kCyclePs;
  return spec;
}

class KeptTurnHosts : public testing::TestWithParam<spec::Engine> {
 protected:
  spec::Spec spec_ = kept_turn_platform(GetParam());
};

// Thread blocks of 3,000 cycles, six a process: more than a slice.
void add_long_kernel(spec::Spec& spec) {
  add_process(spec, {kernel_of("long", 40, 3'000)}, {launch(0), synchronise()}).runs = 1;
}

// How each process's SMs were taken when its turn passed.
std::vector<Technique> ways_out(const Log& log, std::uint16_t process) {
  std::vector<std::uint32_t> launches;
  for (const Record& arrived : log.all(Kind::kKernelArrived, process)) launches.push_back(arrived.launch);
  std::vector<Technique> ways;
  for (const Record& request : log.all(Kind::kPreemptionRequested)) {
    EXPECT_EQ(request.value, record::kNoNumber) << "for a kernel, at " << request.cycle;
    if (std::count(launches.begin(), launches.end(), request.launch) > 0) ways.push_back(request.technique);
  }
  return ways;
}

TEST_P(KeptTurnHosts, SmsLeaveAsTheSliceEndOfTheirProcessSays) {
  for (int i = 0; i < 3; ++i) add_long_kernel(spec_);
  spec_.processes[0].slice_end = spec::SliceEnd::kDrain;
  spec_.processes[1].slice_end = spec::SliceEnd::kContextSwitch;
  spec_.processes[2].slice_end = spec::SliceEnd::kWait;
  const Log log = simulate_checked(spec_);
  EXPECT_THAT(ways_out(log, 0), testing::AllOf(testing::Not(testing::IsEmpty()), testing::Each(Technique::kDrain)));
  EXPECT_THAT(ways_out(log, 1),
              testing::AllOf(testing::Not(testing::IsEmpty()), testing::Each(Technique::kContextSwitch)));
  EXPECT_THAT(ways_out(log, 2), testing::IsEmpty()) << "its kernel runs to its end";
}

TEST_P(KeptTurnHosts, AProcessHasTheSliceOfItsOwn) {
  for (int i = 0; i < 2; ++i) add_long_kernel(spec_);
  spec_.processes[1].time_slice = kSlice / 2 * kCyclePs;
  const Log log = simulate_checked(spec_);
  const std::vector<Record> began = log.all(Kind::kTurnBegan);
  const std::vector<Record> passed = log.all(Kind::kTurnPassed);
  ASSERT_GE(passed.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    const Cycle slice = passed[i].process == 1 ? kSlice / 2 : kSlice;
    EXPECT_EQ(static_cast<record::TurnCause>(passed[i].value), record::TurnCause::kSliceOver) << i;
    EXPECT_NEAR(static_cast<double>(passed[i].cycle - began[i].cycle), static_cast<double>(slice), 50) << i;
  }
}

// A gap between two kernels of a stream is no reason to pass the turn; the host's answer to the last one is.
TEST_P(KeptTurnHosts, TheTurnIsKeptThroughAQueueAndPassedWhenItIsEmpty) {
  const std::vector<spec::KernelSpec> kernels(4, kernel_of("short", 2, 1'000));
  add_process(spec_, kernels, {launch(0), launch(1), launch(2), launch(3), synchronise()}).runs = 1;
  add_process(spec_, kernels, {launch_at(6'000, 0), launch(1), synchronise()}).runs = 1;
  spec_.host.launch = 100 * kCyclePs;  // launches come faster than kernels end
  const Log log = simulate_checked(spec_);
  const std::vector<Record> passed = log.all(Kind::kTurnPassed);
  ASSERT_EQ(passed.size(), 1U);
  EXPECT_EQ(static_cast<record::TurnCause>(passed[0].value), record::TurnCause::kDry);
  EXPECT_GE(passed[0].cycle, log.cycles(Kind::kKernelFinished, 0).back());
}

// What waits behind a copy is not there yet.
TEST_P(KeptTurnHosts, AContextWhoseLaunchesWaitForACopyIsDry) {
  const std::vector<spec::KernelSpec> kernels(2, kernel_of("short", 2, 1'000));
  add_process(spec_, kernels, {launch(0), copy_async(CopyDirection::kToGpu, 40'000), launch(1), synchronise()}).runs =
      1;
  add_process(spec_, {kernel_of("long", 2, 12'000)}, {launch(0), synchronise()}).runs = 1;
  spec_.host.launch = spec_.host.copy = 100 * kCyclePs;
  const Log log = simulate_checked(spec_);
  const std::vector<Record> passed = log.all(Kind::kTurnPassed);
  ASSERT_FALSE(passed.empty());
  EXPECT_EQ(passed[0].process, 0U);
  EXPECT_EQ(static_cast<record::TurnCause>(passed[0].value), record::TurnCause::kDry);
  EXPECT_LT(passed[0].cycle, log.cycles(Kind::kDmaEnded).front());
}

TEST_P(KeptTurnHosts, StreamsCopiesAndGraphsKeepTheRulesOfALog) {
  const std::vector<spec::KernelSpec> kernels{kernel_of("a", 7, 2'000), kernel_of("b", 3, 5'000)};
  add_process(spec_, kernels,
              {loop(5, {copy_async(CopyDirection::kToGpu, 3'000, 1), launch(0, 1), launch(1, 2), record_event(0, 2),
                        wait_for_event(0, 1), launch(0, 1), synchronise(), cpu(4'000)})});
  spec_.applications.back().events = {"done"};
  add_process(spec_, kernels,
              {loop(4, {spec::Graph{{launch(0), copy(CopyDirection::kToHost, 2'000), launch(1)}, 0, std::nullopt},
                        launch(1), synchronise()})});
  add_process(spec_, kernels, {loop(20, {launch(1), synchronise()})});
  spec_.stop.min_runs = 2;
  const Log log = simulate_checked(spec_);
  EXPECT_GT(log.all(Kind::kTurnPassed).size(), 20U);
}

TEST_P(KeptTurnHosts, OfTheTimeFromTheFirstTurnOnEachCycleIsSomebodysOrNobodys) {
  for (int i = 0; i < 3; ++i) add_long_kernel(spec_);
  const Log log = simulate_checked(spec_);
  const record::TurnResult& turns = log.result.turns;
  ASSERT_EQ(turns.processes.size(), 3U);
  Cycle total = turns.unowned_cycles;
  std::uint64_t count = 0;
  for (const record::ProcessTurns& process : turns.processes) {
    total += process.owned_cycles;
    count += process.turns;
  }
  EXPECT_EQ(total + log.cycles(Kind::kTurnBegan).front(), log.result.cycles);
  EXPECT_EQ(count, log.all(Kind::kTurnBegan).size());
  EXPECT_EQ(turns.passed[0] + turns.passed[1], log.all(Kind::kTurnPassed).size());
}

INSTANTIATE_TEST_SUITE_P(Engines, KeptTurnHosts, testing::Values(spec::Engine::kIdeal, spec::Engine::kSerialised),
                         [](const auto& engine) {
                           return engine.param == spec::Engine::kIdeal ? "Ideal" : "Serialised";
                         });

}  // namespace
}  // namespace tessera::platform::test
