// SPDX-License-Identifier: Apache-2.0
// Tokens, yields and I/O by process.
#include "apps/tessera/gloop_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/tessera/report_units.h"

namespace tessera::app {

std::string gloop_table(const nlohmann::ordered_json& summary) {
  const auto& processes = summary.at("processes");
  std::size_t width = 12;
  for (const auto& process : processes) width = std::max(width, process.at("name").get<std::string>().size() + 2);
  std::string text;
  for (const auto& process : processes) {
    if (!process.contains("gloop")) continue;
    const auto& gloop = process.at("gloop");
    if (text.empty()) {
      text = fmt::format("  {:{}}{:>10}{:>11}{:>12}{:>12}{:>12}{:>12}{:>8}{:>10}{:>11}\n", "session", width, "launches",
                         "suspended", "token wait", "held", "to yield", "longest", "killed", "I/O", "suspended");
    }
    const auto number = [&gloop](const char* key) { return gloop.at(key).get<std::uint64_t>(); };
    text += fmt::format("  {:{}}{:>10}{:>11}{:>12}{:>12}{:>12}{:>12}{:>8}{:>10}{:>11}\n",
                        process.at("name").get<std::string>(), width, number("launches"), number("suspensions"),
                        us_text(gloop.at("token").at("wait_us").at("mean")), us_text(gloop.at("token").at("held_us")),
                        us_text(gloop.at("yield_delay_us").at("mean")), us_text(gloop.at("yield_delay_us").at("max")),
                        number("killed"), gloop.at("io").at("requests").get<std::uint64_t>(),
                        percent_text(gloop.at("io").at("while_suspended")));
  }
  return text.empty() ? text : text + "\n";
}

}  // namespace tessera::app
