// SPDX-License-Identifier: Apache-2.0
// tessera sweep: a design space, point by point, on this machine or on a cluster.
#include <memory>

#include "apps/tessera/commands.h"
#include "apps/tessera/config_path.h"
#include "apps/tessera/exit_status.h"
#include "apps/tessera/experiment_file.h"
#include "apps/tessera/interrupt.h"
#include "apps/tessera/sweep_place.h"
#include "apps/tessera/sweep_run.h"
#include "apps/tessera/words.h"

namespace tessera::app {
namespace {

using sweep::Folder;
using sweep::Plan;

// Of points that another build of the program may have left.
int make_tables(const SweepOptions& options) {
  const Plan plan =
      sweep::make_plan(spec::Sweep(sweep_path(options.file), options.overrides), recorded_program(options.out.place));
  const Folder folder(sweep_place(options.out.place, plan));
  check_has_points(folder, plan);
  write_sweep_json(plan, folder);
  renumber_points(plan, folder);
  return write_tables(plan, folder, "") ? kDone : kFailed;
}

int sweep_command(const SweepOptions& options) {
  if (!options.task.empty()) return run_slurm_task(options);
  if (options.makes_tables_only) return make_tables(options);
  // 1. Everything that can be wrong with the input is found before anything is written.
  const Plan plan = sweep::make_plan(spec::Sweep(sweep_path(options.file), options.overrides));
  tell_left_out(plan.left_out);
  if (options.is_dry) return dry_run(plan, options);
  const Folder folder(sweep_place(options.out.place, plan));
  check_sweep_place(folder, {options.resumes, options.out.is_forced});
  // 2. The folder, with what tells it from others first.
  open_sweep_folder(folder, plan, options.out.is_forced && !options.resumes);
  // 3. The points, and what they come to.
  catch_interrupts();
  return options.uses_slurm ? run_on_slurm(plan, folder, options) : run_here(plan, folder, options);
}

}  // namespace

void add_sweep_command(CLI::App& command, int& status) {
  auto options = std::make_shared<SweepOptions>();
  command.add_option("SWEEP", options->file, "YAML file, or the name of a built-in sweep")
      ->type_name("FILE")
      ->check(FileOr(sweep_names))
      ->required();
  add_set_option(command, options->overrides,
                 "Override a key of the base experiment that no axis sets, or one of slurm");
  add_out_option(command, options->out, "Folder of the sweep")->default_str("results/<sweep>-<hash>");
  add_jobs_option(command, options->num_workers, "Points");
  command.add_flag("--resume", options->resumes, "Go on in a folder: run what is not finished there");
  command.add_flag("--retry-failed", options->retries, "Run the points that failed again")->needs("--resume");
  command.add_flag("--slurm", options->uses_slurm, "Run the points as job arrays of a Slurm cluster");
  command.add_option("--task", options->task)->group("");  // what a job array calls
  command.add_flag("--tables", options->makes_tables_only,
                   "Make tables and plots of what is finished, and run nothing");
  command.add_flag("--dry-run", options->is_dry, "Print the number of points, and about how long they take");
  command.callback([options, &status] { status = sweep_command(*options); });
}

}  // namespace tessera::app
