// SPDX-License-Identifier: Apache-2.0
#include "testbench/faults/fault_run.h"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>

#include "model/base/program_files.h"
#include "testbench/formal/prover.h"
#include "testbench/random_lockstep.h"

namespace tessera::testbench {
namespace {

// The default run, one configuration after the other: what one of them finds, the run of all of them finds.
std::optional<std::string> found_in_lockstep(const FaultRun& options, const FaultyTree& tree) {
  RandomLockstep lockstep;
  lockstep.verilog_files = tree.verilog_files();
  lockstep.variant.has_assertions = true;
  lockstep.num_workers = options.num_workers;
  lockstep.is_interrupted = options.is_interrupted;
  lockstep.keeps_waves = false;
  const std::vector<Configuration> all = configurations();
  lockstep.active_cycles = (lockstep.active_cycles + all.size() - 1) / all.size();
  for (const Configuration& configuration : all) {
    lockstep.configurations = {configuration};
    for (const ConfigurationResult& result : run_random_lockstep(lockstep)) {
      if (!result.failure) continue;
      return fmt::format("{}, seed {}, episode {}, cycle {}: {}", configuration.name, result.failure->seed,
                         result.failure->episode, result.failure->cycle, result.failure->what);
    }
    if (options.is_interrupted()) break;
  }
  return {};
}

std::optional<std::string> found_by_proof(const FaultRun& options, const FaultyTree& tree) {
  ProofRun proofs;
  proofs.root = tree.root();
  proofs.scope = ProofScope::kAllSizes;  // the smallest has no token in the pool
  proofs.num_workers = options.num_workers;
  proofs.is_interrupted = options.is_interrupted;
  for (const PropertyResult& result : run_proofs(proofs)) {
    if (!result.holds()) return fmt::format("{} does not hold", result.property.name);
  }
  return {};
}

FaultResult try_fault(const FaultRun& options, const std::filesystem::path& root, const PlantedFault& fault) {
  const FaultyTree tree(root, fault);
  if (const auto where = found_in_lockstep(options, tree)) return {fault, FoundBy::kLockstep, *where};
  if (options.is_interrupted()) return {fault, FoundBy::kNobody, ""};
  if (const auto where = found_by_proof(options, tree)) return {fault, FoundBy::kProof, *where};
  return {fault, FoundBy::kNobody, ""};
}

}  // namespace

std::vector<FaultResult> run_faults(const FaultRun& options) {
  const auto root = folder_with("testbench/faults/faults.json");
  if (!root) throw std::runtime_error("the planted faults (testbench/faults/) were not found near the program");
  const std::vector<PlantedFault> faults = selected(listed_faults(*root), options.names);
  std::vector<FaultResult> results;
  for (const PlantedFault& fault : faults) {
    if (options.is_interrupted()) break;
    options.on_progress(results.size(), faults.size());
    results.push_back(try_fault(options, *root, fault));
    options.on_result(results.back());
  }
  options.on_progress(faults.size(), faults.size());
  return results;
}

}  // namespace tessera::testbench
