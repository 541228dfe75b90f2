// SPDX-License-Identifier: Apache-2.0
// What normalised turnaround is set against: an application with the machine to itself.
#pragma once

#include <cstdint>

#include "model/spec/spec.h"

namespace tessera::platform {

// One process, of no priority, tokens, deadline or start of its own, under fcfs, since no policy does better than the
// one that never preempts; without partitions and a driver that holds groups back, whose costs show in the normalised
// turnaround.
spec::Spec alone(const spec::Spec& spec, std::uint32_t application);

}  // namespace tessera::platform
