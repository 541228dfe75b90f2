// SPDX-License-Identifier: Apache-2.0
// Partitions of the sizes that GPUs have, against those of any size.
#pragma once

#include "campaign/reproduction.h"

namespace tessera::campaign::z21 {

// The same task sets on the GPU of the experiment and on an A100, in sizes of all kinds.
Reproduction reproduce_presets(const Request& request);

}  // namespace tessera::campaign::z21
