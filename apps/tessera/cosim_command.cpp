// SPDX-License-Identifier: Apache-2.0
// tessera cosim: rtl_model and the Verilog core in lockstep, under random input or inside an experiment.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "apps/tessera/commands.h"
#include "apps/tessera/common_options.h"
#include "apps/tessera/config_path.h"
#include "apps/tessera/exit_status.h"
#include "apps/tessera/experiment_file.h"
#include "apps/tessera/lockstep_options.h"
#include "apps/tessera/watch.h"
#include "model/base/printable.h"
#include "model/spec/loader.h"
#include "model/spec/spec.h"
#include "platform/cosim_experiment.h"
#include "platform/worker_pool.h"
#include "synthesis/core_experiment.h"
#include "synthesis/flow.h"
#include "testbench/random_lockstep.h"

namespace tessera::app {
namespace {

struct CosimOptions {
  std::string experiment;
  std::vector<std::string> overrides;
  std::optional<std::uint64_t> seed;  // random input instead
  std::optional<Cycle> active_cycles;
  std::vector<std::string> configurations;  // none: all
  std::string synthesis;                    // the sizes of this file instead
  bool is_in_gates = false;                 // the netlists of this file
  unsigned num_workers = std::max(1U, std::thread::hardware_concurrency());
  bool has_assertions = true;
  bool prints_json = false;
};

constexpr std::size_t kFewPoints = 12;  // that are listed

// ---- random input --------------------------------------------------------------------------------------------

std::size_t num_hit(const std::vector<testbench::Coverage::Point>& points) {
  return static_cast<std::size_t>(
      std::count_if(points.begin(), points.end(), [](const auto& point) { return point.hits != 0; }));
}

std::vector<std::string> missed_by_all(const std::vector<testbench::ConfigurationResult>& results) {
  std::vector<std::string> names;
  for (const auto& point : testbench::all_points(results)) {
    if (point.hits == 0) names.push_back(point.name);
  }
  return names;
}

nlohmann::ordered_json to_json(const std::vector<testbench::ConfigurationResult>& results, std::uint64_t seed) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const testbench::ConfigurationResult& result : results) {
    nlohmann::ordered_json entry{{"configuration", result.configuration},
                                 {"cycles", result.counts.cycles},
                                 {"active_cycles", result.counts.active_cycles},
                                 {"episodes", result.counts.episodes},
                                 {"resets", result.counts.resets},
                                 {"kernels", result.counts.kernels},
                                 {"turns", result.counts.turns},
                                 {"switches", result.counts.switches},
                                 {"register_comparisons", result.counts.snapshots},
                                 {"coverpoints_hit", num_hit(result.points)},
                                 {"coverpoints", result.points.size()}};
    if (result.failure) entry["failure"] = nlohmann::json(*result.failure);
    list.push_back(std::move(entry));
  }
  nlohmann::ordered_json hits;
  for (const auto& point : testbench::all_points(results)) hits[point.name] = point.hits;
  return {{"seed", seed},
          {"configurations", std::move(list)},
          {"coverpoints_missed", missed_by_all(results)},
          {"coverpoint_hits", std::move(hits)}};
}

void print_failure(const testbench::Failure& failure) {
  fmt::print("\n{}, seed {}, episode {}, cycle {}:\n  {}\n", failure.configuration, failure.seed, failure.episode,
             failure.cycle, failure.what);
  for (const std::string& line : failure.history) fmt::print("  {}\n", line);
  if (!failure.wave.empty()) fmt::print("  waveform of the last cycles: {}\n", failure.wave);
}

void print_text(const std::vector<testbench::ConfigurationResult>& results, std::uint64_t seed) {
  fmt::print("rtl_model and rtl in lockstep under random input, seed {}\n\n", seed);
  std::size_t width = 14;
  for (const testbench::ConfigurationResult& result : results) width = std::max(width, result.configuration.size());
  fmt::print("  {:<{}}{:>14}{:>14}{:>10}{:>9}{:>10}{:>16}\n", "configuration", width, "cycles", "active", "episodes",
             "resets", "kernels", "coverpoints");
  for (const testbench::ConfigurationResult& result : results) {
    const testbench::LockstepCounts& counts = result.counts;
    fmt::print("  {:<{}}{:>14}{:>14}{:>10}{:>9}{:>10}{:>16}{}\n", result.configuration, width, counts.cycles,
               counts.active_cycles, counts.episodes, counts.resets, counts.kernels,
               fmt::format("{} of {}", num_hit(result.points), result.points.size()),
               result.failure ? "   differs" : "");
  }
  const auto points = testbench::all_points(results);
  fmt::print("\n  {} of {} coverpoints met in one of them or another\n", num_hit(points), points.size());
  const std::vector<std::string> missed = missed_by_all(results);
  if (!missed.empty() && missed.size() <= kFewPoints) fmt::print("  not met: {}\n", fmt::join(missed, ", "));
  for (const testbench::ConfigurationResult& result : results) {
    if (result.failure) print_failure(*result.failure);
  }
}

// What `synth` measures of each core. Not all of them if interrupted.
std::vector<testbench::Netlist> netlists_of(const spec::SynthesisSpec& synthesis, unsigned num_workers) {
  std::vector<testbench::Netlist> netlists;
  std::vector<std::function<nlohmann::json()>> tasks;
  for (const spec::CoreSpec& core : synthesis.cores) {
    const cosim::Elaboration elaboration = synthesis::elaboration_of(core);
    netlists.push_back({elaboration, {}});
    tasks.emplace_back([elaboration, mhz = synthesis.target_mhz]() -> nlohmann::json {
      return synthesis::simulated_gates(elaboration, mhz).string();
    });
  }
  try {
    const auto files = platform::run_in_workers(tasks, num_workers, {}, {}, is_interrupted);
    for (std::size_t i = 0; i < files.size() && !is_interrupted(); ++i) netlists[i].file = files[i].get<std::string>();
  } catch (const std::runtime_error&) {
    if (!is_interrupted()) throw;  // else a tool was interrupted as well
  }
  return netlists;
}

