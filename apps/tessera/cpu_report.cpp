// SPDX-License-Identifier: Apache-2.0
// CPU time and waits for a core, by process.
#include "apps/tessera/cpu_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/tessera/report_units.h"

namespace tessera::app {

std::string cpu_table(const nlohmann::ordered_json& summary) {
  const auto& processes = summary.at("processes");
  std::size_t width = 12;
  for (const auto& process : processes) width = std::max(width, process.at("name").get<std::string>().size() + 2);
  std::string text;
  for (const auto& process : processes) {
    if (!process.contains("cpu")) continue;
    const auto& cpu = process.at("cpu");
    if (text.empty()) {
      text = fmt::format("  {:{}}{:>12}{:>12}{:>16}{:>12}{:>11}\n", "on the CPU", width, "used", "spinning",
                         "waits for core", "longest", "preempted");
    }
    text += fmt::format("  {:{}}{:>12}{:>12}{:>16}{:>12}{:>11}\n", process.at("name").get<std::string>(), width,
                        us_text(cpu.at("used_us")), us_text(cpu.at("spun_us")), us_text(cpu.at("waited_us")),
                        us_text(cpu.at("longest_wait_us")), cpu.at("preemptions").get<std::uint64_t>());
  }
  return text.empty() ? text : text + "\n";
}

}  // namespace tessera::app
