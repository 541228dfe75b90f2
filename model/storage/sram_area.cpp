// SPDX-License-Identifier: Apache-2.0
// Cells, and what stands around them.
#include "model/storage/sram_area.h"

namespace tessera::storage {

AreaRange sram_area(const SramNode& node, std::uint64_t bits) {
  const double cells = static_cast<double>(bits) * node.cell_um2;
  return {cells / kLargeArrayEfficiency, kTwoPortCellRatio * cells / kSmallArrayEfficiency};
}

}  // namespace tessera::storage
