// SPDX-License-Identifier: Apache-2.0
// What memory did in a run, where it answers later under load (docs/concepts/loaded_memory.md).
#pragma once

#include <cstdint>

namespace tessera::record {

struct MemoryResult {
  std::uint64_t bytes = 0;                // that thread blocks and contexts moved
  std::uint64_t largest_latency_ppm = 0;  // over the unloaded one; 0: memory is of another kind
};

}  // namespace tessera::record
