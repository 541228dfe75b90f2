// SPDX-License-Identifier: Apache-2.0
// Checks that the machine supports kernels whose thread blocks change speed with the number on their SM.
// Internal to model/spec.
#pragma once

#include "model/spec/readers.h"

namespace tessera::spec {

// Only techniques that choose victims support such kernels. A baseline that inherits the technique is not reported
// again.
void check_occupancy_speed(MappingReader scheduler, MappingReader baseline, const Spec& spec);

}  // namespace tessera::spec
