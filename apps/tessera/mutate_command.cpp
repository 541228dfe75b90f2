// SPDX-License-Identifier: Apache-2.0
// tessera mutate: faults in the Verilog core, one at a time; does random lockstep find them?
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "apps/tessera/commands.h"
#include "apps/tessera/common_options.h"
#include "apps/tessera/exit_status.h"
#include "apps/tessera/watch.h"
#include "testbench/mutation/mutation_run.h"
#include "testbench/mutation/survivors.h"

namespace tessera::app {
namespace {

using testbench::MutantResult;

constexpr double kShareToCatch = 0.95;
constexpr const char* kEquivalent = "equivalent (proved): the same next state and outputs from any state";

struct MutateOptions {
  testbench::MutationRun run;
  bool prints_json = false;
};

struct Counts {
  std::size_t mutants = 0, caught = 0, equivalent = 0;
  void add(const MutantResult& result) {
    ++mutants;
    if (result.caught) ++caught;
    if (result.is_equivalent) ++equivalent;
  }
  // Of those that are faults.
  double share() const {
    const std::size_t faults = mutants - equivalent;
    return faults == 0 ? 1 : static_cast<double>(caught) / static_cast<double>(faults);
  }
};

struct Summary {
  Counts all;
  std::map<std::string, Counts> by_mode, by_file;
  std::map<std::uint64_t, std::size_t> by_cycles;                     // upper bound, a power of ten -> caught
  std::map<std::string, std::vector<const MutantResult*>> survivors;  // by reason; "": not known
};

// "rtl/tsr_search.v:150" -> "rtl/tsr_search.v".
std::string file_of(const testbench::Mutant& mutant) { return mutant.source.substr(0, mutant.source.rfind(':')); }

std::uint64_t decade_of(std::uint64_t cycles) {
  std::uint64_t bound = 10;
  while (bound < cycles) bound *= 10;
  return bound;
}

Summary summary_of(const testbench::MutationResult& result) {
  Summary summary;
  for (const MutantResult& each : result.mutants) {
    summary.all.add(each);
    summary.by_mode[each.mutant.mode].add(each);
    summary.by_file[file_of(each.mutant)].add(each);
    if (each.caught) {
      ++summary.by_cycles[decade_of(each.caught->cycles)];
    } else {
      summary.survivors[each.is_equivalent ? kEquivalent : testbench::why_it_survives(each.mutant)].push_back(&each);
    }
  }
  return summary;
}

// ---- JSON ----------------------------------------------------------------------------------------------------

nlohmann::ordered_json to_json(const std::map<std::string, Counts>& counts) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (const auto& [name, count] : counts)
    object[name] = {{"mutants", count.mutants}, {"caught", count.caught}, {"equivalent", count.equivalent}};
  return object;
}

nlohmann::ordered_json to_json(const testbench::MutationResult& result, const Summary& summary, std::uint64_t seed) {
  nlohmann::ordered_json survivors = nlohmann::ordered_json::array();
  for (const auto& [reason, mutants] : summary.survivors) {
    for (const MutantResult* each : mutants) {
      survivors.push_back({{"number", each->mutant.number},
                           {"mode", each->mutant.mode},
                           {"instance", each->mutant.instance},
                           {"cell", each->mutant.cell},
                           {"port", each->mutant.port},
                           {"bit", each->mutant.bit},
                           {"control_bit", each->mutant.control_bit},
                           {"wire", each->mutant.wire},
                           {"source", each->mutant.source},
                           {"is_equivalent", each->is_equivalent},
                           {"reason", reason}});
    }
  }
  nlohmann::ordered_json cycles = nlohmann::ordered_json::array();
  for (const auto& [bound, caught] : summary.by_cycles) cycles.push_back({{"cycles", bound}, {"caught", caught}});
  return {{"seed", seed},
          {"cycles", result.cycles},
          {"episodes", result.episodes},
          {"mutants", summary.all.mutants},
          {"caught", summary.all.caught},
          {"equivalent", summary.all.equivalent},
          {"by_mode", to_json(summary.by_mode)},
          {"by_file", to_json(summary.by_file)},
          {"caught_within", std::move(cycles)},
          {"survivors", std::move(survivors)}};
}

// ---- text ----------------------------------------------------------------------------------------------------

std::string percent(const Counts& counts) { return fmt::format("{:.1f} %", 100 * counts.share()); }

void print_counts(const std::string& by, const std::map<std::string, Counts>& counts) {
  fmt::print("\n  {:<30}{:>10}{:>12}{:>10}\n", by, "mutants", "equivalent", "caught");
  for (const auto& [name, count] : counts) {
    fmt::print("  {:<30}{:>10}{:>12}{:>10}{:>10}\n", name, count.mutants, count.equivalent, count.caught,
               percent(count));
  }
}

void print_text(const testbench::MutationResult& result, const Summary& summary, std::uint64_t seed) {
  fmt::print("{} mutants of the Verilog core, seed {}, up to {} cycles of random lockstep ({} episodes) each\n",
             summary.all.mutants, seed, result.cycles, result.episodes);
  fmt::print("{} are proved to be no faults; of the other {}, {} were caught ({})\n", summary.all.equivalent,
             summary.all.mutants - summary.all.equivalent, summary.all.caught, percent(summary.all));
  print_counts("fault", summary.by_mode);
  print_counts("source", summary.by_file);
  fmt::print("\n  {:<30}{:>20}\n", "caught within", "");
  for (const auto& [bound, caught] : summary.by_cycles) fmt::print("  {:>14} cycles{:>29}\n", bound, caught);
  for (const auto& [reason, mutants] : summary.survivors) {
    fmt::print("\n  {} survived: {}\n", mutants.size(), reason.empty() ? "not explained" : reason);
    for (const MutantResult* each : mutants) {
      fmt::print("    {:>5}: {}\n", each->mutant.number, testbench::describe(each->mutant));
    }
  }
}

int mutate(MutateOptions& options) {
  Progress progress;
  watch(options.run, progress);
  const testbench::MutationResult result = run_mutation(options.run);
  if (is_interrupted()) return kInterrupted;
  const Summary summary = summary_of(result);
  if (options.prints_json) {
    fmt::print("{}\n", to_json(result, summary, options.run.seed).dump(2));
  } else {
    print_text(result, summary, options.run.seed);
  }
  return summary.all.share() < kShareToCatch ? kFailed : kDone;
}

}  // namespace

void add_mutate_command(CLI::App& command, int& status) {
  auto options = std::make_shared<MutateOptions>();
  options->run.num_workers = std::max(1U, std::thread::hardware_concurrency());
  command.add_option("--mutants", options->run.num_mutants, "Faults, one at a time")
      ->check(CLI::Range(1U, 100'000U))
      ->capture_default_str();
  command.add_option("--seed", options->run.seed, "Of the faults, and of the random input")->capture_default_str();
  command.add_option("--cycles", options->run.cycles, "Of random input for each, at most; idle ones not counted")
      ->check(CLI::Range(Cycle{1}, Cycle{100'000'000}))
      ->capture_default_str();
  add_jobs_option(command, options->run.num_workers, "Simulations");
  command.add_flag("--json", options->prints_json, "Print the result as JSON");
  command.callback([options, &status] { status = mutate(*options); });
}

}  // namespace tessera::app
