// SPDX-License-Identifier: Apache-2.0
// What `tessera reproduce` offers of [Z21], and how it is made.
#pragma once

#include "campaign/reproduction.h"

namespace tessera::campaign::z21 {

Paper paper();

}  // namespace tessera::campaign::z21
