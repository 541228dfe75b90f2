// SPDX-License-Identifier: Apache-2.0
#include "testbench/mutation/register_views.h"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <regex>
#include <stdexcept>
#include <utility>

namespace tessera::testbench {
namespace {

constexpr const char* kTop = "module tsr_scheduler(";
constexpr const char* kEnd = "endmodule\n";

// A register as an expression. Its net may have been split: then each part has its range in its name.
struct Register {
  unsigned width = 0;
  std::string parts;  // separated by commas, the highest first
};

Register find_register(const std::string& netlist, const RegisterName& name) {
  const std::regex declaration(fmt::format(
      R"(\n\s*(?:wire|reg) (?:\[(\d+):(\d+)\] )?(\\u_{}\.{}(?:\[(\d+)(?::\d+)?\])? );)", name.unit, name.name));
  std::map<unsigned, std::pair<unsigned, std::string>, std::greater<>> parts;  // by highest bit: width, net
  for (std::sregex_iterator net(netlist.begin(), netlist.end(), declaration), end; net != end; ++net) {
    const auto number = [&](std::size_t group) { return static_cast<unsigned>(std::stoul((*net)[group])); };
    const bool is_vector = (*net)[1].matched;
    const unsigned highest = (*net)[4].matched ? number(4) : is_vector ? number(1) : 0;
    parts[highest] = {is_vector ? number(1) - number(2) + 1 : 1, (*net)[3]};
  }
  Register reg;
  for (const auto& [highest, part] : parts) {
    reg.width += part.first;
    reg.parts += (reg.parts.empty() ? "" : ", ") + part.second;
  }
  if (parts.empty() || reg.width != parts.begin()->first + 1) {
    throw std::runtime_error(fmt::format("the netlist does not have all of register u_{}.{}", name.unit, name.name));
  }
  return reg;
}

struct View {
  std::string ports, wires, connections;
  void add(const Register& reg, const std::string& name) {
    const char* comma = ports.empty() ? "" : ", ";
    const std::string range = reg.width == 1 ? "" : fmt::format("[{}:0] ", reg.width - 1);
    ports += fmt::format("{}input {}{}_i", comma, range, name);
    wires += fmt::format("  wire {0}{1} = {1}_i;\n", range, name);
    connections += fmt::format("{0}.{1}_i({{{2}}})", comma, name, reg.parts);
  }
};

std::string parameters(const cosim::Elaboration& elaboration) {
  std::string list;
  for (const cosim::VerilogParameter& parameter : cosim::verilog_parameters(elaboration)) {
    list += fmt::format("{}parameter {} = 0", list.empty() ? "" : ", ", parameter.name);
  }
  return list;
}

// The glue reads the memory's words too.
std::string memory_view(const cosim::Elaboration& elaboration) {
  return fmt::format("module tsr_sram_1r1w;\n  reg [63:0] mem_q [0:{}];\n{}",
                     elaboration.num_ksrs * elaboration.ptbq_depth - 1, kEnd);
}

}  // namespace

std::vector<RegisterName> listed_registers(const std::string& settings) {
  static const std::regex kLine(R"lit(public_flat_rd -module "tsr_(\w+)" -var "(\w+)")lit");
  std::vector<RegisterName> registers;
  for (std::sregex_iterator line(settings.begin(), settings.end(), kLine), end; line != end; ++line) {
    if ((*line)[1] != "sram_1r1w") registers.push_back({(*line)[1], (*line)[2]});
  }
  return registers;
}

std::string with_register_views(const std::string& netlist, const std::vector<RegisterName>& registers,
                                const cosim::Elaboration& elaboration) {
  const std::size_t top = netlist.find(kTop);
  const std::size_t end = netlist.find(kEnd, top);
  if (top == std::string::npos || end == std::string::npos)
    throw std::runtime_error("the netlist has no tsr_scheduler");

  std::map<std::string, View> views;
  for (const RegisterName& reg : registers) views[reg.unit].add(find_register(netlist, reg), reg.name);
  std::string instances, modules = memory_view(elaboration);
  for (auto& [unit, view] : views) {
    if (unit == "ptbq") view.wires += "  tsr_sram_1r1w u_sram ();\n";
    instances += fmt::format("  tsr_{0} u_{0} ({1});\n", unit, view.connections);
    modules += fmt::format("module tsr_{}({});\n{}{}", unit, view.ports, view.wires, kEnd);
  }
  std::string text = netlist;
  text.insert(end, instances);
  text.insert(top + std::string(kTop).size() - 1, fmt::format(" #({}) ", parameters(elaboration)));
  return text + modules;
}

}  // namespace tessera::testbench
