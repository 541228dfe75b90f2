// SPDX-License-Identifier: Apache-2.0
// From the library's gates to newer nodes: gate equivalents carry over, micrometres and nanoseconds do not. Ranges,
// since every number here is an estimate before layout: docs/hardware/synthesis.md says what each rests on.
#pragma once

#include <array>

namespace tessera::synthesis {

struct Range {
  double min = 0;
  double max = 0;
};

struct LogicNode {
  const char* name;
  Range nand2_um2;  // one gate equivalent, without wiring
  Range fo4_ps;     // an inverter that drives four of its kind, typical corner
};

inline constexpr std::array<LogicNode, 4> kLogicNodes{{{"28nm", {0.49, 0.65}, {12, 18}},
                                                       {"16nm", {0.13, 0.18}, {8, 12}},
                                                       {"7nm", {0.041, 0.058}, {6, 9}},
                                                       {"5nm", {0.027, 0.033}, {5, 8}}}};
inline constexpr double kUtilisation = 0.70;  // cells in the area that a placed block takes

Range scaled_area_um2(const LogicNode& node, double gate_equivalents);
// The clock period in FO4 delays stays the same.
Range scaled_fmax_mhz(const LogicNode& node, double period_ns);

}  // namespace tessera::synthesis
