// SPDX-License-Identifier: Apache-2.0
// The wrapper, and what nextpnr says.
#include "synthesis/ice40.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <regex>
#include <vector>

#include "cosim/core_builder.h"
#include "cosim/text_file.h"
#include "cosim/tool.h"
#include "synthesis/rtl_scripts.h"
#include "synthesis/tool_reports.h"

namespace tessera::synthesis {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kChain = 8192;  // more than there are pins; what is not needed goes away

std::uint64_t sum_of(const ModuleCells& core, const std::string& prefix) {
  std::uint64_t sum = 0;
  for (const auto& [type, count] : core.cells) sum += type.rfind(prefix, 0) == 0 ? count : 0;
  return sum;
}

// The last one that it reports is the one after routing.
double fmax_in(const std::string& report) {
  static const std::regex kFmax(R"(Max frequency for clock '[^']*': ([\d.]+) MHz)");
  double fmax_mhz = 0;
  for (std::sregex_iterator match(report.begin(), report.end(), kFmax), end; match != end; ++match) {
    fmax_mhz = std::stod((*match)[1]);
  }
  return fmax_mhz;
}

nlohmann::json measured(const RtlScripts& scripts, const fs::path& folder) {
  scripts.link_sources(folder);
  cosim::write_text(folder / "wrapper.v", ice40_wrapper(cosim::read_text(scripts.scheduler().path)));
  scripts.run_yosys(folder, "elaborate.ys");
  scripts.run_yosys(folder, "ice40.ys");
  const ModuleCells cells = parse_cells(cosim::read_text(folder / "cells.txt")).at(0);
  Ice40Core core{sum_of(cells, "SB_LUT4"), sum_of(cells, "SB_DFF"), sum_of(cells, "SB_RAM"), 0};
  if (core.luts > kIce40Luts || core.block_rams > kIce40BlockRams) return core;
  try {
    core.fmax_mhz = fmax_in(cosim::run_tool({"nextpnr-ice40", "--hx8k", "--package", "ct256", "--json", "ice40.json",
                                             "--pcf-allow-unconstrained", "--timing-allow-fail", "--seed", "1"},
                                            folder));
  } catch (const cosim::BuildError&) {
    if (cosim::read_text(folder / "output.txt").find("Unable to place") == std::string::npos) throw;
  }
  return core;
}

}  // namespace

Ice40Core map_ice40(const cosim::Elaboration& elaboration) {
  const RtlScripts scripts(elaboration);
  const std::string more =
      cosim::output_of("nextpnr-ice40", "--version 2>&1") + ice40_wrapper(cosim::read_text(scripts.scheduler().path));
  return scripts
      .cached({"elaborate.ys", "ice40.ys"}, more, [&](const fs::path& folder) { return measured(scripts, folder); })
      .get<Ice40Core>();
}

std::string ice40_wrapper(const std::string& scheduler) {
  static const std::string kModule = "module tsr_scheduler";
  static const std::regex kPort(R"(\n\s*(input|output)\s+(?:reg\b)?\s*(\[[^\n]*?\])?\s*(\w+)\s*(?=[,\n/]))");
  const std::size_t begin = scheduler.find(kModule), middle = scheduler.find("\n) (", begin),
                    end = scheduler.find("\n);\n", middle);
  if (begin == std::string::npos || middle == std::string::npos || end == std::string::npos) {
    throw cosim::BuildError("tsr_scheduler.v has no module header that could be repeated");
  }
  const std::string parameters = scheduler.substr(begin + kModule.size(), middle - begin - kModule.size());
  const std::string ports = scheduler.substr(middle, end + 1 - middle);
  std::string wires, connections;
  std::vector<std::string> inputs, outputs;
  for (std::sregex_iterator port(ports.begin(), ports.end(), kPort), last; port != last; ++port) {
    const std::string name = (*port)[3];
    connections += fmt::format("{0}.{1}({1})", connections.empty() ? "" : ", ", name);
    if (name == "clk_i") continue;
    wires += fmt::format("  wire {} {};\n", (*port)[2].str(), name);
    ((*port)[1] == "input" ? inputs : outputs).push_back(name);
  }
  return fmt::format(
      "module tsr_ice40{}\n) (input clk_i, input serial_i, output reg serial_o);\n{}"
      "  reg [{}:0] in_q, out_q;\n  assign {{{}}} = in_q;\n"
      "  always @(posedge clk_i) begin\n    in_q <= {{in_q, serial_i}};\n    out_q <= {{{}}};\n    serial_o <= "
      "^out_q;\n"
      "  end\n  tsr_scheduler u_tsr_scheduler ({});\nendmodule\n",
      parameters, wires, kChain - 1, fmt::join(inputs, ", "), fmt::join(outputs, ", "), connections);
}

}  // namespace tessera::synthesis
