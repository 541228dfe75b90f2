// SPDX-License-Identifier: Apache-2.0
// Mutants that the bench has no chance to catch in reasonable time, with the reason.
#pragma once

#include <string>

#include "testbench/mutation/mutant.h"

namespace tessera::testbench {

// Why a mutant survived that may be a fault; empty: not known.
std::string why_it_survives(const Mutant& mutant);

}  // namespace tessera::testbench
