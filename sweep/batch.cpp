// SPDX-License-Identifier: Apache-2.0
// Plain lines: a task reads its own in a moment.
#include "sweep/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace tessera::sweep {
namespace {

constexpr const char* kJobs = "slurm/jobs.json";

}  // namespace

std::vector<Batch> read_batches(const Folder& folder) {
  std::vector<Batch> batches;
  std::ifstream file(folder.file(kJobs));
  const nlohmann::json jobs = nlohmann::json::parse(file, nullptr, false);
  if (!jobs.is_array()) return batches;
  for (const nlohmann::json& job : jobs) {
    const std::string name = job.value("file", "");
    if (!std::filesystem::exists(folder.file(name))) continue;
    batches.push_back(read_batch(folder.file(name)));
    batches.back().file = name;
    batches.back().job = job.value("job", "");
  }
  return batches;
}

void write_batches(const std::vector<Batch>& batches, const Folder& folder) {
  nlohmann::json jobs = nlohmann::json::array();
  for (const Batch& batch : batches) jobs.push_back({{"job", batch.job}, {"file", batch.file}});
  folder.write(kJobs, jobs.dump(1) + "\n");
}

void write_batch(const Batch& batch, const Folder& folder) {
  std::string text = fmt::format("{}\n", batch.points_per_task);
  for (const BatchPoint& point : batch.points) {
    text += fmt::format("{} {} {}\n", point.combination, point.index, point.key);
  }
  folder.write(batch.file, text);
}

Batch read_batch(const std::filesystem::path& path) {
  Batch batch;
  std::ifstream file(path);
  if (!(file >> batch.points_per_task) || batch.points_per_task == 0) {
    throw std::runtime_error("cannot read " + path.string());
  }
  for (BatchPoint point; file >> point.combination >> point.index >> point.key;) {
    batch.points.push_back(point);
  }
  return batch;
}

std::vector<BatchPoint> points_of(const Batch& batch, std::size_t task) {
  const std::size_t begin = std::min(batch.points.size(), task * batch.points_per_task);
  const std::size_t end = std::min(batch.points.size(), begin + batch.points_per_task);
  return {batch.points.begin() + static_cast<std::ptrdiff_t>(begin),
          batch.points.begin() + static_cast<std::ptrdiff_t>(end)};
}

}  // namespace tessera::sweep
