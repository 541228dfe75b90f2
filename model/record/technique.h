// SPDX-License-Identifier: Apache-2.0
// Properties of techniques, for readers of a log.
#pragma once

#include "model/record/record.h"

namespace tessera::record {

// Techniques under which each thread block leaves in its own way while others may keep running ([S16]).
constexpr bool chooses_victims(Technique technique) {
  return technique == Technique::kChimera || technique == Technique::kDualKernel;
}

}  // namespace tessera::record
