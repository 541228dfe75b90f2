// SPDX-License-Identifier: Apache-2.0
// What `tessera reproduce` offers of [T14], and how it is made.
#pragma once

#include "campaign/reproduction.h"

namespace tessera::campaign::t14 {

// Its reproduction throws spec::InputError where the experiment's processes are not applications of Table 1, and what
// run_campaign() throws.
Paper paper();

}  // namespace tessera::campaign::t14
