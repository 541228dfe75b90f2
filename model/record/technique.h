// SPDX-License-Identifier: Apache-2.0
// What readers of a log need to tell about techniques.
#pragma once

#include "model/record/record.h"

namespace tessera::record {

// Those under which each thread block leaves in its own way, and others may run on meanwhile ([S16]).
constexpr bool chooses_victims(Technique technique) {
  return technique == Technique::kChimera || technique == Technique::kDualKernel;
}

}  // namespace tessera::record
