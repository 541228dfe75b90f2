// SPDX-License-Identifier: Apache-2.0
// What a core has beside all else if a context can keep its turn (docs/hardware/timing.md 3.12; KEPT_TURN of the
// Verilog). The timers of slices and switches are outside of the core, and in no structure.
#pragma once

#include "model/storage/framework_storage.h"

namespace tessera::storage {

// Three structures, and fields of others, which have to be there.
void add_kept_turn(std::vector<Structure>& structures, const CoreSizes& sizes);

}  // namespace tessera::storage
