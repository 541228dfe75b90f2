// SPDX-License-Identifier: Apache-2.0
// From the parameters of a core to its gates: Yosys on rtl/, OpenSTA on what comes out. Results are kept in the same
// cache as Verilated cores, by sources, scripts, parameters and versions of the tools.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cosim/elaboration.h"
#include "synthesis/tool_reports.h"

namespace tessera::synthesis {

struct MemoryShape {
  std::uint64_t depth = 0;
  std::uint64_t width = 0;
  std::uint64_t count = 0;  // instances of that shape
};

struct MappedCore {
  double area_um2 = 0;
  std::uint64_t flip_flops = 0;
  std::vector<MemoryShape> memories;
  TimedPaths paths;

  std::uint64_t ram_bits() const;
  double kge() const;        // thousands of NAND2X1
  double period_ns() const;  // pins timed
  double fmax_mhz() const;
};

struct MappedModule {
  std::string module;
  double area_um2 = 0;
  std::uint64_t flip_flops = 0;

  double kge() const;
};

// The core as one netlist, optimised as a whole. Throws cosim::BuildError, with the package of a tool that is missing.
MappedCore map_core(const cosim::Elaboration& elaboration, std::uint32_t target_mhz);

// The IP's register front end in front of such a core, by itself: no gate of the core is in it.
MappedCore map_front_end(const cosim::Elaboration& elaboration, std::uint32_t target_mhz);

// The core with the modules of rtl/ kept apart, largest first: where the area is. Their sum is somewhat larger.
std::vector<MappedModule> map_modules(const cosim::Elaboration& elaboration, std::uint32_t target_mhz);

// Verilog of the netlist that map_core() measures, for simulation: gates, what the library says that they do, and the
// memories.
std::filesystem::path simulated_gates(const cosim::Elaboration& elaboration, std::uint32_t target_mhz);

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TimedPath, start, end, period_ns)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TimedPaths, registers, inputs, outputs)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MemoryShape, depth, width, count)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MappedCore, area_um2, flip_flops, memories, paths)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MappedModule, module, area_um2, flip_flops)

}  // namespace tessera::synthesis
