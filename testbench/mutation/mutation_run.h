// SPDX-License-Identifier: Apache-2.0
// Can the benches fail? Faults are put into the Verilog core, one at a time, and each shall make random lockstep stop.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "testbench/configurations.h"
#include "testbench/mutation/mutant.h"

namespace tessera::testbench {

struct MutationRun {
  Configuration configuration = testbench::configuration("all_logic");  // its static_partition is left out
  std::uint32_t num_mutants = 2000;
  std::uint64_t seed = 1;            // of the mutants, and of the random input
  std::uint64_t cycles = 1'000'000;  // of random input, at most, for each mutant
  unsigned num_workers = 1;
  bool proves_equivalence = true;  // of those that are not caught
  std::function<bool()> is_interrupted = [] { return false; };
  std::function<void(std::size_t done, std::size_t total)> on_progress = [](std::size_t, std::size_t) {};
};

struct MutantResult {
  Mutant mutant;
  // Nothing: it survived.
  struct Catch {
    std::uint64_t cycles = 0;  // of random input until then
    std::string signal;        // that differed first
  };
  std::optional<Catch> caught;
  bool is_equivalent = false;  // proved: nobody could have caught it
};

struct MutationResult {
  std::uint64_t cycles = 0;    // recorded
  std::uint64_t episodes = 0;  // in them
  std::vector<MutantResult> mutants;
};

// Builds what is not there yet; throws cosim::BuildError if it cannot, and std::runtime_error if the netlist is not the
// core even without a mutant.
MutationResult run_mutation(const MutationRun& options);

}  // namespace tessera::testbench
