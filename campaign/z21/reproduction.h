// SPDX-License-Identifier: Apache-2.0
// What `tessera reproduce` offers of [Z21], and how each of it is made.
#pragma once

#include "campaign/reproduction.h"

namespace tessera::campaign::z21 {

const std::vector<Target>& targets();
// Throws std::out_of_range for an unknown target.
Reproduction reproduce(const Request& request);
const std::vector<Variant>& variants();

}  // namespace tessera::campaign::z21
