// SPDX-License-Identifier: Apache-2.0
// Runs that are released at times of their own: when, which wait, which are skipped, which are late, and when it is
// over.
#include <algorithm>

#include "model/workload/releases.h"
#include "tests/platform/machine_bench.h"

namespace tessera::platform::test {
namespace {

using spec::Arrivals;
using spec::Overrun;
using testing::Each;
using testing::ElementsAre;
using testing::Field;

constexpr Cycle kPeriod = 10'000;

// A process whose runs take `turnaround` cycles and nothing of the GPU: a CPU phase, and the call that ends a run.
spec::ProcessSpec& add_frames(spec::Spec& spec, Cycle turnaround, spec::ReleaseSpec releases) {
  const Cycle synchronise = HostLatencies(spec).synchronise;
  EXPECT_GT(turnaround, synchronise);
  spec::ProcessSpec& process = add_process(spec, {kernel_of("k", 1, 100)}, {cpu(turnaround - synchronise)});
  process.releases = std::move(releases);
  return process;
}

spec::ReleaseSpec every(Cycle period, Overrun overrun = Overrun::kQueue, Cycle offset = 0) {
  return {Arrivals::kPeriodic, period * kCyclePs, offset * kCyclePs, overrun};
}

spec::ReleaseSpec at_times(const std::vector<Cycle>& cycles, Overrun overrun = Overrun::kQueue) {
  spec::ReleaseSpec releases{Arrivals::kFile, 0, 0, overrun};
  for (const Cycle cycle : cycles) releases.times.push_back(cycle * kCyclePs);
  return releases;
}

std::vector<std::uint32_t> runs_of(const std::vector<Record>& records) {
  std::vector<std::uint32_t> runs;
  for (const Record& record : records) runs.push_back(record.run);
  return runs;
}

std::vector<std::uint64_t> values_of(const std::vector<Record>& records) {
  std::vector<std::uint64_t> values;
  for (const Record& record : records) values.push_back(record.value);
  return values;
}

// ---- in time
// ----------------------------------------------------------------------------------------------------------

TEST(Releases, ComeFromStartAndOffsetOncePerPeriod) {
  spec::Spec spec = tiny_platform();
  spec.stop.min_runs = 3;
  spec::ProcessSpec& process = add_frames(spec, 4'000, every(kPeriod, Overrun::kQueue, 300));
  process.start = 5'000 * kCyclePs;
  process.deadline = 7'000 * kCyclePs;
  const Log log = simulate_checked(spec);
  EXPECT_THAT(log.cycles(Kind::kRunReleased), ElementsAre(5'300, 15'300, 25'300));
  EXPECT_EQ(log.cycles(Kind::kRunStarted), log.cycles(Kind::kRunReleased));
  EXPECT_THAT(log.cycles(Kind::kRunEnded), ElementsAre(9'300, 19'300, 29'300));
  EXPECT_THAT(log.all(Kind::kRunReleased), Each(Field(&Record::cycles, 7'000U)));
  EXPECT_THAT(log.all(Kind::kRunReleased), Each(Field(&Record::value, 1U)));
  const record::FrameResult& frames = log.result.processes[0].frames;
  EXPECT_EQ(frames.ended, 3U);
  EXPECT_EQ(frames.missed, 0U);
  EXPECT_EQ(frames.response.sum, 3 * 4'000U);
}

TEST(Releases, OfKernelsOnAnOddClockAreRoundedToCycles) {
  spec::Spec spec = tiny_platform();
  spec.gpu.clock_hz = 706'000'000;
  spec.stop.min_runs = 4;
  add_process(spec, {kernel_of("k", 4, 20'000)}, {launch(0)}).releases = {Arrivals::kPeriodic, 47'123'457};
  const Log log = simulate_checked(spec);
  std::vector<Cycle> expected;
  for (std::uint64_t run = 0; run < 4; ++run) {
    expected.push_back(Clock(spec.gpu.clock_hz).cycles_in(run * 47'123'457));
  }
  EXPECT_EQ(log.cycles(Kind::kRunReleased), expected);
  EXPECT_EQ(log.cycles(Kind::kRunStarted), expected);
}

TEST(Releases, AProcessWithoutThemHasNoRecordOfAny) {
  spec::Spec spec = tiny_platform();
  add_process(spec, {kernel_of("k", 1, 100)}, {launch(0)});
  EXPECT_TRUE(simulate_checked(spec).all(Kind::kRunReleased).empty());
}

// ---- late
// -------------------------------------------------------------------------------------------------------------

TEST(Releases, ThatWaitKeepTheirTime) {
  constexpr Cycle kRun = kPeriod + kPeriod / 2;
  spec::Spec spec = tiny_platform();
  spec.stop.min_runs = 4;
  add_frames(spec, kRun, every(kPeriod)).deadline = 2 * kPeriod * kCyclePs;
  const Log log = simulate_checked(spec);
  EXPECT_THAT(log.cycles(Kind::kRunStarted), ElementsAre(0, kRun, 2 * kRun, 3 * kRun, 4 * kRun));
  EXPECT_THAT(log.cycles(Kind::kRunReleased),
              ElementsAre(0, kPeriod, 2 * kPeriod, 3 * kPeriod, 4 * kPeriod, 5 * kPeriod, 6 * kPeriod));
  std::vector<std::uint64_t> open;  // at each release: those that have not ended
  for (std::uint64_t run = 0; run < 7; ++run) open.push_back(run + 1 - run * kPeriod / kRun);
  EXPECT_EQ(values_of(log.all(Kind::kRunReleased)), open);
  const record::FrameResult& frames = log.result.processes[0].frames;
  // Run r ends at (r + 1) x 15,000 and was released at r x 10,000: after 15, 20, 25 and 30 thousand cycles.
  EXPECT_EQ(frames.response.sum, 90'000U);
  EXPECT_EQ(frames.response.max, 30'000U);
  EXPECT_EQ(frames.released, 7U);
  // Two ended late; the fifth waits for longer than its 20,000 when the simulation ends, a cycle after the fourth
  // ended, and the sixth and seventh do not.
  EXPECT_EQ(frames.missed, 3U);
}

TEST(Releases, InTheCycleInWhichARunEndsStartTheNext) {
  for (const Overrun overrun : {Overrun::kQueue, Overrun::kSkip}) {
    spec::Spec spec = tiny_platform();
    spec.stop.min_runs = 3;
    add_frames(spec, kPeriod, every(kPeriod, overrun)).deadline = kPeriod * kCyclePs;
    const Log log = simulate_checked(spec);
    EXPECT_THAT(runs_of(log.all(Kind::kRunEnded)), ElementsAre(0, 1, 2));
    EXPECT_THAT(log.cycles(Kind::kRunStarted), ElementsAre(0, kPeriod, 2 * kPeriod, 3 * kPeriod));
    EXPECT_THAT(log.all(Kind::kRunReleased), Each(Field(&Record::value, 1U)));
    EXPECT_EQ(log.result.processes[0].frames.missed, 0U);
  }
}

TEST(Releases, ThatPassWhileARunGoesOnMayBeSkipped) {
  spec::Spec spec = tiny_platform();
  spec.stop.min_runs = 3;
  add_frames(spec, kPeriod + kPeriod / 2, every(kPeriod, Overrun::kSkip)).deadline = kPeriod * kCyclePs;
  const Log log = simulate_checked(spec);
  EXPECT_THAT(runs_of(log.all(Kind::kRunStarted)), ElementsAre(0, 2, 4));
  EXPECT_THAT(log.cycles(Kind::kRunStarted), ElementsAre(0, 2 * kPeriod, 4 * kPeriod));
  EXPECT_THAT(runs_of(log.all(Kind::kRunReleased)), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(values_of(log.all(Kind::kRunReleased)), ElementsAre(1, 2, 1, 2, 1, 2));
  const record::FrameResult& frames = log.result.processes[0].frames;
  EXPECT_EQ(frames.ended, 3U);
  EXPECT_EQ(frames.skipped, 3U);
  EXPECT_EQ(frames.missed, 6U) << "and those that ended took longer than the period";
}

TEST(Releases, ThatAreOpenAtTheEndAreLateOnceTheirDeadlineHasPassed) {
  spec::Spec spec = tiny_platform();
  add_frames(spec, 55'000, every(1'000'000));  // ends the simulation, at cycle 55,001
  spec::ProcessSpec& slow = add_frames(spec, 400'000, every(kPeriod));
  slow.is_background = true;
  slow.deadline = 25'000 * kCyclePs;
  const record::FrameResult frames = simulate_checked(spec).result.processes[1].frames;
  EXPECT_EQ(frames.released, 6U);
  EXPECT_EQ(frames.ended, 0U);
  EXPECT_EQ(frames.missed, 4U) << "released at 0, 10, 20 and 30 thousand";
}

// ---- ends
// -------------------------------------------------------------------------------------------------------------

TEST(Releases, EndAfterAsManyRunsAsTheProcessHas) {
  for (const Overrun overrun : {Overrun::kQueue, Overrun::kSkip}) {
    spec::Spec spec = tiny_platform();
    spec.stop.min_runs = 2;
    add_frames(spec, kPeriod + kPeriod / 2, every(kPeriod, overrun)).runs = 2;
    add_frames(spec, 60'000, every(60'000));  // goes on for longer
    const Log log = simulate_checked(spec);
    EXPECT_EQ(log.result.stop_reason, "min_runs");
    EXPECT_EQ(log.all(Kind::kRunEnded, 0).size(), 2U);
    const bool skips = overrun == Overrun::kSkip;
    EXPECT_THAT(runs_of(log.all(Kind::kRunEnded, 0)), ElementsAre(0, skips ? 2 : 1));
    EXPECT_EQ(log.result.processes[0].frames.released, skips ? 4U : 2U) << "no release after the last run";
    EXPECT_EQ(log.result.processes[0].frames.skipped, skips ? 2U : 0U);
  }
}

TEST(Releases, ThatAreRecordedEndTheirProcess) {
  spec::Spec spec = tiny_platform();
  add_frames(spec, 4'000, at_times({1'000, 2'000, 2'000, 50'000})).runs = 4;
  const Log log = simulate_checked(spec);
  EXPECT_THAT(log.cycles(Kind::kRunReleased), ElementsAre(1'000, 2'000, 2'000, 50'000));
  EXPECT_THAT(values_of(log.all(Kind::kRunReleased)), ElementsAre(1, 2, 3, 1));
  EXPECT_THAT(log.cycles(Kind::kRunStarted), ElementsAre(1'000, 5'000, 9'000, 50'000));
  EXPECT_EQ(log.result.stop_reason, "min_runs");
  EXPECT_EQ(log.result.cycles, 54'001U);
}

TEST(Releases, ThatAreRecordedEndTheirProcessThoughSomeAreSkipped) {
  spec::Spec spec = tiny_platform();
  add_frames(spec, 4'000, at_times({1'000, 2'000, 2'000, 5'000, 6'000}, Overrun::kSkip)).runs = 5;
  const Log log = simulate_checked(spec);
  EXPECT_THAT(runs_of(log.all(Kind::kRunStarted)), ElementsAre(0, 3)) << "3 comes as 0 ends";
  EXPECT_THAT(values_of(log.all(Kind::kRunReleased)), ElementsAre(1, 2, 2, 1, 2));
  EXPECT_EQ(log.result.stop_reason, "min_runs");
  EXPECT_EQ(log.result.cycles, 9'001U);
  EXPECT_EQ(log.result.processes[0].frames.skipped, 3U);
}

// ---- drawn
// ------------------------------------------------------------------------------------------------------------

TEST(Releases, ThatAreDrawnAreTheSameUnderEveryPolicy) {
  spec::Spec spec = tiny_platform();
  spec.stop.min_runs = 20;
  add_process(spec, {kernel_of("k", 4, 5'000)}, {launch(0)}).releases = {Arrivals::kPoisson, 40'000 * kCyclePs,
                                                                         700 * kCyclePs};
  add_process(spec, {kernel_of("b", 40, 9'000)}, {launch(0)}).is_background = true;
  std::vector<Cycle> expected;
  workload::ReleaseTimes times(spec, 0);
  for (int i = 0; i < 20; ++i) expected.push_back(Clock(spec.gpu.clock_hz).cycles_in(times.next().value()));
  for (const spec::PolicyKind policy : {spec::PolicyKind::kFcfs, spec::PolicyKind::kDss}) {
    spec.scheduler.policy = policy;
    std::vector<Cycle> released = simulate_checked(spec).cycles(Kind::kRunReleased, 0);
    ASSERT_GE(released.size(), expected.size());
    released.resize(expected.size());
    EXPECT_EQ(released, expected);
  }
}

// ---- whoever drives the engine
// ------------------------------------------------------------------------------------------

TEST(Releases, AreInTheSameLogWhetherTheEngineRunsAheadOrNot) {
  spec::Spec spec = tiny_platform();
  spec.scheduler.policy = spec::PolicyKind::kPpq;
  spec.stop.min_runs = 12;
  spec::ProcessSpec& front = add_process(spec, {kernel_of("k", 6, 5'000)}, {launch(0)});
  front.releases = {Arrivals::kPoisson, 30'000 * kCyclePs};
  front.priority = 1;
  add_process(spec, {kernel_of("b", 40, 9'000)}, {launch(0)}).is_background = true;
  MachineOptions stepwise;
  stepwise.pace = MachineOptions::Pace::kStepwise;
  const Log ahead = simulate_checked(spec);
  EXPECT_EQ(nlohmann::json(ahead.records), nlohmann::json(simulate_checked(spec, stepwise).records));
  MachineOptions clocked;
  clocked.abstraction = Abstraction::kRtlModel;
  EXPECT_EQ(ahead.cycles(Kind::kRunReleased).front(),
            simulate_checked(spec, clocked).cycles(Kind::kRunReleased).front());
}

}  // namespace
}  // namespace tessera::platform::test
