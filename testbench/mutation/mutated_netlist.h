// SPDX-License-Identifier: Apache-2.0
// rtl/ as a netlist of word-level cells with many mutants in it, of which an input (mutsel) selects one, or none. Yosys
// makes it; what it made is kept beside the built cores.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "cosim/elaboration.h"
#include "testbench/mutation/mutant.h"

namespace tessera::testbench {

struct MutatedNetlist {
  std::filesystem::path verilog;
  std::filesystem::path design;  // in Yosys's format, without mutants
  std::vector<Mutant> mutants;
};

// The mutants are drawn from all that Yosys knows, by the seed. Throws cosim::BuildError.
MutatedNetlist make_mutated_netlist(const cosim::Elaboration& elaboration, std::uint32_t num_mutants,
                                    std::uint64_t seed);

}  // namespace tessera::testbench
