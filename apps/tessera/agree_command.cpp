// SPDX-License-Identifier: Apache-2.0
// tessera agree: do the transaction-level and the clocked model agree, on an experiment or on many random ones?
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "apps/tessera/commands.h"
#include "apps/tessera/common_options.h"
#include "apps/tessera/config_path.h"
#include "apps/tessera/exit_status.h"
#include "apps/tessera/experiment_file.h"
#include "apps/tessera/interrupt.h"
#include "apps/tessera/progress.h"
#include "verification/agreement/agreement_run.h"
#include "verification/random/random_experiment.h"

namespace tessera::app {
namespace {

constexpr double kAnttTolerance = 0.01;
// Of many experiments, so many may differ by more; and their kernels may not all be a little late.
constexpr std::size_t kManyExperiments = 100;
constexpr double kMaxShareBeyond = 0.05;
constexpr double kMaxMeanDifference = 4;  // cycles

struct AgreeOptions {
  std::string experiment;
  std::vector<std::string> overrides;
  std::uint32_t num_random = 0;  // 0: the experiment instead
  std::uint64_t seed = 1;
  bool with_driver = false;
  bool with_links = false;
  unsigned num_workers = std::max(1U, std::thread::hardware_concurrency());
  bool prints_json = false;
};

std::vector<spec::Spec> specs_of(const AgreeOptions& options) {
  if (options.num_random == 0) {
    const std::filesystem::path path = experiment_path(options.experiment);
    return {load_experiment_file(path, options.overrides, spec::Cores::kBoth)};
  }
  std::vector<spec::Spec> specs;
  const auto driver = options.with_driver ? verification::RandomDriver::kWith : verification::RandomDriver::kToken;
  const auto links = options.with_links ? verification::RandomLinks::kWith : verification::RandomLinks::kWithout;
  for (std::uint32_t i = 0; i < options.num_random; ++i) {
    specs.push_back(verification::random_experiment(options.seed + i, driver, links));
  }
  return specs;
}

// How many of the experiments are what.
struct Shares {
  std::size_t exact = 0, within = 0, explained = 0, unexplained = 0;
  std::size_t faulty = 0;
  std::size_t antt_beyond = 0;
  std::uint64_t kernels = 0, exact_kernels = 0, kernels_within = 0;
  std::uint64_t steps = 0, overtaken = 0;  // of the clocked model's decisions
  std::uint64_t driver_decisions = 0;      // alike in both, of drivers that hold groups back
  std::size_t drivers_differ = 0, drivers_explained = 0;
  std::int64_t sum_of_differences = 0;

