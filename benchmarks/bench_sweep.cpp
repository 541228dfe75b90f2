// SPDX-License-Identifier: Apache-2.0
// A sweep of many points against the same simulations in the same worker processes, and nothing else: what resolving,
// keys, files that are on the disk, summaries and costs add to a point.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "cosim/temporary_folder.h"
#include "measurement.h"
#include "platform/simulation.h"
#include "platform/worker_pool.h"
#include "sweep/runner.h"

namespace tessera::bench {
namespace {

constexpr int kRepetitions = 7;  // of kPoints
constexpr int kPoints = 60;      // TESSERA_SWEEP_POINTS=1000 asks for more, and then for fewer repetitions
constexpr unsigned kWorkers = 2;

// Some millions of thread blocks a point: a tenth of a second. Points differ in the length of a slice, so that they
// share their applications alone.
constexpr const char* kSweep = R"(schema_version: 1
name: bench
base:
  name: bench
  gpu: GPU
  scheduler: {policy: time_slice, technique: context_switch}
  workload:
    processes:
      - {name: front, application: app.yaml}
      - {name: back, application: app.yaml}
  stop: {min_runs: 60}
axes:
  - {key: scheduler.time_slice_us, range: {from: 500, to: LAST, step: 1}}
)";
constexpr const char* kApplication = R"(schema_version: 1
name: app
kernels:
  - {name: k, num_tbs: 20000, regs_per_tb: 4096, smem_bytes_per_tb: 0, threads_per_tb: 128, kernel_time_us: 5000,
     tb_time_spread: 0.3}
program:
  - launch: {kernel: k}
  - synchronise: {}
)";

struct Spent {
  double wall_s = 0;
  double cpu_s = 0;  // children too
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Spent, wall_s, cpu_s)

double cpu_of_all() {
  double seconds = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    ::getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime}) {
      seconds += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    }
  }
  return seconds;
}

template <typename Task>
Spent measured(Task task) {
  const auto start = std::chrono::steady_clock::now();
  const double cpu = cpu_of_all();
  task();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  return {wall.count(), cpu_of_all() - cpu};
}

bool never() { return false; }

Spent whole_sweep(const std::filesystem::path& file, const std::filesystem::path& place) {
  return measured([&] {
    const sweep::Plan plan = sweep::make_plan(spec::Sweep(file));
    const sweep::Folder folder(place);
    for (const char* name : {"points", "alone"}) std::filesystem::create_directories(folder.file(name));
    sweep::RunnerOptions options;
    options.num_workers = kWorkers;
    options.is_interrupted = never;
    options.on_progress = [](std::size_t, std::size_t) {};
    options.simulate = [](const spec::Spec& spec, const platform::ExperimentOptions& experiment, const std::string&) {
      return platform::run_experiment(spec, experiment);
    };
    const sweep::Tally tally = run_points(plan, open_points(plan, folder, false), folder, options);
    if (tally.failed > 0) throw std::runtime_error("a point failed");
  });
}

Spent simulations_alone(const std::filesystem::path& file) {
  std::vector<spec::Spec> specs;
  spec::Sweep(file).for_each_point(
      [&specs](const spec::SweepPoint&, const spec::Spec& spec) { specs.push_back(spec); });
  return measured([&] {
    platform::run_each(
        specs.size(), [&](std::size_t i) { return platform::Work{platform::simulate(specs[i], {}, never)}; }, kWorkers,
        {}, [](std::size_t, const platform::Ending&) {});
  });
}

void replace(std::string& text, const std::string& word, const std::string& by) {
  text.replace(text.find(word), word.size(), by);
}

void sweep_over_simulations(benchmark::State& state) {
  const cosim::TemporaryFolder folder("bench");
  const std::filesystem::path file = folder.path() / "sweep.yaml";
  std::string text = kSweep;
  replace(text, "GPU", TESSERA_SOURCE_DIR "/configs/gpus/k20c.yaml");
  replace(text, "LAST", std::to_string(500 + state.range(0) - 1));
  std::ofstream(file) << text;
  std::ofstream(folder.path() / "app.yaml") << kApplication;
  std::vector<double> wall, cpu, per_s, overhead_ms;
  int round = 0;
  for (auto _ : state) {
    const auto alone = in_child([&] { return simulations_alone(file); }).get<Spent>();
    const std::filesystem::path place = folder.path() / std::to_string(round++);
    const auto whole = in_child([&] { return whole_sweep(file, place); }).get<Spent>();
    const auto points = static_cast<double>(state.range(0));
    wall.push_back(whole.wall_s / alone.wall_s);
    cpu.push_back(whole.cpu_s / alone.cpu_s);
    per_s.push_back(points / whole.wall_s);
    overhead_ms.push_back(1000 * (whole.cpu_s - alone.cpu_s) / points);
    state.SetIterationTime(whole.wall_s);
  }
  state.counters["wall"] = median(wall);
  state.counters["cpu"] = median(cpu);
  state.counters["points/s"] = median(per_s);
  state.counters["overhead_ms"] = median(overhead_ms);
}

void choose_size(benchmark::internal::Benchmark* benchmark) {
  const char* const wanted = std::getenv("TESSERA_SWEEP_POINTS");
  const int points = std::max(1, wanted == nullptr ? kPoints : std::atoi(wanted));
  benchmark->Arg(points)->Iterations(std::clamp(kRepetitions * kPoints / points, 1, kRepetitions));
}

BENCHMARK(sweep_over_simulations)->Apply(choose_size)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tessera::bench
