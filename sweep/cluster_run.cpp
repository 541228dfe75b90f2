// SPDX-License-Identifier: Apache-2.0
// What is finished is told by the files alone; the queue tells what is worth waiting for.
#include "sweep/cluster_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <thread>

#include "sweep/batch.h"

namespace tessera::sweep {
namespace {

constexpr std::size_t kMaxTasks = 1000;  // of an array: MaxArraySize, if nobody changed it
constexpr std::size_t kMaxAttempts = 3;
constexpr int kLooksUntilLost = 2;  // a file may take a moment to come over the network

class ClusterRun {
 public:
  ClusterRun(const Plan& plan, const std::vector<PlannedPoint>& points, const Folder& folder,
             const ClusterOptions& options)
      : plan_(plan), folder_(folder), options_(options), batches_(read_batches(folder)), total_(points.size()) {
    for (const PlannedPoint& point : points) open_.emplace(point.key, &point);
    for (const Batch& batch : batches_) {
      for (const BatchPoint& point : batch.points) ++attempts_[point.key];
    }
    for (const auto& [key, point] : open_) {  // failed ones are run again; others may have been finished meanwhile
      const auto known = folder.point(key);
      if (!known || known->at("status") != "failed") continue;
      folder.remove_point(key);
      attempts_[key] = 0;
    }
  }

  ClusterTally run() {
    double wait = kShortestWait;
    while (!options_.is_interrupted()) {
      const std::size_t before = open_.size();
      note_finished();
      options_.on_progress(total_ - open_.size(), total_);
      if (open_.empty()) break;
      look_at_queue();
      wait = open_.size() < before ? kShortestWait : std::min(options_.longest_wait_s, 1.5 * wait);
      pause(wait);
    }
    return result();
  }

 private:
  static constexpr double kShortestWait = 0.25;

  void note_finished() {
    for (auto one = open_.begin(); one != open_.end();) {
      const auto point = folder_.has_point(one->first) ? folder_.point(one->first) : std::nullopt;
      if (!point) {
        ++one;
        continue;
      }
      tally_.failed += point->at("status") == "failed" ? 1 : 0;
      ++tally_.done;
      one = open_.erase(one);
    }
  }

  // Points that no task has are submitted, once they were seen so often enough.
  void look_at_queue() {
    std::vector<std::string> jobs;
    for (const Batch& batch : batches_) {
      if (is_wanted(batch)) jobs.push_back(batch.job);
    }
    const auto live = cluster_.live_tasks(jobs);
    if (!live) return;
    std::set<std::string> in_work;
    for (const Batch& batch : batches_) {
      const auto tasks_of_job = live->find(batch.job);
      if (tasks_of_job == live->end()) continue;
      const std::set<std::size_t>& tasks = tasks_of_job->second;
      for (std::size_t i = 0; i < batch.points.size(); ++i) {
        if (tasks.count(batch.task_of(i)) > 0) in_work.insert(batch.points[i].key);
      }
    }
    std::vector<const PlannedPoint*> lost;
    for (const auto& [key, point] : open_) {
      int& looks = looks_[key];
      looks = in_work.count(key) > 0 ? 0 : looks + 1;
      const bool was_submitted = attempts_[key] > 0;
      if (looks > (was_submitted ? kLooksUntilLost : 0)) lost.push_back(point);
    }
    submit(lost);
  }

  bool is_wanted(const Batch& batch) const {
    return std::any_of(batch.points.begin(), batch.points.end(),
                       [this](const BatchPoint& point) { return open_.count(point.key) > 0; });
  }

  void submit(std::vector<const PlannedPoint*> points) {
    std::sort(points.begin(), points.end(),
              [](const PlannedPoint* a, const PlannedPoint* b) { return a->point.index < b->point.index; });
    std::vector<BatchPoint> wanted;
    for (const PlannedPoint* point : points) {
      looks_[point->key] = 0;
      if (attempts_[point->key] >= kMaxAttempts) {
        give_up(*point);
      } else {
        ++attempts_[point->key];
        wanted.push_back({point->point.combination, point->point.index, point->core, point->key});
      }
    }
    const std::size_t at_once = kMaxTasks * plan_.spec().slurm.points_per_task;
    for (std::size_t begin = 0; begin < wanted.size(); begin += at_once) {
      const std::size_t end = std::min(wanted.size(), begin + at_once);
      submit_batch(
          {wanted.begin() + static_cast<std::ptrdiff_t>(begin), wanted.begin() + static_cast<std::ptrdiff_t>(end)});
    }
  }

