// SPDX-License-Identifier: Apache-2.0
// Runs points of a sweep on a cluster: submits, watches the queue and the files, and submits again what was lost.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sweep/cluster.h"
#include "sweep/folder.h"
#include "sweep/plan.h"
#include "sweep/runner.h"

namespace tessera::sweep {

struct ClusterOptions {
  std::vector<std::string> command;  // that a task calls; the file of its points is added
  double longest_wait_s = 10;        // between two looks at the queue
  std::function<bool()> is_interrupted;
  std::function<void(std::size_t done, std::size_t total)> on_progress;
  std::function<void(const std::string& what)> on_trouble;  // that may pass; once for each
};

struct ClusterTally {
  Tally tally;
  std::vector<std::string> jobs;  // that go on where it was interrupted
};

// Points that jobs of an earlier call still have are waited for, the others submitted. A point that was lost three
// times counts as failed. A job that the cluster refuses once it has taken another is submitted again; else
// it throws std::runtime_error.
ClusterTally run_on_cluster(const Plan& plan, const std::vector<PlannedPoint>& points, const Folder& folder,
                            const ClusterOptions& options);

}  // namespace tessera::sweep
