// SPDX-License-Identifier: Apache-2.0
// Readings of the applications behind Figure 8, which no text and no other figure decides.
#pragma once

#include <vector>

#include "campaign/reproduction.h"

namespace tessera::campaign::k11 {

std::vector<Variant> variants();

}  // namespace tessera::campaign::k11
