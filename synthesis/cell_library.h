// SPDX-License-Identifier: Apache-2.0
// The standard cells that the core is mapped to: Debian's qflow-tech-osu018, whose Liberty file has areas that its own
// LEF contradicts (NAND3X1 36 um2 instead of 32, LATCH 0 instead of 56), so that they are taken from the LEF.
#pragma once

#include <string>

namespace tessera::synthesis {

// The whole library as Liberty text. Throws cosim::BuildError, with the package, if it is not installed.
std::string read_cell_library();

// `liberty` with the area of every cell that `lef` has a size for.
std::string with_areas_of_lef(const std::string& liberty, const std::string& lef);

// A library that has the cells in `cells` (Liberty text) as well.
std::string with_cells(const std::string& liberty, const std::string& cells);

inline constexpr double kNand2Um2 = 24.0;  // NAND2X1: one gate equivalent
inline constexpr double kFo4Ns = 0.10;     // an INVX1 that drives four: OpenSTA on a chain of them

}  // namespace tessera::synthesis
