// SPDX-License-Identifier: Apache-2.0
// One fault in the netlist of the core: a bit of a cell's port is inverted, stuck, or depends on a neighbour.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::testbench {

struct Mutant {
  std::uint32_t number = 0;  // selects it in the netlist; from 1 on
  std::string mode;          // Yosys's word: inv, const0, const1, cnot0, cnot1
  std::string instance;      // where the cell is: "u_search.u_good_valid"; empty: tsr_scheduler itself
  std::string cell_name;     // Yosys's
  std::string cell;          // its kind, as far as its name tells: "eq", "ff"
  std::string port;
  unsigned bit = 0;
  unsigned control_bit = 0;  // of cnot0 and cnot1: inverted while this one is 0, or 1
  std::string wire;          // that the bit drives or is, if it has a name
  std::string source;        // "rtl/tsr_search.v:150"
};

// A line as Yosys's `mutate -list` writes it. Throws std::runtime_error if it is none.
Mutant parse_mutant(const std::string& line);

// "inv of Y[0] (is_distributing), eq in u_search, rtl/tsr_search.v:150"
std::string describe(const Mutant& mutant);

}  // namespace tessera::testbench
