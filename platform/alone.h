// SPDX-License-Identifier: Apache-2.0
// The reference for normalised turnaround: an application alone on the machine.
#pragma once

#include <cstdint>

#include "model/spec/spec.h"

namespace tessera::platform {

// One process without priority, tokens, deadline or start time, under fcfs, since no policy beats the one that never
// preempts. Without partitions and without a driver that holds groups back, so that their costs show in the normalised
// turnaround.
spec::Spec alone(const spec::Spec& spec, std::uint32_t application);

}  // namespace tessera::platform
