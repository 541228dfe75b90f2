// SPDX-License-Identifier: Apache-2.0
// tessera coverage: what the random lockstep of `tessera cosim` reaches: situations, lines of rtl/, bits that toggle.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "apps/tessera/commands.h"
#include "apps/tessera/common_options.h"
#include "apps/tessera/exit_status.h"
#include "apps/tessera/lockstep_options.h"
#include "apps/tessera/watch.h"
#include "cosim/temporary_folder.h"
#include "testbench/coverage/code_coverage.h"
#include "testbench/coverage/explained.h"
#include "testbench/random_lockstep.h"

namespace tessera::app {
namespace {

struct CoverageOptions {
  std::uint64_t seed = 1;
  Cycle active_cycles = 1'000'000;
  std::vector<std::string> configurations;  // none: all
  unsigned num_workers = std::max(1U, std::thread::hardware_concurrency());
  bool prints_json = false;
};

std::vector<testbench::FileCoverage> code_coverage(const std::string& folder) {
  testbench::CodeCoverage coverage;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) coverage.add(entry.path());
  return coverage.by_file();
}

// ---- JSON ----------------------------------------------------------------------------------------------------

nlohmann::ordered_json to_json(const testbench::Share& share) {
  return {{"hit", share.hit}, {"explained", share.explained}, {"total", share.total}};
}

nlohmann::ordered_json to_json(const testbench::FileCoverage& file) {
  nlohmann::ordered_json holes = nlohmann::ordered_json::array();
  for (const testbench::CodeHole& hole : file.holes) {
    holes.push_back({{"line", hole.line}, {"what", hole.what}, {"reason", hole.reason}});
  }
  return {{"file", file.file},
          {"lines", to_json(file.lines)},
          {"branches", to_json(file.branches)},
          {"toggles", to_json(file.toggles)},
          {"holes", std::move(holes)}};
}

nlohmann::ordered_json to_json(const std::vector<testbench::Coverage::Point>& points,
                               const std::vector<testbench::FileCoverage>& files) {
  nlohmann::ordered_json coverpoints = nlohmann::ordered_json::array();
  for (const testbench::Coverage::Point& point : points) {
    coverpoints.push_back({{"name", point.name},
                           {"description", point.description},
                           {"hits", point.hits},
                           {"reason", point.hits == 0 ? testbench::why_never_met(point.name) : ""}});
  }
  nlohmann::ordered_json sources = nlohmann::ordered_json::array();
  for (const testbench::FileCoverage& file : files) sources.push_back(to_json(file));
  return {{"coverpoints", std::move(coverpoints)}, {"files", std::move(sources)}};
}

// ---- text ----------------------------------------------------------------------------------------------------

std::string in_brackets(const std::string& reason) { return reason.empty() ? "" : " [" + reason + "]"; }

void print_points(const std::vector<testbench::Coverage::Point>& points) {
  const auto num_hit = std::count_if(points.begin(), points.end(), [](const auto& point) { return point.hits != 0; });
  fmt::print("Coverpoints: {} of {} met\n", num_hit, points.size());
  for (const testbench::Coverage::Point& point : points) {
    if (point.hits != 0) continue;
    fmt::print("  {}: {}{}\n", point.name, point.description, in_brackets(testbench::why_never_met(point.name)));
  }
}

std::string text(const testbench::Share& share) {
  const std::uint64_t left = share.total - share.hit - share.explained;
  return fmt::format("{} of {}{}", share.hit, share.total, left == 0 && share.explained != 0 ? " *" : "");
}

testbench::Share operator+(const testbench::Share& a, const testbench::Share& b) {
  return {a.hit + b.hit, a.explained + b.explained, a.total + b.total};
}

void print_row(const testbench::FileCoverage& file) {
  fmt::print("  {:<30}{:>16}{:>16}{:>22}\n", file.file, text(file.lines), text(file.branches), text(file.toggles));
}

void print_code(const std::vector<testbench::FileCoverage>& files) {
  fmt::print("\n  {:<30}{:>16}{:>16}{:>22}\n", "", "lines", "branches", "toggles of bits");
  testbench::FileCoverage all;
  all.file = "all";
  for (const testbench::FileCoverage& file : files) {
    print_row(file);
    all.lines = all.lines + file.lines;
    all.branches = all.branches + file.branches;
    all.toggles = all.toggles + file.toggles;
  }
  print_row(all);
  fmt::print("  (*: the rest is explained)\n\n");
  for (const testbench::FileCoverage& file : files) {
    for (const testbench::CodeHole& hole : file.holes) {
      fmt::print("  {}:{}: {}{}\n", file.file, hole.line, hole.what, in_brackets(hole.reason));
    }
  }
}

int coverage(const CoverageOptions& options) {
  const cosim::TemporaryFolder counts("coverage");
  testbench::RandomLockstep lockstep;
  lockstep.seed = options.seed;
  lockstep.active_cycles = options.active_cycles;
  lockstep.configurations = testbench::configurations(options.configurations);
  lockstep.num_workers = options.num_workers;
  lockstep.variant.has_coverage = true;
  lockstep.coverage_folder = counts.path();
  Progress progress;
  watch(lockstep, progress);
  const std::vector<testbench::ConfigurationResult> results = run_random_lockstep(lockstep);
  if (is_interrupted()) return kInterrupted;
  const std::vector<testbench::Coverage::Point> points = testbench::all_points(results);
  const std::vector<testbench::FileCoverage> files = code_coverage(counts.path());
  if (options.prints_json) {
    fmt::print("{}\n", to_json(points, files).dump(2));
  } else {
    print_points(points);
    print_code(files);
  }
  int status = kDone;
  for (const testbench::ConfigurationResult& result : results) {
    if (!result.failure) continue;
    fmt::print(stderr, "tessera: {}, seed {}: {}\n", result.configuration, result.failure->seed, result.failure->what);
    status = kFailed;
  }
  return status;
}

}  // namespace

void add_coverage_command(CLI::App& command, int& status) {
  auto options = std::make_shared<CoverageOptions>();
  command.add_option("--random", options->seed, "The first seed")->capture_default_str();
  command.add_option("--cycles", options->active_cycles, "Cycles, those without activity not counted")
      ->check(CLI::Range(Cycle{1}, Cycle{1'000'000'000'000}))
      ->capture_default_str();
  add_configuration_option(command, options->configurations);
  add_jobs_option(command, options->num_workers, "Simulations");
  command.add_flag("--json", options->prints_json, "Print the result as JSON");
  command.callback([options, &status] { status = coverage(*options); });
}

}  // namespace tessera::app
