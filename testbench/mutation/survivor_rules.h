// SPDX-License-Identifier: Apache-2.0
// What is known of the mutants that survive, by the line of Verilog that they are in.
#pragma once

#include <vector>

namespace tessera::testbench {

// Mutants at a line of the core that has `text` in it, in such a file, or of a net or an instance with such a name. The
// first that applies counts. What is believed to be no fault was thought through on the mutants of some runs, not
// proved.
struct SurvivorRule {
  const char* text;
  const char* reason;
};

const std::vector<SurvivorRule>& survivor_rules_of_next_core();

}  // namespace tessera::testbench
