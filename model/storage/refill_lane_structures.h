// SPDX-License-Identifier: Apache-2.0
// What a core has beside all else if it has a refill lane (docs/hardware/timing.md 6.7; REFILL of the Verilog).
#pragma once

#include "model/storage/framework_storage.h"

namespace tessera::storage {

// Structures of the lane, and fields of others, which have to be there: of a kernel's counters most lie with the lane.
void add_refill_lane(std::vector<Structure>& structures, const CoreSizes& sizes);

}  // namespace tessera::storage
