// SPDX-License-Identifier: Apache-2.0
// On-chip storage of the next core (docs/timing_next.md), register by register as in rtl_next/.
#pragma once

#include <vector>

#include "model/storage/framework_storage.h"

namespace tessera::storage::one_job {

std::vector<Structure> framework_structures(const CoreSizes& sizes);

}  // namespace tessera::storage::one_job
