// SPDX-License-Identifier: Apache-2.0
// What `tessera reproduce` offers of [K11], and how each of it is made.
#pragma once

#include "campaign/reproduction.h"

namespace tessera::campaign::k11 {

const std::vector<Target>& targets();
const std::vector<Variant>& variants();
// Throws std::out_of_range for an unknown target.
Reproduction reproduce(const Request& request);

}  // namespace tessera::campaign::k11
