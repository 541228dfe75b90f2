// SPDX-License-Identifier: Apache-2.0
// tessera faults: does the default run of random lockstep, or a proof, find each planted fault of the Verilog core?
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "apps/tessera/commands.h"
#include "apps/tessera/common_options.h"
#include "apps/tessera/exit_status.h"
#include "apps/tessera/watch.h"
#include "apps/tessera/words.h"
#include "model/base/program_files.h"
#include "testbench/faults/fault_run.h"
#include "testbench/formal/prover.h"

namespace tessera::app {
namespace {

using testbench::FaultResult;
using testbench::FoundBy;

struct FaultsOptions {
  testbench::FaultRun run;
  bool prints_json = false;
};

const char* text_of(FoundBy found_by) {
  switch (found_by) {
    case FoundBy::kLockstep:
      return "lockstep";
    case FoundBy::kProof:
      return "proof";
    case FoundBy::kNobody:
      break;
  }
  return "NOT FOUND";
}

nlohmann::ordered_json to_json(const std::vector<FaultResult>& results) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const FaultResult& result : results) {
    nlohmann::ordered_json found_by;
    if (result.found_by != FoundBy::kNobody) found_by = text_of(result.found_by);
    list.push_back({{"fault", result.fault.name},
                    {"words", result.fault.words},
                    {"found_by", std::move(found_by)},
                    {"where", result.where}});
  }
  return list;
}

void print_text(const std::vector<FaultResult>& results) {
  for (const FaultResult& result : results) {
    fmt::print("{:<10} {}: {}\n", text_of(result.found_by), result.fault.name, result.fault.words);
    if (!result.where.empty()) fmt::print("           {}\n", result.where);
  }
}

// Minutes may pass until the next one.
void tell(const FaultResult& result) {
  fmt::print(stderr, "{}: {} {}\n", result.fault.name, text_of(result.found_by), result.where);
}

// In their order; none where they are not installed.
Words fault_names() {
  Words names;
  const auto root = folder_with("testbench/faults/faults.json");
  if (!root) return names;
  for (const testbench::PlantedFault& fault : testbench::listed_faults(*root)) names.push_back(fault.name);
  return names;
}

int faults(FaultsOptions& options) {
  Progress progress("faults");
  options.run.on_result = [&progress](const FaultResult& result) {
    progress.clear();
    tell(result);
  };
  watch(options.run, progress);
  const std::vector<FaultResult> results = run_faults(options.run);
  progress.clear();
  if (is_interrupted()) return kInterrupted;
  options.prints_json ? fmt::print("{}\n", to_json(results).dump(2)) : print_text(results);
  const bool all_found = std::all_of(results.begin(), results.end(),
                                     [](const FaultResult& result) { return result.found_by != FoundBy::kNobody; });
  return all_found ? kDone : kFailed;
}

}  // namespace

void add_faults_command(CLI::App& command, int& status) {
  auto options = std::make_shared<FaultsOptions>();
  options->run.num_workers = std::max(1U, std::thread::hardware_concurrency());
  command.add_option("FAULT", options->run.names, "Only these")->check(OneOf(fault_names));
  add_jobs_option(command, options->run.num_workers, "Simulations");
  command.add_flag("--json", options->prints_json, "Print the result as JSON");
  command.callback([options, &status] {
    try {
      status = faults(*options);
    } catch (const testbench::Interrupted&) {
      status = kInterrupted;
    }
  });
}

}  // namespace tessera::app