  void submit_batch(std::vector<BatchPoint> points) {
    Batch batch;
    std::size_t number = batches_.size() + 1;
    while (std::filesystem::exists(folder_.file(fmt::format("slurm/batch-{}.points", number)))) ++number;
    batch.file = fmt::format("slurm/batch-{}.points", number);
    batch.points_per_task = plan_.spec().slurm.points_per_task;
    batch.points = std::move(points);
    write_batch(batch, folder_);
    const std::string script = fmt::format("slurm/batch-{}.sh", number);
    folder_.write(script, script_of(batch));
    batch.job = cluster_.submit(std::filesystem::absolute(folder_.file(script)).string());
    batches_.push_back(std::move(batch));
    write_batches(batches_, folder_);
  }

  std::string script_of(const Batch& batch) const {
    const spec::SweepSlurm& slurm = plan_.spec().slurm;
    const std::string output = std::filesystem::absolute(folder_.file(batch.file)).replace_extension().string();
    std::string text = "#!/bin/sh\n";
    text += fmt::format("#SBATCH --job-name=tessera-{}\n", plan_.spec().name);
    text += fmt::format("#SBATCH --array=0-{}{}\n", batch.num_tasks() - 1,
                        slurm.max_tasks > 0 ? fmt::format("%{}", slurm.max_tasks) : "");
    text += fmt::format("#SBATCH --time={}\n#SBATCH --requeue\n", slurm.time_limit_min);
    if (!slurm.partition.empty()) text += fmt::format("#SBATCH --partition={}\n", slurm.partition);
    if (slurm.memory_mb > 0) text += fmt::format("#SBATCH --mem={}M\n", slurm.memory_mb);
    text += fmt::format("#SBATCH --output=\"{}-%a.out\"\n", output);
    text += "exec";
    for (const std::string& word : options_.command) text += " " + shell_word(word);
    return text + " " + shell_word(std::filesystem::absolute(folder_.file(batch.file)).string()) + "\n";
  }

  void give_up(const PlannedPoint& point) {
    std::string reason = fmt::format("lost by the cluster {} times", kMaxAttempts);
    for (auto batch = batches_.rbegin(); batch != batches_.rend(); ++batch) {
      const auto found = std::find_if(batch->points.begin(), batch->points.end(),
                                      [&point](const BatchPoint& one) { return one.key == point.key; });
      if (found == batch->points.end()) continue;
      const std::string end =
          cluster_.end_of(batch->job, batch->task_of(static_cast<std::size_t>(found - batch->points.begin())));
      if (!end.empty()) reason += ": " + end;
      break;
    }
    folder_.write_point(point.key, failed_point(plan_, point, reason));
  }

  void pause(double seconds) const {
    constexpr std::chrono::milliseconds kStep(50);
    for (double waited = 0; waited < seconds && !options_.is_interrupted(); waited += 0.05)
      std::this_thread::sleep_for(kStep);
  }

  ClusterTally result() {
    ClusterTally result{tally_, {}};
    result.tally.was_interrupted = options_.is_interrupted();
    for (const Batch& batch : batches_) {
      if (is_wanted(batch)) result.jobs.push_back(batch.job);
    }
    return result;
  }

  const Plan& plan_;
  const Folder& folder_;
  const ClusterOptions& options_;
  Cluster cluster_;
  std::vector<Batch> batches_;
  std::size_t total_;
  std::map<std::string, const PlannedPoint*> open_;  // by key
  std::map<std::string, std::size_t> attempts_;
  std::map<std::string, int> looks_;  // at the queue since no task had the point
  Tally tally_;
};

}  // namespace

ClusterTally run_on_cluster(const Plan& plan, const std::vector<PlannedPoint>& points, const Folder& folder,
                            const ClusterOptions& options) {
  return ClusterRun(plan, points, folder, options).run();
}

}  // namespace tessera::sweep
