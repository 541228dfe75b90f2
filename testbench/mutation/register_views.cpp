// SPDX-License-Identifier: Apache-2.0
#include "testbench/mutation/register_views.h"

#include <fmt/format.h>

#include <array>
#include <functional>
#include <map>
#include <regex>
#include <stdexcept>
#include <utility>

namespace tessera::testbench {
namespace {

constexpr const char* kTop = "module tsr_scheduler(";
constexpr const char* kEnd = "endmodule\n";
const std::regex kDot(R"(\.)");

// A register as an expression. Its net may have been split: then each part has its range in its name.
struct Register {
  unsigned width = 0;
  std::string parts;  // separated by commas, the highest first
};

Register find_register(const std::string& netlist, const RegisterName& name) {
  const std::regex declaration(fmt::format(R"(\n\s*(?:wire|reg) (?:\[(\d+):(\d+)\] )?(\\{}(?:\[(\d+)(?::\d+)?\])? );)",
                                           std::regex_replace(name.net(), kDot, R"(\.)")));
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
    throw std::runtime_error(fmt::format("the netlist does not have all of register {}", name.net()));
  }
  return reg;
}

std::string range_of(const Register& reg) { return reg.width == 1 ? "" : fmt::format("[{}:0] ", reg.width - 1); }

// What is declared in scopes of a module, `path` being theirs. One of a vector of scopes is a loop of one.
std::string in_scopes(const std::string& path, const std::string& declarations) {
  if (path.empty()) return declarations;
  const std::size_t dot = path.find('.');
  const std::string scope = path.substr(0, dot);
  const std::string inner = in_scopes(dot == std::string::npos ? "" : path.substr(dot + 1), declarations);
  const std::size_t index = scope.find('[');
  if (index == std::string::npos) return fmt::format("  if (1) begin : {}\n{}  end\n", scope, inner);
  return fmt::format("  for (genvar i = 0; i < 1; i = i + 1) begin : {}\n{}  end\n", scope.substr(0, index), inner);
}

// Of the netlist's own module, and of a unit, which gets them through ports.
struct View {
  std::string ports, connections, memories;
  std::map<std::string, std::string> wires;  // by scopes
  // Here lint/public.vlt, which goes by modules, does not find what lies in scopes.
  void add(const RegisterName& name, const std::string& range, const std::string& value) {
    wires[name.scopes] += fmt::format("  wire {}{}{} = {};\n", range, name.name,
                                      name.scopes.empty() ? "" : " /*verilator public_flat_rd*/", value);
  }
  void add_port(const RegisterName& name, const Register& reg) {
    const char* comma = ports.empty() ? "" : ", ";
    const std::string port = std::regex_replace(name.path(), kDot, "_") + "_i", range = range_of(reg);
    ports += fmt::format("{}input {}{}", comma, range, port);
    connections += fmt::format("{}.{}({{{}}})", comma, port, reg.parts);
    add(name, range, port);
  }
  std::string body() const {
    std::string text = memories;
    for (const auto& [scopes, declarations] : wires) text += in_scopes(scopes, declarations);
    return text;
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

// The memories of the netlist, by unit: "\\u_ksr_row.u_rows.mem_q" is declared as one of tsr_ksr_row, what lies
// deeper in scopes of it.
std::string memory(const std::string& path, const std::string& width, const std::string& depth) {
  const std::size_t dot = path.rfind('.');
  return in_scopes(dot == std::string::npos ? "" : path.substr(0, dot),
                   fmt::format("  tsr_sram_1r1w #(.DEPTH({}+1), .WIDTH({}+1)) {} ();\n", depth, width,
                               dot == std::string::npos ? path : path.substr(dot + 1)));
}

std::map<std::string, std::string> memory_instances(const std::string& netlist) {
  static const std::regex kMemoryArray(R"(\n\s*reg \[(\d+):0\] \\(?:u_(\w+)\.)?([^ ]+)\.mem_q\s+\[(\d+):0\];)");
  std::map<std::string, std::string> instances;
  for (std::sregex_iterator found(netlist.begin(), netlist.end(), kMemoryArray), end; found != end; ++found) {
    const std::string path = (*found)[3];
    const std::size_t index = path.find('[');
    if (index != std::string::npos && path.compare(index, 3, "[0]") != 0) continue;  // they are copies
    const std::string unit = (*found)[2].matched ? (*found)[2].str() : kTopUnit;
    instances[unit] += memory(path, (*found)[1], (*found)[4]);
  }
  return instances;
}

// Registers that lie in generate blocks: those of a unit, or one of them, in scopes of that unit or of another one.
struct Place {
  const char *unit, *name, *holder, *scopes;
};
constexpr std::array<Place, 10> kPlaces{{{"policy_register", "by_priority_q", "policy_register", "g_order"},
                                         {"policy_register", "kept_q", "policy_register", "g_turn"},
                                         {"policy_register", "of_gpu_q", "policy_register", "g_turn"},
                                         {"turn", "", "search", "u_turn"},
                                         {"kept_turn", "", "turn_control", "g_kept_turn.u_kept_turn"},
                                         {"refill_steps", "", "events", "g_refill.u_lane.u_steps"},
                                         {"ksr_status", "refills_q", "ksr_status", "g_refill"},
                                         {"sm_partitions", "", "smst", "u_partitions.g_partition"},
                                         {"partitions", "", "search", "g_partitions.u_partitions"},
                                         {"tags", "", "smst", "u_set_ups.g_tags.u_tags"}}};

RegisterName placed(const std::string& unit, const std::string& name) {
  for (const Place& place : kPlaces) {
    if (unit == place.unit && (*place.name == 0 || name == place.name)) return {place.holder, name, place.scopes};
  }
  return {unit, name, ""};
}

}  // namespace

std::vector<RegisterName> listed_registers(const std::string& settings, const cosim::Elaboration& elaboration) {
  static const std::regex kLine(R"lit(public_flat_rd -module "tsr_(\w+)" -var "(\w+)")lit");
  std::vector<RegisterName> registers;
  for (std::sregex_iterator line(settings.begin(), settings.end(), kLine), end; line != end; ++line) {
    if ((*line)[1] == "sram_1r1w") continue;
    const RegisterName name = placed((*line)[1], (*line)[2]);
    if (elaboration.refill != 0 || name.scopes.rfind("g_refill", 0) != 0) registers.push_back(name);
  }
  return registers;
}

std::string with_register_views(const std::string& netlist, const std::vector<RegisterName>& registers,
                                const cosim::Elaboration& elaboration) {
  const std::size_t top = netlist.find(kTop);
  const std::size_t end = netlist.find(kEnd, top);
  if (top == std::string::npos || end == std::string::npos)
    throw std::runtime_error("the netlist has no tsr_scheduler");

  View of_top;
  std::map<std::string, View> views;
  for (const RegisterName& name : registers) {
    const Register reg = find_register(netlist, name);
    if (name.unit == kTopUnit) {
      of_top.add(name, range_of(reg), fmt::format("{{{}}}", reg.parts));
    } else {
      views[name.unit].add_port(name, reg);
    }
  }
  for (const auto& [unit, memories] : memory_instances(netlist)) {
    (unit == kTopUnit ? of_top : views[unit]).memories += memories;
  }
  std::string instances = of_top.body(), modules = kMemoryView;
  for (const auto& [unit, view] : views) {
    instances += fmt::format("  tsr_{0} u_{0} ({1});\n", unit, view.connections);
    modules += fmt::format("module tsr_{}({});\n{}{}", unit, view.ports, view.body(), kEnd);
  }
  std::string text = netlist;
  text.insert(end, instances);
  text.insert(top + std::string(kTop).size() - 1, fmt::format(" #({}) ", parameters(elaboration)));
  return text + modules;
}

}  // namespace tessera::testbench
