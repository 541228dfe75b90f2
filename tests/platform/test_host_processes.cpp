// SPDX-License-Identifier: Apache-2.0
// What a host program means: streams, blocking calls, replay, and what ends an experiment.
#include <algorithm>

#include "tests/platform/machine_bench.h"
#include "tlm/driver/address_map.h"

namespace tessera::platform::test {
namespace {

using spec::CopyDirection;
using testing::Each;
using testing::ElementsAre;
using testing::Ge;
using testing::IsEmpty;
using testing::Lt;

constexpr Cycle kLong = 200'000;
constexpr Cycle kShort = 10'000;
constexpr std::uint64_t kBytes = 300'000;  // 150,000 cycles on the link

// ---- streams -------------------------------------------------------------------------------------------------

TEST(HostProcess, LaunchesInSeveralStreamsOverlap) {
  spec::Spec spec = tiny_platform();
  add_process(spec, {kernel_of("a", 1, kLong), kernel_of("b", 1, kLong)}, {launch(0, 0), launch(1, 1)});
  const Log log = simulate_checked(spec);
  EXPECT_LT(log.when(Kind::kKernelActivated, 0, 1), log.when(Kind::kKernelFinished, 0, 0));
}

TEST(HostProcess, LaunchesInOneStreamRunInOrderWhateverRoomThereIs) {
  spec::Spec spec = tiny_platform();
  add_process(spec, {kernel_of("a", 1, kLong), kernel_of("b", 1, kShort)}, {launch(0), launch(1)});
  const Log log = simulate_checked(spec);
  EXPECT_GT(log.when(Kind::kKernelArrived, 0, 1), log.when(Kind::kKernelFinished, 0, 0));
}

TEST(HostProcess, CopiesAndLaunchesOfOneStreamWaitForEachOther) {
  spec::Spec spec = tiny_platform();
  add_process(spec, {kernel_of("a", 1, kLong)},
              {copy_async(CopyDirection::kToGpu, kBytes), launch(0), copy_async(CopyDirection::kToHost, kBytes)});
  const Log log = simulate_checked(spec);
  const std::vector<Cycle> started = log.cycles(Kind::kDmaStarted);
  ASSERT_EQ(started.size(), 2U);
  EXPECT_GT(log.when(Kind::kKernelArrived, 0, 0), log.cycles(Kind::kDmaEnded).at(0));
  EXPECT_GT(started[1], log.when(Kind::kKernelFinished, 0, 0));
}

TEST(HostProcess, StreamsBeyondTheProcesssQueuesShareThem) {
  spec::Spec spec = tiny_platform();
  spec.gpu.num_hardware_queues = 2;
  add_process(spec, {kernel_of("a", 1, kLong), kernel_of("b", 1, kShort), kernel_of("c", 1, kShort)},
              {launch(0, 0), launch(1, 1), launch(2, 2)});
  const Log log = simulate_checked(spec);
  EXPECT_LT(log.when(Kind::kKernelFinished, 0, 1), log.when(Kind::kKernelFinished, 0, 0));
  EXPECT_GT(log.when(Kind::kKernelArrived, 0, 2), log.when(Kind::kKernelFinished, 0, 0));  // behind stream 0
}

TEST(HostProcess, MayHaveMoreLaunchesInFlightThanARingHasEntries) {
  constexpr std::uint32_t kLaunches = 3 * tlm_model::address_map::kRingEntries + 5;
  spec::Spec spec = tiny_platform();
  spec.host.launch = 0;  // far ahead of the GPU
  spec.stop.min_runs = 2;
  add_process(spec, {kernel_of("k", 2, kShort)}, {loop(kLaunches, {launch(0)})});
  const Log log = simulate_checked(spec);
  EXPECT_EQ(log.result.stop_reason, "min_runs");
  for (std::uint32_t run = 0; run < 2; ++run) {
    const std::vector<Record> arrived = log.all(Kind::kKernelArrived);
    EXPECT_EQ(std::count_if(arrived.begin(), arrived.end(), [&](const Record& r) { return r.run == run; }), kLaunches);
  }
  EXPECT_EQ(log.all(Kind::kKernelFinished).size(), 2 * kLaunches);
}

// ---- blocking calls --------------------------------------------------------------------------------------------

TEST(HostProcess, ASynchronousCopyBlocksItsProcess) {
  spec::Spec spec = tiny_platform();
  add_process(spec, {kernel_of("k", 1, kShort)}, {copy(CopyDirection::kToGpu, kBytes, 0), launch(0, 1)});
  const HostLatencies host(spec);
  const Log log = simulate_checked(spec);
  EXPECT_EQ(log.when(Kind::kKernelArrived, 0, 0),
            log.cycles(Kind::kDmaEnded).at(0) + host.to_process() + host.launch + host.to_arrival());
}

TEST(HostProcess, AnAsynchronousCopyDoesNot) {
  spec::Spec spec = tiny_platform();
  add_process(spec, {kernel_of("k", 1, kShort)}, {copy_async(CopyDirection::kToGpu, kBytes, 0), launch(0, 1)});
  const HostLatencies host(spec);
  const Log log = simulate_checked(spec);
  EXPECT_EQ(log.when(Kind::kKernelArrived, 0, 0), host.copy + host.launch + host.to_arrival());
  EXPECT_LT(log.when(Kind::kKernelFinished, 0, 0), log.cycles(Kind::kDmaEnded).at(0));
  EXPECT_GT(log.cycles(Kind::kRunEnded).at(0), log.cycles(Kind::kDmaEnded).at(0));  // the run waits for it
}

struct Synchronised {
  Cycle long_finished = 0;   // stream 0
  Cycle short_finished = 0;  // stream 1
  Cycle third_arrived = 0;   // launched, in stream 2, after the synchronisation
};

Synchronised synchronised_by(const spec::HostStep& step) {
  spec::Spec spec = tiny_platform();
  add_process(spec, {kernel_of("long", 1, kLong), kernel_of("short", 1, kShort), kernel_of("third", 1, kShort)},
              {launch(0, 0), launch(1, 1), step, launch(2, 2)});
  const Log log = simulate_checked(spec);
  return {log.when(Kind::kKernelFinished, 0, 0), log.when(Kind::kKernelFinished, 0, 1),
          log.when(Kind::kKernelArrived, 0, 2)};
}

TEST(HostProcess, SynchroniseOfAStreamWaitsForThatStreamOnly) {
  const HostLatencies host(tiny_platform());
  const Synchronised times = synchronised_by(synchronise(1));
  EXPECT_EQ(times.third_arrived, times.short_finished + host.to_process() + host.launch + host.to_arrival());
  EXPECT_LT(times.third_arrived, times.long_finished);
}

TEST(HostProcess, SynchroniseOfTheDeviceWaitsForEveryStream) {
  const HostLatencies host(tiny_platform());
  const Synchronised times = synchronised_by(synchronise());
  EXPECT_EQ(times.third_arrived, times.long_finished + host.to_process() + host.launch + host.to_arrival());
}

TEST(HostProcess, WaitsForItsOwnWorkOnly) {
  spec::Spec spec = tiny_platform();
  spec.scheduler.policy = spec::PolicyKind::kDss;  // both run at once
  add_process(spec, {kernel_of("long", 1, kLong)}, {launch(0)});
  add_process(spec, {kernel_of("short", 1, kShort)}, {launch(0), synchronise()});
  const Log log = simulate_checked(spec);
  EXPECT_LT(log.cycles(Kind::kRunEnded, 1).at(0), log.when(Kind::kKernelFinished, 0, 0));
}

// ---- replay and the end ----------------------------------------------------------------------------------------

TEST(HostProcess, LoopsNest) {
  spec::Spec spec = tiny_platform();
  add_process(spec, {kernel_of("k", 1, kShort)}, {loop(3, {launch(0), loop(4, {launch(0, 1)})})});
  EXPECT_EQ(simulate_checked(spec).all(Kind::kKernelFinished).size(), 3U * (1 + 4));
}

TEST(Experiment, ReplaysUntilEveryForegroundProcessHasItsRuns) {
  spec::Spec spec = tiny_platform();
  spec.scheduler.policy = spec::PolicyKind::kDss;
  spec.stop.min_runs = 3;
  add_process(spec, {kernel_of("slow", 1, kLong)}, {launch(0)});
  add_process(spec, {kernel_of("quick", 1, kShort)}, {launch(0)});
  const Log log = simulate_checked(spec);
  EXPECT_EQ(log.result.stop_reason, "min_runs");
  EXPECT_EQ(log.result.processes.at(0).runs, 3U);
  EXPECT_GT(log.result.processes.at(1).runs, 3U);
  EXPECT_EQ(log.cycles(Kind::kRunEnded, 1).size(), log.result.processes.at(1).runs);
  EXPECT_EQ(log.result.cycles, log.cycles(Kind::kRunEnded, 0).at(2) + 1);  // nothing of the next cycle happened
  // Run r starts when run r - 1 ended.
  EXPECT_EQ(log.cycles(Kind::kRunStarted, 0).at(1), log.cycles(Kind::kRunEnded, 0).at(0));
  EXPECT_EQ(log.all(Kind::kRunEnded, 0).at(2).run, 2U);
}

TEST(Experiment, RepeatsADrawnDurationOnlyInTheSameRunOfTheSameProcess) {
  spec::Spec spec = tiny_platform();
  spec.stop.min_runs = 2;
  spec::KernelSpec kernel = kernel_of("k", 1, kLong);
  kernel.tb_time_spread_ppm = 1'000'000;
  add_process(spec, {kernel}, {launch(0), launch(0)});
  add_process(spec, {kernel}, {launch(0), launch(0)});
  const auto durations = [](const Log& log) {
    std::vector<Cycle> found;
    for (std::uint16_t process = 0; process < 2; ++process) {
      for (const Record& issued : log.all(Kind::kKernelArrived, process)) {
        if (issued.run > 1) continue;
        for (const Record& tb : log.records) {
          if (tb.launch == issued.launch && tb.kind == Kind::kTbIssued) found.push_back(tb.cycle);
        }
        for (const Record& tb : log.records) {
          if (tb.launch == issued.launch && tb.kind == Kind::kTbFinished) found.back() = tb.cycle - found.back();
        }
      }
    }
    return found;
  };
  const std::vector<Cycle> fcfs = durations(simulate_checked(spec));
  ASSERT_EQ(fcfs.size(), 8U);
  std::vector<Cycle> distinct = fcfs;
  std::sort(distinct.begin(), distinct.end());
  EXPECT_EQ(std::unique(distinct.begin(), distinct.end()), distinct.end());
  spec.scheduler.policy = spec::PolicyKind::kDss;
  EXPECT_EQ(durations(simulate_checked(spec)), fcfs);  // every policy sees a TB take the same time
}

TEST(Experiment, DoesNotWaitForBackgroundProcesses) {
  spec::Spec spec = tiny_platform();
  spec.scheduler.policy = spec::PolicyKind::kDss;
  add_process(spec, {kernel_of("quick", 1, kShort)}, {launch(0)});
  add_process(spec, {kernel_of("slow", 1, 100 * kLong)}, {launch(0)}).is_background = true;
  const Log log = simulate_checked(spec);
  EXPECT_EQ(log.result.stop_reason, "min_runs");
  EXPECT_EQ(log.result.processes.at(1).runs, 0U);
  EXPECT_EQ(log.result.cycles, log.cycles(Kind::kRunEnded, 0).at(0) + 1);
}

TEST(Experiment, StartsAProcessAtItsTime) {
  spec::Spec spec = tiny_platform();
  add_process(spec, {kernel_of("a", 1, kShort)}, {launch(0)});
  add_process(spec, {kernel_of("b", 1, kShort)}, {launch(0)}).start = 1'234'567 * kCyclePs;
  const HostLatencies host(spec);
  const Log log = simulate_checked(spec);
  EXPECT_EQ(log.cycles(Kind::kRunStarted, 0).at(0), 0U);
  EXPECT_EQ(log.cycles(Kind::kRunStarted, 1).at(0), 1'234'567U);
  EXPECT_EQ(log.cycles(Kind::kKernelArrived, 1).at(0), 1'234'567U + host.launch + host.to_arrival());
}

TEST(Experiment, EndsAtMaxTimeWhateverIsUnderWay) {
  for (const Cycle max : {Cycle{50'000}, Cycle{50'001}}) {
    spec::Spec spec = tiny_platform();
    spec.stop.max_time = max * kCyclePs;
    add_process(spec, {kernel_of("k", 4, kShort)}, {loop(1000, {launch(0)}), copy(CopyDirection::kToHost, kBytes)});
    const Log log = simulate_checked(spec);
    EXPECT_EQ(log.result.stop_reason, "max_time");
    EXPECT_TRUE(log.result.complete);  // it ended as the Spec asks
    EXPECT_EQ(log.result.cycles, max);
    EXPECT_EQ(log.result.processes.at(0).runs, 0U);
    EXPECT_FALSE(log.all(Kind::kKernelFinished).empty());
    for (const Record& record : log.records) {
      const bool is_of_the_end =
          record.kind == Kind::kSmBusy || record.kind == Kind::kSmSlots || record.kind == Kind::kKernelLeft;
      EXPECT_LT(record.cycle, max + (is_of_the_end ? 1 : 0)) << to_string(record.kind);
    }
  }
}

TEST(Experiment, ARunThatEndsInTheLastCycleCounts) {
  spec::Spec spec = tiny_platform();
  add_process(spec, {}, {cpu(1000)});
  const Cycle ended = 1000 + HostLatencies(spec).synchronise;
  spec.stop.max_time = (ended + 1) * kCyclePs;
  EXPECT_EQ(simulate_checked(spec).result.stop_reason, "min_runs");
  spec.stop.max_time = ended * kCyclePs;
  EXPECT_EQ(simulate_checked(spec).result.stop_reason, "max_time");
}

}  // namespace
}  // namespace tessera::platform::test
