// SPDX-License-Identifier: Apache-2.0
// Scripts for Yosys: from Verilog to a proof, or to AIGER files for yosys-abc.
#pragma once

#include <string>
#include <vector>

#include "testbench/formal/property.h"

namespace tessera::testbench {

// Where cover_<name> is not met, it fails: a cover is an assertion of its negation.
inline constexpr const char* kCoverPrefix = "cover_";

// Induction over all assertions of a proof, in a folder with a copy of the Verilog.
std::string induction_script(const Proof& proof, const ParameterSet& parameters,
                             const std::vector<std::string>& verilog, unsigned max_seconds);

// <name>.aig for each of these assertions, alone.
std::string aiger_script(const Proof& proof, const ParameterSet& parameters, const std::vector<std::string>& verilog,
                         const std::vector<std::string>& assertions);

// All of its assertions in one, for the second prover.
std::string second_script(const Proof& proof, const ParameterSet& parameters, const std::vector<std::string>& verilog);

// For yosys-abc: a proof that they all hold, which finds its own invariants.
std::string second_command(unsigned max_seconds);

// The world of SCENARIO, cycle by cycle: the log says which of these assertions fail, and in which cycle.
std::string scenario_script(const Proof& proof, const std::vector<std::string>& verilog,
                            const std::vector<std::string>& assertions);

// For yosys-abc: a search for a counterexample of one AIGER file.
std::string search_command(const std::string& assertion, unsigned frames, unsigned max_seconds);

}  // namespace tessera::testbench
