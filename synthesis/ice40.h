// SPDX-License-Identifier: Apache-2.0
// The core in an FPGA, for those who think in LUTs: Yosys and nextpnr for an iCE40 HX8K.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "cosim/elaboration.h"

namespace tessera::synthesis {

struct Ice40Core {
  std::uint64_t luts = 0;  // of four inputs
  std::uint64_t flip_flops = 0;
  std::uint64_t block_rams = 0;  // of 4 kbit
  double fmax_mhz = 0;           // placed and routed; 0: it does not fit the device
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Ice40Core, luts, flip_flops, block_rams, fmax_mhz)

inline constexpr std::uint64_t kIce40Luts = 7680;  // of an HX8K
inline constexpr std::uint64_t kIce40BlockRams = 32;

Ice40Core map_ice40(const cosim::Elaboration& elaboration);

// A module tsr_ice40 with a clock, an input and an output around the scheduler whose source is given: registers in a
// chain feed its inputs, others take its outputs, so that all paths of the core are between registers.
std::string ice40_wrapper(const std::string& scheduler);

}  // namespace tessera::synthesis
