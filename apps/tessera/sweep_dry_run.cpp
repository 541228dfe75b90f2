// SPDX-License-Identifier: Apache-2.0
// A few points are simulated, and nothing is kept.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>

#include "apps/tessera/exit_status.h"
#include "apps/tessera/interrupt.h"
#include "apps/tessera/sweep_place.h"
#include "apps/tessera/sweep_run.h"
#include "cosim/temporary_folder.h"

namespace tessera::app {
namespace {

using sweep::Folder;
using sweep::Plan;
using sweep::PlannedPoint;

constexpr std::size_t kSamples = 3;

std::string duration_text(double seconds) {
  constexpr double kMinute = 60;
  constexpr double kHour = 3600;
  if (seconds < 2 * kMinute) return fmt::format("{:.0f} s", std::max(1.0, seconds));
  return seconds < 2 * kHour ? fmt::format("{:.0f} min", seconds / kMinute) : fmt::format("{:.1f} h", seconds / kHour);
}

// Seconds that a point takes, from a few of them that are simulated now and kept nowhere; nothing if interrupted.
std::optional<double> sampled_seconds(const Plan& plan, const std::vector<PlannedPoint>& open,
                                      const SweepOptions& options) {
  const cosim::TemporaryFolder place("sweep");
  const Folder folder(place.path());
  std::filesystem::create_directory(folder.file("points"));
  std::vector<PlannedPoint> samples;
  for (std::size_t i = 0; i < std::min(kSamples, open.size()); ++i) {
    samples.push_back(open[(2 * i + 1) * open.size() / (2 * std::min(kSamples, open.size()))]);
  }
  sweep::RunnerOptions runner = sweep_runner(options, folder, false);
  runner.num_workers = 1;
  runner.on_progress = [](std::size_t, std::size_t) {};
  const auto start = std::chrono::steady_clock::now();
  if (run_points(plan, samples, folder, runner).was_interrupted) return std::nullopt;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  return elapsed.count() / static_cast<double>(samples.size());
}

}  // namespace

int dry_run(const Plan& plan, const SweepOptions& options) {
  const Folder folder(sweep_place(options.out.place, plan));
  const std::vector<PlannedPoint> open = open_points(plan, folder, options.retries);
  fmt::print("{}: {} points, {} of them to run\n", plan.spec().name, plan.points.size(), open.size());
  if (!plan.cores.empty()) fmt::print("  cores     {} to synthesise or to find in the cache\n", plan.cores.size());
  if (open.empty()) return kDone;
  catch_interrupts();
  const std::optional<double> seconds = sampled_seconds(plan, open, options);
  if (!seconds) return kInterrupted;
  fmt::print("  time      about {} with -j {}: {:.3g} s a point, from {} of them{}\n",
             duration_text(*seconds * static_cast<double>(open.size()) / options.num_workers), options.num_workers,
             *seconds, std::min(kSamples, open.size()), plan.cores.empty() ? "" : ", synthesis apart");
  return kDone;
}

}  // namespace tessera::app
