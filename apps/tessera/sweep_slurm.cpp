// SPDX-License-Identifier: Apache-2.0
// The sweep as job arrays of a cluster, seen from where it was started and from a node.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "apps/tessera/config_path.h"
#include "apps/tessera/exit_status.h"
#include "apps/tessera/interrupt.h"
#include "apps/tessera/sweep_run.h"
#include "model/base/printable.h"
#include "model/spec/diagnostics.h"
#include "sweep/batch.h"
#include "sweep/cluster_run.h"

namespace tessera::app {
namespace {

using sweep::Folder;
using sweep::Plan;
using sweep::PlannedPoint;

// What its nodes call: nodes share the file system with this machine.
std::vector<std::string> task_command(const SweepOptions& options, const Folder& folder) {
  std::vector<std::string> command{std::filesystem::read_symlink("/proc/self/exe").string(), "sweep",
                                   std::filesystem::absolute(sweep_path(options.file)).string()};
  for (const std::string& change : options.overrides) command.push_back("--set=" + change);
  command.insert(command.end(), {"--out", std::filesystem::absolute(folder.place()).string(), "--task"});
  return command;
}

// False: the file has another point there now, or none that is an experiment.
bool add_if_unchanged(Plan& plan, const sweep::BatchPoint& wanted) {
  try {
    plan.add_point(wanted.combination, wanted.index);
  } catch (const spec::InputError&) {
    return false;
  }
  return plan.points.back().key == wanted.key;
}

}  // namespace

int run_on_slurm(const Plan& plan, const Folder& folder, const SweepOptions& options) {
  sweep::RunnerOptions runner = sweep_runner(options, folder, false);
  const std::vector<PlannedPoint> open = open_points(plan, folder, options.retries);
  if (open.empty()) return finish_sweep(plan, folder, "");
  if (!measure_cores(plan, folder, runner)) return tell_interrupted(plan, folder, options, {});
  sweep::ClusterOptions cluster;
  cluster.command = task_command(options, folder);
  cluster.is_interrupted = is_interrupted;
  cluster.on_progress = runner.on_progress;
  cluster.on_trouble = [](const std::string& what) {
    fmt::print(stderr, "tessera: {}; trying again\n", printable(what));
  };
  const sweep::ClusterTally tally = run_on_cluster(plan, open, folder, cluster);
  if (tally.tally.was_interrupted) return tell_interrupted(plan, folder, options, tally.jobs);
  return finish_sweep(plan, folder, fmt::format("; {} of them on the cluster", tally.tally.done));
}

int run_slurm_task(const SweepOptions& options) {
  const char* const number = std::getenv("SLURM_ARRAY_TASK_ID");
  if (number == nullptr) throw CLI::ValidationError("--task", "this is not a task of a job array");
  Plan plan{spec::Sweep(sweep_path(options.file), options.overrides), "", {}, {}, {}};
  plan.program = sweep::program_hash(plan.spec());
  const Folder folder(options.out.place);
  for (const sweep::BatchPoint& wanted : points_of(sweep::read_batch(options.task), std::stoul(number))) {
    if (add_if_unchanged(plan, wanted)) continue;
    throw std::runtime_error("the sweep, or the program, is no longer what it was when the job was submitted");
  }
  sweep::RunnerOptions runner = sweep_runner(options, folder, plan.spec().keeps_timelines);
  runner.num_workers = 1;
  runner.costs = read_costs(plan, folder);
  catch_interrupts();
  return run_points(plan, open_points(plan, folder, false), folder, runner).was_interrupted ? kInterrupted : kDone;
}

}  // namespace tessera::app
