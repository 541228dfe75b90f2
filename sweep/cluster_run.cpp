// SPDX-License-Identifier: Apache-2.0
// What is finished is told by the files alone; the queue tells what is worth waiting for.
#include "sweep/cluster_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>
#include <thread>

#include "sweep/batch.h"

namespace tessera::sweep {
namespace {

constexpr std::size_t kMaxAttempts = 3;
constexpr int kLooksUntilLost = 2;  // a file may take a moment to come over the network

// In a file name a percent sign stands for itself if there are two.
std::string sbatch_path(const std::string& path) {
  std::string text;
  for (const char c : path) text += c == '%' ? std::string("%%") : std::string(1, c);
  return text;
}

std::string last_line_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string last;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) last = std::move(line);
  }
  return last;
}

class ClusterRun {
 public:
  ClusterRun(const Plan& plan, const std::vector<PlannedPoint>& points, const Folder& folder,
             const ClusterOptions& options)
      : plan_(plan), folder_(folder), options_(options), batches_(read_batches(folder)), total_(points.size()) {
    for (const PlannedPoint& point : points) open_.emplace(point.key, &point);
    for (const Batch& batch : batches_) {  // whoever goes on with a sweep wants it tried again
      for (const BatchPoint& point : batch.points) attempts_[point.key] = 1;
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
      const std::size_t before = open_.size() + batches_.size();
      note_finished();
      options_.on_progress(total_ - open_.size(), total_);
      if (open_.empty()) break;
      look_at_queue();
      wait = open_.size() + batches_.size() != before ? kShortestWait : std::min(options_.longest_wait_s, 1.5 * wait);
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
    std::string trouble;
    const auto live = cluster_.live_tasks(jobs, trouble);
    if (!live) return tell(trouble);
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
    takes_jobs_ = takes_jobs_ || !in_work.empty();
    submit(lost);
  }

  // The same trouble once.
  void tell(const std::string& trouble) {
    if (trouble != told_) options_.on_trouble(trouble);
    told_ = trouble;
  }

  bool is_wanted(const Batch& batch) const {
    return std::any_of(batch.points.begin(), batch.points.end(),
                       [this](const BatchPoint& point) { return open_.count(point.key) > 0; });
  }

  // For the last time in a task of its own: a point that never ends takes all behind it along.
  void submit(std::vector<const PlannedPoint*> points) {
    std::sort(points.begin(), points.end(),
              [](const PlannedPoint* a, const PlannedPoint* b) { return a->point.index < b->point.index; });
    std::vector<BatchPoint> wanted, last;
    for (const PlannedPoint* point : points) {
      if (attempts_[point->key] >= kMaxAttempts) {
        give_up(*point);
      } else {
        auto& batch = attempts_[point->key] + 1 == kMaxAttempts ? last : wanted;
        batch.push_back({point->point.combination, point->point.index, point->key});
      }
    }
    submit(wanted, plan_.spec().slurm.points_per_task);
    submit(last, 1);
  }

  void submit(const std::vector<BatchPoint>& points, std::size_t points_per_task) {
    const std::size_t at_once = max_tasks_ * points_per_task;
    for (std::size_t begin = 0; begin < points.size(); begin += at_once) {
      const auto first = points.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto end = first + static_cast<std::ptrdiff_t>(std::min(at_once, points.size() - begin));
      if (!submit_batch({first, end}, points_per_task)) return;
    }
  }

  // False where the cluster refuses for now: too many jobs wait, or it does not answer.
  bool submit_batch(std::vector<BatchPoint> points, std::size_t points_per_task) {
    Batch batch;
    std::size_t number = batches_.size() + 1;
    while (std::filesystem::exists(folder_.file(fmt::format("slurm/batch-{}.points", number)))) ++number;
    batch.file = fmt::format("slurm/batch-{}.points", number);
    batch.points_per_task = points_per_task;
    batch.points = std::move(points);
    write_batch(batch, folder_);
    const std::string script = fmt::format("slurm/batch-{}.sh", number);
    folder_.write(script, script_of(batch));
    std::string trouble;
    const auto job = cluster_.submit(std::filesystem::absolute(folder_.file(script)).string(), trouble);
    if (!job) {
      for (const std::string& name : {batch.file, script}) std::filesystem::remove(folder_.file(name));
      if (!takes_jobs_) throw std::runtime_error(trouble);
      tell(trouble);
      return false;
    }
    batch.job = *job;
    takes_jobs_ = true;
    for (const BatchPoint& point : batch.points) {
      ++attempts_[point.key];
      looks_[point.key] = 0;
    }
    batches_.push_back(std::move(batch));
    write_batches(batches_, folder_);
    return true;
  }

  std::string script_of(const Batch& batch) const {
    const spec::SweepSlurm& slurm = plan_.spec().slurm;
    const std::filesystem::path output = std::filesystem::absolute(task_output(batch, "%a"));
    std::string text = "#!/bin/sh\n";
    text += fmt::format("#SBATCH --job-name=tessera-{}\n", plan_.spec().name);
    text += fmt::format("#SBATCH --array=0-{}{}\n", batch.num_tasks() - 1,
                        slurm.max_tasks > 0 ? fmt::format("%{}", slurm.max_tasks) : "");
    text += fmt::format("#SBATCH --time={}\n#SBATCH --requeue\n", slurm.time_limit_min);
    if (!slurm.partition.empty()) text += fmt::format("#SBATCH --partition=\"{}\"\n", slurm.partition);
    if (slurm.memory_mb > 0) text += fmt::format("#SBATCH --mem={}M\n", slurm.memory_mb);
    text += fmt::format("#SBATCH --output=\"{}/{}\"\n", sbatch_path(output.parent_path().string()),
                        output.filename().string());
    text += "exec";
    for (const std::string& word : options_.command) text += " " + shell_word(word);
    return text + " " + shell_word(std::filesystem::absolute(folder_.file(batch.file)).string()) + "\n";
  }

  void give_up(const PlannedPoint& point) {
    if (folder_.has_point(point.key)) return;  // after all
    std::string reason = fmt::format("lost by the cluster {} times", kMaxAttempts);
    for (auto batch = batches_.rbegin(); batch != batches_.rend(); ++batch) {
      const auto found = std::find_if(batch->points.begin(), batch->points.end(),
                                      [&point](const BatchPoint& one) { return one.key == point.key; });
      if (found == batch->points.end()) continue;
      const std::size_t task = batch->task_of(static_cast<std::size_t>(found - batch->points.begin()));
      const std::string end = cluster_.end_of(batch->job, task);
      const std::string said = last_line_of(task_output(*batch, std::to_string(task)));
      if (!end.empty()) reason += ": " + end;
      reason += said.empty() ? "; its task said nothing: do nodes see this folder and the program?" : "; " + said;
      break;
    }
    folder_.write_point(point.key, failed_point(plan_, point, reason));
  }

  // What a task prints; %a for each of them.
  std::filesystem::path task_output(const Batch& batch, const std::string& task) const {
    const std::filesystem::path file = folder_.file(batch.file);
    return file.parent_path() / fmt::format("{}-{}.out", file.stem().string(), task);
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
  std::size_t max_tasks_ = cluster_.max_tasks();  // of an array
  std::vector<Batch> batches_;
  std::size_t total_;
  std::map<std::string, const PlannedPoint*> open_;  // by key
  std::map<std::string, std::size_t> attempts_;
  std::map<std::string, int> looks_;  // at the queue since no task had the point
  bool takes_jobs_ = false;           // the cluster: it has taken one, so that what it refuses now may pass
  std::string told_;                  // the last trouble
  Tally tally_;
};

}  // namespace

ClusterTally run_on_cluster(const Plan& plan, const std::vector<PlannedPoint>& points, const Folder& folder,
                            const ClusterOptions& options) {
  return ClusterRun(plan, points, folder, options).run();
}

}  // namespace tessera::sweep
