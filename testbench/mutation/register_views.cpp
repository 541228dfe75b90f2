// SPDX-License-Identifier: Apache-2.0
#include "testbench/mutation/register_views.h"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <regex>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/field.h"
#include "rtl_model/params.h"

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

// The glue reads words of memories too. Those of the netlist are black boxes; what stands in these is nobody's
// business.
constexpr const char* kMemoryView =
    "module tsr_sram_1r1w #(parameter DEPTH = 1, WIDTH = 1);\n"
    "  reg [WIDTH-1:0] mem_q [0:DEPTH-1];\n"
    "  reg [WIDTH-1:0] read_data_o;\n"
    "endmodule\n";

std::string memory(const std::string& name, unsigned depth, unsigned width) {
  return fmt::format("  tsr_sram_1r1w #(.DEPTH({}), .WIDTH({})) {} ();\n", depth, width, name);
}

// By unit.
std::map<std::string, std::string> memory_instances(const cosim::Elaboration& core) {
  using rtl_model::bits_for_value;
  using rtl_model::Params;
  constexpr unsigned kStackPointerWidth = 32;
  const unsigned counted = bits_for_value(std::uint64_t{core.num_sms} * core.max_tbs_per_sm) + 1;
  std::string of_ksrt = memory("u_descriptors", core.num_ksrs, Params::kDescriptorWidth);
  if (core.tb_width > counted) {
    const std::string more = memory("u_more", core.num_ksrs, core.tb_width - counted);
    of_ksrt += "  generate if (1) begin : g_more\n" + more + "  end endgenerate\n";
  }
  return {
      {"ptbq", memory("u_sram", core.num_ksrs * core.ptbq_depth, core.tb_width + kStackPointerWidth)},
      {"command_buffers", memory("u_launches", core.num_command_buffers, core.tb_width + Params::kDescriptorWidth)},
      {"ksrt", of_ksrt},
      {"context_table", memory("u_page_tables", core.num_contexts, Params::kPageTableWidth)},
  };
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
  for (const auto& [unit, memories] : memory_instances(elaboration)) views[unit].wires += memories;
  std::string instances, modules = kMemoryView;
  for (auto& [unit, view] : views) {
    instances += fmt::format("  tsr_{0} u_{0} ({1});\n", unit, view.connections);
    modules += fmt::format("module tsr_{}({});\n{}{}", unit, view.ports, view.wires, kEnd);
  }
  std::string text = netlist;
  text.insert(end, instances);
  text.insert(top + std::string(kTop).size() - 1, fmt::format(" #({}) ", parameters(elaboration)));
  return text + modules;
}

}  // namespace tessera::testbench
