// SPDX-License-Identifier: Apache-2.0
// Runs points of a sweep on this machine, each in a process of its own that leaves the point's file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "platform/experiment.h"
#include "sweep/folder.h"
#include "sweep/plan.h"

namespace tessera::sweep {

struct Tally {
  std::size_t done = 0;
  std::size_t failed = 0;
  double simulated_s = 0;  // time that the simulations themselves took, in all processes
  bool was_interrupted = false;
};

struct RunnerOptions {
  unsigned num_workers = 1;
  std::vector<CoreCost> costs;  // of Plan::cores; empty without `cost: synth`
  std::function<bool()> is_interrupted;
  std::function<void(std::size_t done, std::size_t total)> on_progress;
  // How a point is simulated; the string is its key.
  std::function<platform::ExperimentResult(const spec::Spec&, const platform::ExperimentOptions&, const std::string&)>
      simulate;
};

// Those of the plan that have no file yet; of points that are equal, one. `retries`: failed ones are run again.
std::vector<PlannedPoint> open_points(const Plan& plan, const Folder& folder, bool retries);

// Points that another sweep of the folder has finished get the index and the axes of this plan in their files, which
// `tessera report` reads.
void renumber_points(const Plan& plan, const Folder& folder);

// In random order, so that the time that is left can be told from their number. One that another process has finished
// meanwhile is not run.
Tally run_points(const Plan& plan, const std::vector<PlannedPoint>& points, const Folder& folder,
                 const RunnerOptions& options);

// The file of a point that failed.
nlohmann::ordered_json failed_point(const Plan& plan, const PlannedPoint& point, const std::string& reason);

}  // namespace tessera::sweep