// The cores of the synthesis file, in Verilog or in gates.
void add_cores(const CosimOptions& options, testbench::RandomLockstep& lockstep) {
  const spec::SynthesisSpec synthesis = spec::load_synthesis(options.synthesis);
  for (const spec::CoreSpec& core : synthesis.cores) {
    lockstep.configurations.push_back(testbench::configuration(core));
    if (options.is_in_gates) lockstep.configurations.back().has_linger = core.linger != 0;
  }
  if (options.is_in_gates) lockstep.netlists = netlists_of(synthesis, options.num_workers);
}

int random_cosim(const CosimOptions& options) {
  testbench::RandomLockstep lockstep;
  lockstep.seed = *options.seed;
  if (options.active_cycles) lockstep.active_cycles = *options.active_cycles;
  Progress progress;
  watch(lockstep, progress);
  if (options.synthesis.empty()) {
    lockstep.configurations = testbench::configurations(options.configurations);
  } else {
    add_cores(options, lockstep);
  }
  lockstep.num_workers = options.num_workers;
  if (is_interrupted()) return kInterrupted;
  lockstep.variant.has_assertions = options.has_assertions && !options.is_in_gates;
  const std::vector<testbench::ConfigurationResult> results = run_random_lockstep(lockstep);
  if (is_interrupted()) return kInterrupted;
  if (options.prints_json) {
    fmt::print("{}\n", to_json(results, lockstep.seed).dump(2));
  } else {
    print_text(results, lockstep.seed);
  }
  const bool has_failed =
      std::any_of(results.begin(), results.end(), [](const auto& r) { return r.failure.has_value(); });
  return has_failed ? kFailed : kDone;
}

// ---- an experiment -------------------------------------------------------------------------------------------

nlohmann::ordered_json to_json(const platform::CosimExperimentResult& result, const std::string& name) {
  const platform::LockstepRecord& lockstep = result.lockstep;
  nlohmann::ordered_json json{
      {"experiment", name}, {"active_cycles", lockstep.active_cycles}, {"register_comparisons", lockstep.quiet_points}};
  if (lockstep.mismatch) json["failure"] = platform::to_text(*lockstep.mismatch);
  return json;
}

int experiment_cosim(const CosimOptions& options) {
  const std::filesystem::path path = experiment_path(options.experiment);
  const spec::Spec spec = load_experiment_file(path, options.overrides, spec::Cores::kClocked);
  platform::CosimExperimentOptions run;
  if (options.active_cycles) run.max_active_cycles = *options.active_cycles;
  run.is_interrupted = is_interrupted;
  run.waveform = fmt::format("cosim-{}.fst", spec.name);
  Progress progress("active cycles");
  run.on_progress = [&](std::uint64_t cycles) {
    if (!options.active_cycles) return progress.count(cycles);
    progress.show(std::min(cycles, *options.active_cycles), *options.active_cycles);
  };
  catch_interrupts();
  const platform::CosimExperimentResult result = platform::cosim_experiment(spec, run);
  progress.clear();
  if (is_interrupted()) return kInterrupted;
  const platform::LockstepRecord& lockstep = result.lockstep;
  if (options.prints_json) {
    fmt::print("{}\n", to_json(result, spec.name).dump(2));
  } else if (lockstep.mismatch) {
    fmt::print("{}: {}\n  waveform of the last cycles: {}\n", spec.name, platform::to_text(*lockstep.mismatch),
               printable(run.waveform.string()));
  } else {
    fmt::print("{}: rtl_model and rtl agree in {} active cycles, and in all registers at {} quiet points\n", spec.name,
               lockstep.active_cycles, lockstep.quiet_points);
  }
  return lockstep.mismatch ? kFailed : kDone;
}

}  // namespace

void add_cosim_command(CLI::App& command, int& status) {
  auto options = std::make_shared<CosimOptions>();
  CLI::Option* experiment = add_experiment_argument(command, options->experiment);
  CLI::Option* overrides = add_set_option(command, options->overrides, "Override a key, as in `run`");
  CLI::Option* random = command.add_option("--random", options->seed, "Random input from this seed on, instead")
                            ->excludes(experiment)
                            ->excludes(overrides);
  command
      .add_option("--cycles", options->active_cycles, "End after so many cycles, those without activity not counted")
      ->check(CLI::Range(Cycle{1}, Cycle{1'000'000'000'000}))
      ->default_str("5000000 with --random");
  CLI::Option* configuration = add_configuration_option(command, options->configurations)->needs(random);
  CLI::Option* synthesis = add_file_argument(command, "--synthesis", options->synthesis,
                                             "The cores of this synthesis file, as `synth` takes it, instead")
                               ->needs(random)
                               ->excludes(configuration);
  command
      .add_flag("--gates", options->is_in_gates,
                "Their netlists of gates, as `synth` measures them, instead of the Verilog: pins only, no checkers")
      ->needs(synthesis);
  add_jobs_option(command, options->num_workers, "Simulations");
  command.add_flag("!--no-assertions", options->has_assertions, "Without the checkers of testbench/checkers: faster")
      ->needs(random);
  command.add_flag("--json", options->prints_json, "Print the result as JSON");
  command.callback(
      [options, &status] { status = options->seed ? random_cosim(*options) : experiment_cosim(*options); });
}

}  // namespace tessera::app
