// SPDX-License-Identifier: Apache-2.0
// What the ways to run a sweep share: its options, its folder, what they say.
#pragma once

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "apps/tessera/common_options.h"
#include "sweep/folder.h"
#include "sweep/plan.h"
#include "sweep/runner.h"

namespace tessera::app {

struct SweepOptions {
  std::string file;
  std::vector<std::string> overrides;
  OutOption out;
  unsigned num_workers = std::max(1U, std::thread::hardware_concurrency());
  bool resumes = false;
  bool retries = false;
  bool is_dry = false;
  bool makes_tables_only = false;
  bool uses_slurm = false;
  std::string task;  // of a job array: the file of its points
};

// The costs of cores are missing in them. `folder` outlives them.
sweep::RunnerOptions sweep_runner(const SweepOptions& options, const sweep::Folder& folder, bool keeps_timelines);

// Synthesises the cores of the plan and keeps their costs in the folder, where tasks of a cluster read them. False if
// interrupted.
bool measure_cores(const sweep::Plan& plan, const sweep::Folder& folder, sweep::RunnerOptions& runner);
std::vector<sweep::CoreCost> read_costs(const sweep::Plan& plan, const sweep::Folder& folder);

// Makes and says what there is; false where points failed.
bool write_tables(const sweep::Plan& plan, const sweep::Folder& folder, const std::string& ran);
// The same at the end of a sweep, when all points are there. Returns the exit status, as all below.
int finish_sweep(const sweep::Plan& plan, const sweep::Folder& folder, const std::string& ran);
int tell_interrupted(const sweep::Plan& plan, const sweep::Folder& folder, const SweepOptions& options,
                     const std::vector<std::string>& jobs);
int dry_run(const sweep::Plan& plan, const SweepOptions& options);
int run_here(const sweep::Plan& plan, const sweep::Folder& folder, const SweepOptions& options);
int run_on_slurm(const sweep::Plan& plan, const sweep::Folder& folder, const SweepOptions& options);
// One task of a job array, on its node: the points that its number gives it.
int run_slurm_task(const SweepOptions& options);

}  // namespace tessera::app
