// SPDX-License-Identifier: Apache-2.0
// Random experiments for the clocked machine, with links between the scheduler and the SMs, or a refill lane.
#pragma once

#include <cstdint>

#include "model/spec/spec.h"

namespace tessera::platform::test {

// Each SM has delays of its own.
spec::Spec linked_experiment(std::uint64_t seed);
// With links or without. Every third has a kept turn.
spec::Spec laned_experiment(std::uint64_t seed);

}  // namespace tessera::platform::test
