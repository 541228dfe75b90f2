// SPDX-License-Identifier: Apache-2.0
// What `tessera reproduce` offers of [G16], and how it is made.
#pragma once

#include "campaign/reproduction.h"

namespace tessera::campaign::g16 {

Paper paper();

}  // namespace tessera::campaign::g16
