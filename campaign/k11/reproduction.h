// SPDX-License-Identifier: Apache-2.0
// What `tessera reproduce` offers of [K11], and how it is made.
#pragma once

#include "campaign/reproduction.h"

namespace tessera::campaign::k11 {

Paper paper();

}  // namespace tessera::campaign::k11
