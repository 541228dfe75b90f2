// SPDX-License-Identifier: Apache-2.0
// What Yosys and OpenSTA print, read back.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tessera::synthesis {

struct ModuleCells {
  std::string module;
  double area_um2 = 0;
  std::map<std::string, std::uint64_t> cells;  // by type, without those of modules in it

  std::uint64_t flip_flops() const;
};
// Modules in the order of `stat -liberty`, without its sum over the hierarchy.
std::vector<ModuleCells> parse_cells(const std::string& report);

struct TimedPath {
  std::string start, end;  // registers, with the instances they are in, memories, or pins
  double period_ns = 0;    // shortest clock period
};
// The slowest path of each kind.
struct TimedPaths {
  TimedPath registers;        // between two registers
  TimedPath inputs, outputs;  // from a pin, to a pin: what is outside takes its share of the period, kPinShare

  const TimedPath& critical() const;  // the slowest of all
};
// From what rtl/syn/timing.tcl prints with the clock period it was made for, and the netlist whose registers it names
// by numbers. Throws cosim::BuildError with the first error that OpenSTA reports, since it goes on after errors.
TimedPaths parse_timing(const std::string& report, const std::string& netlist, double clock_ns);

// Of a clock period, what the logic outside of the core has on the way to a pin of it, and behind one: the usual 30 %.
constexpr double kPinShare = 0.3;

}  // namespace tessera::synthesis
