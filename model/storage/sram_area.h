// SPDX-License-Identifier: Apache-2.0
// Silicon area of an SRAM: a range, from published bit cells. Public estimators differ by an order of magnitude for
// such small macros, so a single number is not given.
#pragma once

#include <array>
#include <cstdint>

namespace tessera::storage {

inline constexpr double kUm2PerMm2 = 1e6;

struct SramNode {
  const char* name;
  double cell_um2;  // high-density six-transistor cell
  const char* source;
};

// Cells as published by the foundry.
inline constexpr std::array<SramNode, 4> kSramNodes{{
    {"28nm", 0.127, "0.127 um2: TSMC, 2009 (S.-Y. Wu et al., 28 nm low power with a 64 Mb SRAM)"},
    {"16nm", 0.070, "0.070 um2: TSMC, IEDM 2013 (S.-Y. Wu et al., 16 nm FinFET) and ISSCC 2014 (a 128 Mb SRAM)"},
    {"7nm", 0.027, "0.027 um2: TSMC, IEDM 2016 (S.-Y. Wu et al., 7 nm FinFET) and ISSCC 2017 (a 256 Mb SRAM)"},
    {"5nm", 0.021, "0.021 um2: TSMC, IEDM 2019 (G. Yeap et al., 5 nm FinFET) and ISSCC 2020 (a 135 Mb SRAM)"},
}};

// Fraction of a macro's area taken by cells. Large: WikiChip's 31.8 Mib/mm2 for N3E's 0.021 um2 cell (IEDM 2022) gives
// 0.70, as does a cache estimator at 28 nm. Small (tens of kilobits and less): an assumption; decoders, sense
// amplifiers and control do not shrink with the array.
inline constexpr double kLargeArrayEfficiency = 0.70;
inline constexpr double kSmallArrayEfficiency = 0.30;
// A cell with a separate read port (eight transistors) relative to a six-transistor cell: a cache estimator at 28 nm
// gives 0.29 um2 per bit instead of 0.145, periphery included.
inline constexpr double kTwoPortCellRatio = 2.0;

struct AreaRange {
  double min_um2 = 0;  // single-port cells, accessed twice per cycle, as dense as in a large array
  double max_um2 = 0;  // two-port cells in a small array
};
AreaRange sram_area(const SramNode& node, std::uint64_t bits);

}  // namespace tessera::storage
