// SPDX-License-Identifier: Apache-2.0
// Tokens, yields and I/O by process.
#include "apps/tessera/gloop_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/tessera/report_units.h"

namespace tessera::app {

namespace {

// Nothing where no run was killed.
std::string killed_runs_line(const nlohmann::ordered_json& process) {
  const auto killed = process.at("killed_runs").get<std::uint64_t>();
  if (killed == 0) return "";
  const auto completed = process.at("runs").get<std::uint64_t>();
  const std::string name = process.at("name").get<std::string>();
  if (completed == 0) return fmt::format("  {}: no run completed, {} killed: it has no NTT\n", name, killed);
  return fmt::format("  {}: {} of {} runs killed, they are in no mean\n", name, killed, killed + completed);
}

}  // namespace

std::string gloop_table(const nlohmann::ordered_json& summary) {
  const auto& processes = summary.at("processes");
  std::size_t width = 12;
  for (const auto& process : processes) width = std::max(width, process.at("name").get<std::string>().size() + 2);
  std::string text;
  std::string killed_runs;
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
    killed_runs += killed_runs_line(process);
  }
  return text.empty() ? text : text + killed_runs + "\n";
}

}  // namespace tessera::app
