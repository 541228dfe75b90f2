// SPDX-License-Identifier: Apache-2.0
// Duration of a policy search on the ideal engine of the transaction-level model.
#pragma once

#include <cstdint>

#include "model/base/time.h"
#include "model/spec/spec_fwd.h"

namespace tessera::spec {

// Steps of a walk over the SMST: `search_width` entries each.
std::uint32_t search_steps(const Spec& spec);

// In core cycles, of which there are `tbs_per_cycle` in an SM cycle.
Cycle search_core_cycles(const Spec& spec);

}  // namespace tessera::spec
