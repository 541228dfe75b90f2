// SPDX-License-Identifier: Apache-2.0
// Proportions.
#include "synthesis/technology.h"

#include "synthesis/cell_library.h"

namespace tessera::synthesis {

Range scaled_area_um2(const LogicNode& node, double gate_equivalents) {
  const double cells = gate_equivalents / kUtilisation;
  return {cells * node.nand2_um2.min, cells * node.nand2_um2.max};
}

Range scaled_fmax_mhz(const LogicNode& node, double period_ns) {
  const double fo4s = period_ns / kFo4Ns;
  return {1e6 / (fo4s * node.fo4_ps.max), 1e6 / (fo4s * node.fo4_ps.min)};
}

}  // namespace tessera::synthesis
