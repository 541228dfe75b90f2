// SPDX-License-Identifier: Apache-2.0
// Kernels whose thread blocks change their speed with the number on their SM, and who can run them.
// Internal to model/spec.
#pragma once

#include "model/spec/readers.h"

namespace tessera::spec {

// SMs on which victims are chosen know such kernels. A baseline that takes the technique over is not blamed again.
void check_occupancy_speed(MappingReader scheduler, MappingReader baseline, const Spec& spec);

}  // namespace tessera::spec
