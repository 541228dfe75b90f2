// SPDX-License-Identifier: Apache-2.0
// What a driver's decisions cost the simulator: TimeGraph's core alone, and the whole machine under TimeGraph against
// the same programs that pass through.
#include <benchmark/benchmark.h>

#include <deque>
#include <stdexcept>
#include <vector>

#include "measurement.h"
#include "model/command_scheduling/timegraph.h"
#include "model/spec/spec.h"
#include "platform/simulation.h"
#include "workload.h"

namespace tessera::bench {
namespace {

using namespace command_scheduling;

constexpr int kRepetitions = 9;
constexpr std::uint64_t kGroupsOfCore = 1'000'000;
constexpr std::uint64_t kGroupsOfMachine = 100'000;
constexpr Cycle kDuration = 10'000;
constexpr Cycle kPeriod = 10'000'000;
constexpr std::uint64_t kKeys = 150;  // of all tasks: more than the history has records

double groups_per_minute(std::uint64_t groups, double seconds) { return 60 * static_cast<double>(groups) / seconds; }

// A GPU that does one group after the other; every task has its next group as soon as the last one is submitted.
class CoreLoop {
 public:
  explicit CoreLoop(std::uint32_t num_tasks) : core_({}) {
    for (std::uint32_t i = 0; i < num_tasks; ++i) {
      TaskParameters task;
      task.dispatch = i / 2 % 2 == 0 ? Dispatch::kPrt : Dispatch::kHt;
      task.priority = 5;
      task.reserve = core_.add_reserve({kPeriod / num_tasks, kPeriod, 0, i % 2 == 1});
      tasks_.push_back(core_.add_task(task));
    }
    for (const TaskId task : tasks_) arrive(task);
  }

  void run(std::uint64_t num_groups) {
    while (num_done_ < num_groups) {
      for (const TimeGraph::Submission& submission : core_.dispatch(now_)) {
        online_.push_back(submission.group);
        arrive(submission.task);
      }
      if (online_.empty()) {
        now_ = core_.next_replenishment();
      } else {
        now_ += kDuration;
        core_.complete(now_, online_.front());
        online_.pop_front();
        ++num_done_;
      }
      if (core_.next_replenishment() <= now_) core_.replenish(now_);
    }
  }

 private:
  void arrive(TaskId task) {
    const std::uint64_t kernel = num_arrived_++ * 7 % kKeys;
    core_.arrive(now_, task, {kernel, 14});
  }

  TimeGraph core_;
  std::vector<TaskId> tasks_;
  std::deque<GroupId> online_;
  Cycle now_ = 0;
  std::uint64_t num_arrived_ = 0;
  std::uint64_t num_done_ = 0;
};

void timegraph_core(benchmark::State& state) {
  std::vector<double> seconds;
  for (auto _ : state) {
    CoreLoop loop(static_cast<std::uint32_t>(state.range(0)));
    const double start = cpu_seconds();
    loop.run(kGroupsOfCore);
    seconds.push_back(cpu_seconds() - start);
    state.SetIterationTime(seconds.back());
  }
  state.counters["groups/min"] = groups_per_minute(kGroupsOfCore, median(seconds));
}

struct MachineRun {
  double seconds = 0;  // CPU time of the simulation, its checks and metrics included
  std::uint64_t groups = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MachineRun, seconds, groups)

MachineRun machine_in_child(std::uint32_t num_processes, bool has_timegraph) {
  const spec::Spec spec = grouped_machine(num_processes, kGroupsOfMachine, has_timegraph);
  const auto task = [&spec] {
    const double start = cpu_seconds();
    const record::RunResult result = platform::simulate(spec, {}, [] { return false; });
    const std::uint64_t groups = result.tbs_completed / spec.applications.front().kernels.front().num_tbs;
    return nlohmann::json(MachineRun{cpu_seconds() - start, groups});
  };
  return in_child(task).get<MachineRun>();
}

// `ratio`: time when passing through / time under TimeGraph; 1: it costs nothing.
void timegraph_over_pass_through(benchmark::State& state) {
  const auto num_processes = static_cast<std::uint32_t>(state.range(0));
  std::vector<double> ratios, passing, holding;
  std::uint64_t groups = 0;
  for (auto _ : state) {
    const MachineRun passed = machine_in_child(num_processes, false);
    const MachineRun held = machine_in_child(num_processes, true);
    if (passed.groups != held.groups) throw std::logic_error("the two sides did not do the same work");
    groups = held.groups;
    ratios.push_back(passed.seconds / held.seconds);
    passing.push_back(passed.seconds);
    holding.push_back(held.seconds);
    state.SetIterationTime(held.seconds);
  }
  state.counters["ratio"] = median(ratios);
  state.counters["groups"] = static_cast<double>(groups);
  state.counters["groups/min"] = groups_per_minute(groups, median(holding));
  state.counters["passed/min"] = groups_per_minute(groups, median(passing));
}

BENCHMARK(timegraph_core)
    ->ArgName("tasks")
    ->Arg(2)
    ->Arg(8)
    ->Arg(32)
    ->Iterations(kRepetitions)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(timegraph_over_pass_through)
    ->ArgName("processes")
    ->Arg(2)
    ->Arg(8)
    ->Arg(32)
    ->Iterations(kRepetitions)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tessera::bench