  double mean_difference() const {
    return kernels_within == 0 ? 0 : static_cast<double>(sum_of_differences) / static_cast<double>(kernels_within);
  }
};

bool is_within_limits(const Shares& shares, std::size_t num_experiments) {
  if (shares.unexplained != 0 || shares.faulty != 0) return false;
  if (num_experiments < kManyExperiments) return true;
  return static_cast<double>(shares.antt_beyond) <= kMaxShareBeyond * static_cast<double>(num_experiments) &&
         std::abs(shares.mean_difference()) <= kMaxMeanDifference;
}

Shares shares_of(const std::vector<verification::AgreementResult>& results) {
  Shares shares;
  for (const verification::AgreementResult& result : results) {
    const verification::Verdict verdict = result.agreement.verdict;
    shares.exact += verdict == verification::Verdict::kExact;
    shares.within += verdict == verification::Verdict::kWithinTolerance;
    shares.explained += verdict == verification::Verdict::kExplained;
    shares.unexplained += verdict == verification::Verdict::kUnexplained;
    shares.faulty += !result.faults.empty();
    shares.antt_beyond += result.antt_ratio != 0 && std::abs(result.antt_ratio - 1) > kAnttTolerance;
    shares.kernels += result.agreement.kernels;
    shares.exact_kernels += result.agreement.exact_kernels;
    shares.kernels_within += result.agreement.kernels_within;
    shares.steps += result.agreement.clocked_decisions.steps;
    shares.overtaken += result.agreement.clocked_decisions.overtaken;
    shares.driver_decisions += result.agreement.driver.decisions;
    shares.drivers_differ += result.agreement.driver.differs;
    shares.drivers_explained += result.agreement.driver.is_explained;
    shares.sum_of_differences += result.agreement.sum_of_differences;
  }
  return shares;
}

nlohmann::ordered_json to_json(const std::vector<verification::AgreementResult>& results) {
  const Shares shares = shares_of(results);
  nlohmann::ordered_json json = {{"experiments", results.size()},
                                 {"exact", shares.exact},
                                 {"within_tolerance", shares.within},
                                 {"explained", shares.explained},
                                 {"unexplained", shares.unexplained},
                                 {"faulty", shares.faulty},
                                 {"antt_beyond_1_percent", shares.antt_beyond},
                                 {"kernels",
                                  {{"finished_in_both", shares.kernels},
                                   {"exact", shares.exact_kernels},
                                   {"within_tolerance", shares.kernels_within},
                                   {"mean_difference_cycles", shares.mean_difference()}}},
                                 {"decisions", {{"steps", shares.steps}, {"overtaken", shares.overtaken}}},
                                 {"results", nlohmann::json(results)}};
  if (shares.driver_decisions > 0) {
    json["drivers"] = {{"decisions_alike", shares.driver_decisions},
                       {"differ", shares.drivers_differ},
                       {"explained", shares.drivers_explained}};
  }
  return json;
}

void print_row(const char* what, std::size_t count, std::size_t total) {
  fmt::print("  {:<58}{:>6}{:>8.1f} %\n", what, count,
             total == 0 ? 0.0 : 100.0 * static_cast<double>(count) / static_cast<double>(total));
}

// What one has to look at: the odd ones, or the only one.
void print_details(const verification::AgreementResult& result) {
  const verification::Agreement& agreement = result.agreement;
  fmt::print("  {}: {} of {} kernels within tolerance, largest difference {} cycles, turnaround ratio {:.4f}\n",
             result.name, agreement.kernels_within, agreement.kernels, agreement.max_difference, result.antt_ratio);
  for (const std::string& fault : result.faults) fmt::print("    fault: {}\n", fault);
  if (!agreement.first_difference.empty()) fmt::print("    first difference: {}\n", agreement.first_difference);
  if (!agreement.explanation.empty()) fmt::print("    explained by: {}\n", agreement.explanation);
  if (agreement.driver.differs) {
    fmt::print("    drivers part: {}\n    explained by: {}\n", agreement.driver.first_difference,
               agreement.driver.is_explained ? agreement.driver.explanation : "nothing");
  }
  for (const std::string& line : agreement.what_is_wrong) fmt::print("    wrong: {}\n", line);
  for (const std::string& line : agreement.what_differs) fmt::print("    {}\n", line);
}

void print_text(const std::vector<verification::AgreementResult>& results) {
  const Shares shares = shares_of(results);
  fmt::print("tlm and rtl_model, {} experiment{}\n\n", results.size(), results.size() == 1 ? "" : "s");
  print_row("every kernel's turnaround equal to the cycle", shares.exact, results.size());
  print_row("every kernel's within 0.1 % or 64 cycles", shares.within, results.size());
  print_row("some beyond, each with an explanation that reaches it", shares.explained, results.size());
  print_row("one beyond without, or a decision or latency is wrong", shares.unexplained, results.size());
  print_row("mean turnaround differs by more than 1 %", shares.antt_beyond, results.size());
  print_row("an invariant or the log is broken", shares.faulty, results.size());
  if (shares.driver_decisions > 0) {
    print_row("drivers decide otherwise, having been told otherwise", shares.drivers_explained, results.size());
    print_row("drivers decide otherwise, having been told the same", shares.drivers_differ - shares.drivers_explained,
              results.size());
  }
  fmt::print("\n");
  print_row("kernels finished in both, equal to the cycle", shares.exact_kernels, shares.kernels);
  print_row("kernels finished in both, within 0.1 % or 64 cycles", shares.kernels_within, shares.kernels);
  print_row("steps of decisions that no moment's tables give", shares.overtaken, shares.steps);
  fmt::print("  mean difference of the kernels within: {:+.2f} cycles\n\n", shares.mean_difference());
  for (const verification::AgreementResult& result : results) {
    const bool is_odd = result.agreement.verdict == verification::Verdict::kUnexplained || !result.faults.empty();
    if (is_odd || results.size() == 1) print_details(result);
  }
}

int agree(const AgreeOptions& options) {
  const std::vector<spec::Spec> specs = specs_of(options);
  catch_interrupts();
  const bool is_random = options.num_random != 0;
  const auto depth = is_random ? verification::LogDepth::kWhole : verification::LogDepth::kDecisions;
  Progress progress;
  const std::vector<verification::AgreementResult> results = verification::compare_abstractions(
      specs, depth, options.num_workers, is_interrupted, [&](std::size_t done) { progress.show(done, specs.size()); });
  if (is_interrupted()) return kInterrupted;
  if (options.prints_json) {
    fmt::print("{}\n", to_json(results).dump(2));
  } else {
    print_text(results);
  }
  return is_within_limits(shares_of(results), results.size()) ? kDone : kFailed;
}

}  // namespace

void add_agree_command(CLI::App& command, int& status) {
  auto options = std::make_shared<AgreeOptions>();
  CLI::Option* experiment = add_experiment_argument(command, options->experiment);
  add_set_option(command, options->overrides, "Override a key, as in `run`");
  CLI::Option* random = command.add_option("--random", options->num_random, "So many random experiments instead")
                            ->check(CLI::Range(1U, 1'000'000U))
                            ->excludes(experiment);
  command.add_flag("--with-driver", options->with_driver, "Each with a random driver that holds groups back")
      ->needs(random);
  command.add_flag("--links", options->with_links, "Each with random links between the scheduler and the SMs")
      ->needs(random);
  command.add_option("--seed", options->seed, "The first of their seeds")->capture_default_str();
  add_jobs_option(command, options->num_workers, "Experiments");
  command.add_flag("--json", options->prints_json, "Print the comparison as JSON");
  command.callback([options, &status] { status = agree(*options); });
}

}  // namespace tessera::app
