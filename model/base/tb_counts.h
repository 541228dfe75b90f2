// SPDX-License-Identifier: Apache-2.0
// How many of a kernel's thread blocks are where. Who runs them counts; tables of the scheduler read it.
#pragma once

#include <cstdint>

namespace tessera {

struct TbCounts {
  std::uint32_t total = 0;
  std::uint32_t next = 0;  // TBs below this have been issued
  std::uint32_t finished = 0;
  std::uint32_t away = 0;  // of those issued: neither on an SM nor finished, or their contexts are on the way back

  std::uint32_t fresh() const { return total - next; }
};

}  // namespace tessera
