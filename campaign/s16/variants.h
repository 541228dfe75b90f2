// SPDX-License-Identifier: Apache-2.0
// Other guests, and other ways to search for victims.
#pragma once

#include <vector>

#include "campaign/reproduction.h"

namespace tessera::campaign::s16 {

std::vector<Variant> variants();

}  // namespace tessera::campaign::s16
