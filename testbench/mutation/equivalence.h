// SPDX-License-Identifier: Apache-2.0
// Is a mutant a fault at all? Where the netlists with and without it compute the same next state and the same outputs
// from any state and any inputs, nothing can tell them apart.
#pragma once

#include <filesystem>

#include "testbench/mutation/mutant.h"

namespace tessera::testbench {

// Proved with Yosys's SAT solver. False: there is a difference, perhaps in a state that is never reached, or no proof
// was found in time.
bool is_proved_equivalent(const Mutant& mutant, const std::filesystem::path& design);

}  // namespace tessera::testbench
