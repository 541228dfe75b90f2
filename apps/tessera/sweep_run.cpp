// SPDX-License-Identifier: Apache-2.0
// The sweep on this machine, and what there is to say at the end of one anywhere.
#include "apps/tessera/sweep_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <stdexcept>

#include "apps/tessera/exit_status.h"
#include "apps/tessera/interrupt.h"
#include "apps/tessera/progress.h"
#include "apps/tessera/sweep_timelines.h"
#include "model/base/printable.h"
#include "sweep/cluster.h"
#include "sweep/results.h"

namespace tessera::app {
namespace {

using sweep::Folder;
using sweep::Plan;
using sweep::PlannedPoint;
using sweep::Tally;

std::string cost_file(const Plan& plan, const sweep::Core& core) { return "cores/" + plan.key_of(core) + ".json"; }

// How the user would go on.
std::string command_text(const SweepOptions& options, const std::string& flag) {
  const auto word = [](const std::string& text) {
    const bool is_plain = std::all_of(text.begin(), text.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 || std::strchr("_-./=:,+", c) != nullptr;
    });
    return is_plain ? text : sweep::shell_word(text);
  };
  std::string text = "tessera sweep " + word(options.file);
  for (const std::string& change : options.overrides) text += " --set " + word(change);
  if (!options.out.place.empty()) text += " --out " + word(options.out.place);
  return printable(text + " " + flag);
}

std::string ran_text(const Tally& tally, double seconds, unsigned num_workers) {
  if (tally.done == 0) return "";
  return fmt::format("; {} in {:.1f} s, {:.3g} a second, {:.1f} % of it simulations", tally.done, seconds,
                     static_cast<double>(tally.done) / seconds, 100 * tally.simulated_s / (seconds * num_workers));
}

}  // namespace

sweep::RunnerOptions sweep_runner(const SweepOptions& options, const Folder& folder, bool keeps_timelines) {
  sweep::RunnerOptions runner;
  runner.num_workers = options.num_workers;
  runner.is_interrupted = is_interrupted;
  runner.on_progress = [progress = Progress("points")](std::size_t done, std::size_t total) mutable {
    progress.show(done, total);
  };
  runner.simulate = [&folder, keeps_timelines](const spec::Spec& spec, const platform::ExperimentOptions& experiment,
                                               const std::string& key) {
    return keeps_timelines ? run_with_timeline(spec, experiment, folder.file("timelines") / key)
                           : platform::run_experiment(spec, experiment);
  };
  return runner;
}

std::vector<sweep::CoreCost> read_costs(const Plan& plan, const Folder& folder) {
  std::vector<sweep::CoreCost> costs;
  for (const sweep::Core& core : plan.cores) {
    std::ifstream file(folder.file(cost_file(plan, core)));
    const nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
    if (!json.is_object()) throw std::runtime_error("the cost of a core is not in the folder of the sweep");
    costs.push_back(json.get<sweep::CoreCost>());
  }
  return costs;
}

bool measure_cores(const Plan& plan, const Folder& folder, sweep::RunnerOptions& runner) {
  if (plan.cores.empty()) return true;
  sweep::CoreOptions cores;
  cores.num_workers = runner.num_workers;
  cores.target_mhz = plan.spec().target_mhz;
  cores.is_interrupted = is_interrupted;
  cores.on_progress = [progress = Progress("netlists and simulations of cores")](
                          std::size_t done, std::size_t total) mutable { progress.show(done, total); };
  try {
    runner.costs = sweep::measure_cores(plan.cores, cores);
  } catch (const std::exception&) {
    if (!is_interrupted()) throw;  // else a tool was interrupted as well
  }
  if (is_interrupted()) return false;
  for (std::size_t i = 0; i < plan.cores.size(); ++i) {
    folder.write(cost_file(plan, plan.cores[i]), nlohmann::json(runner.costs[i]).dump() + "\n");
  }
  return true;
}

bool write_tables(const Plan& plan, const Folder& folder, const std::string& ran) {
  const sweep::Table table = read_table(plan, folder);
  const bool is_drawn = write_results(table, folder);
  const std::size_t failed = table.num_failed();
  fmt::print("{}: {} of {} points finished, {} failed{}\n  results   {}/\n", plan.spec().name, table.rows.size(),
             plan.points.size(), failed, ran, printable(folder.place().string()));
  if (!is_drawn) fmt::print(stderr, "tessera: no gnuplot (package gnuplot-nox): the plots are not drawn\n");
  constexpr std::size_t kTold = 5;
  std::size_t told = 0;
  for (const sweep::Row& row : table.rows) {
    if (row.is_done() || ++told > kTold) continue;
    fmt::print(stderr, "tessera: point {} failed: {}\n", row.index, printable(row.reason));
  }
  if (failed > kTold) fmt::print(stderr, "tessera: and {} more failed: summary.md\n", failed - kTold);
  return failed == 0;
}

int finish_sweep(const Plan& plan, const Folder& folder, const std::string& ran) {
  const bool is_good = write_tables(plan, folder, ran);
  const auto is_missing = [&folder](const PlannedPoint& point) { return !folder.has_point(point.key); };
  const auto missing = std::count_if(plan.points.begin(), plan.points.end(), is_missing);
  if (missing == 0) return is_good ? kDone : kFailed;
  fmt::print(stderr,
             "tessera: somebody took {} finished points out of the folder meanwhile; --resume runs them again\n",
             missing);
  return kFailed;
}

int tell_interrupted(const Plan& plan, const Folder& folder, const SweepOptions& options,
                     const std::vector<std::string>& jobs) {
  const std::size_t left = open_points(plan, folder, false).size();
  fmt::print(stderr, "tessera: interrupted with {} of {} points to go; go on with: {}\n", left, plan.points.size(),
             command_text(options, options.uses_slurm ? "--slurm --resume" : "--resume"));
  if (!jobs.empty()) {
    fmt::print(stderr, "tessera: the cluster goes on meanwhile; to end that too: scancel {}\n", fmt::join(jobs, " "));
  }
  return kInterrupted;
}

int run_here(const Plan& plan, const Folder& folder, const SweepOptions& options) {
  sweep::RunnerOptions runner = sweep_runner(options, folder, plan.spec().keeps_timelines);
  const std::vector<PlannedPoint> open = open_points(plan, folder, options.retries);
  const auto start = std::chrono::steady_clock::now();
  if (!open.empty() && !measure_cores(plan, folder, runner)) return tell_interrupted(plan, folder, options, {});
  const Tally tally = run_points(plan, open, folder, runner);
  if (tally.was_interrupted) return tell_interrupted(plan, folder, options, {});
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  const std::size_t workers = std::min<std::size_t>(options.num_workers, std::max<std::size_t>(1, open.size()));
  return finish_sweep(plan, folder, ran_text(tally, elapsed.count(), workers));
}

}  // namespace tessera::app
