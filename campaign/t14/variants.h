// SPDX-License-Identifier: Apache-2.0
// Other readings of equal sharing and of the bus.
#pragma once

#include <vector>

#include "campaign/reproduction.h"

namespace tessera::campaign::t14 {

std::vector<Variant> variants();

}  // namespace tessera::campaign::t14
