// SPDX-License-Identifier: Apache-2.0
// Counts of a kernel's thread blocks by state. Kept by the part that runs them, read by the scheduler's tables.
#pragma once

#include <cstdint>

namespace tessera {

struct TbCounts {
  std::uint32_t total = 0;
  std::uint32_t next = 0;  // TBs below this have been issued
  std::uint32_t finished = 0;
  std::uint32_t away = 0;  // issued, but neither on an SM nor finished, or their contexts are being restored

  std::uint32_t fresh() const { return total - next; }
};

}  // namespace tessera
