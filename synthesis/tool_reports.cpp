// SPDX-License-Identifier: Apache-2.0
// Line by line, by the words that tell the lines apart.
#include "synthesis/tool_reports.h"

#include <algorithm>
#include <regex>
#include <sstream>

#include "cosim/core_builder.h"

namespace tessera::synthesis {
namespace {

std::string required(const std::string& text, const std::regex& pattern, const char* what) {
  std::smatch match;
  if (!std::regex_search(text, match, pattern)) {
    throw cosim::BuildError(std::string("OpenSTA's report has no ") + what + ":\n" + text);
  }
  return match[1];
}

// What the instance's output Q drives: the register's name. Memories have none, and a name of their own.
std::string register_name(const std::string& instance, const std::string& netlist) {
  const std::size_t at = netlist.find(" " + instance + " (");
  if (at == std::string::npos) return instance;
  const std::size_t end = netlist.find(");\n", at), output = netlist.find(".Q(", at);
  if (output == std::string::npos || output > end) return instance;
  const std::size_t begin = output + 3;
  std::string name = netlist.substr(begin, netlist.find_first_of(" )", begin) - begin);
  if (!name.empty() && name.front() == '\\') name.erase(0, 1);
  return name;
}

// `share` of the period is the path's.
TimedPath slowest_path(const std::string& kind, const std::string& report, const std::string& netlist, double clock_ns,
                       double share) {
  static const std::regex kStart(R"(Startpoint: (\S+))"), kEnd(R"(Endpoint: (\S+))"),
      kSlack(R"(\n\s*(-?[\d.]+)\s+slack )");
  const std::size_t begin = report.find("== " + kind + "\n");
  if (begin == std::string::npos) throw cosim::BuildError("OpenSTA's report has no " + kind + ":\n" + report);
  const std::string section = report.substr(begin, report.find("\n== ", begin) - begin);
  return {register_name(required(section, kStart, "path"), netlist),
          register_name(required(section, kEnd, "path"), netlist),
          clock_ns - std::stod(required(section, kSlack, "slack")) / share};
}

}  // namespace

std::uint64_t ModuleCells::flip_flops() const {
  std::uint64_t count = 0;
  for (const auto& [type, number] : cells) count += type.rfind("DFF", 0) == 0 ? number : 0;
  return count;
}

std::vector<ModuleCells> parse_cells(const std::string& report) {
  static const std::regex kModule(R"(^=== (.*) ===$)"), kCell(R"(^     (\S.*?)\s+(\d+)$)"),
      kArea(R"(^\s+Chip area for module '.*': ([\d.]+)$)");
  std::vector<ModuleCells> modules;
  std::istringstream lines(report);
  std::smatch match;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_match(line, match, kModule)) {
      if (match[1] == "design hierarchy") break;
      modules.push_back({match[1], 0, {}});
    } else if (!modules.empty() && std::regex_match(line, match, kCell)) {
      modules.back().cells[match[1]] = std::stoull(match[2]);
    } else if (!modules.empty() && std::regex_match(line, match, kArea)) {
      modules.back().area_um2 = std::stod(match[1]);
    }
  }
  return modules;
}

const TimedPath& TimedPaths::critical() const {
  const auto is_faster = [](const TimedPath& a, const TimedPath& b) { return a.period_ns < b.period_ns; };
  return std::max(registers, std::max(inputs, outputs, is_faster), is_faster);
}

TimedPaths parse_timing(const std::string& report, const std::string& netlist, double clock_ns) {
  static const std::regex kError(R"((Error: [^\n]*))");
  std::smatch error;
  if (std::regex_search(report, error, kError)) throw cosim::BuildError("OpenSTA: " + error[1].str());
  // A pin's slack grows with the period by what the outside does not take of it.
  return {slowest_path("registers", report, netlist, clock_ns, 1),
          slowest_path("inputs", report, netlist, clock_ns, 1 - kPinShare),
          slowest_path("outputs", report, netlist, clock_ns, 1 - kPinShare)};
}

}  // namespace tessera::synthesis
