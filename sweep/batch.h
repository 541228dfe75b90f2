// SPDX-License-Identifier: Apache-2.0
// The points of a job array: which task has which. In the sweep's folder, so that tasks read it, and whoever attaches
// to the jobs later does.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sweep/folder.h"
#include "sweep/plan.h"

namespace tessera::sweep {

struct BatchPoint {
  std::size_t combination = 0;
  std::size_t index = 0;
  std::string key;
};

struct Batch {
  std::string job;   // of the cluster; empty: not submitted
  std::string file;  // slurm/batch-3.points
  std::size_t points_per_task = 1;
  std::vector<BatchPoint> points;

  std::size_t num_tasks() const { return (points.size() + points_per_task - 1) / points_per_task; }
  std::size_t task_of(std::size_t point) const { return point / points_per_task; }
};

// slurm/jobs.json; those whose files are there.
std::vector<Batch> read_batches(const Folder& folder);
void write_batches(const std::vector<Batch>& batches, const Folder& folder);

// A line a point; the first line has the number of points a task.
void write_batch(const Batch& batch, const Folder& folder);
Batch read_batch(const std::filesystem::path& path);

// Those of one task.
std::vector<BatchPoint> points_of(const Batch& batch, std::size_t task);

}  // namespace tessera::sweep
