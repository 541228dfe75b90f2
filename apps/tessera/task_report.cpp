// SPDX-License-Identifier: Apache-2.0
// Suspensions by process, and changes of the run list.
#include "apps/tessera/task_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/tessera/report_units.h"

namespace tessera::app {
namespace {

using TaskJson = nlohmann::ordered_json;

std::string launching_columns(const TaskJson& suspensions) {
  const TaskJson& latency = suspensions.at("suspend_latency_us");
  return fmt::format("{:>10}{:>14}{:>12}{:>12}", suspensions.at("launches").get<std::uint64_t>(),
                     us_text(latency.at("p50")), us_text(latency.at("p95")), us_text(latency.at("p99")));
}

std::string run_list_line(const TaskJson& summary) {
  const TaskJson& driver = summary.at("driver");
  return fmt::format("  the run list changed {} times: {} of CPU time\n",
                     driver.at("run_list_updates").get<std::uint64_t>(), us_text(driver.at("cpu_us")));
}

}  // namespace

std::string suspension_table(const TaskJson& summary) {
  const TaskJson& processes = summary.at("processes");
  if (processes.empty() || !processes.front().contains("suspensions")) return "";
  std::size_t width = 12;
  for (const TaskJson& process : processes) {
    width = std::max(width, process.at("name").get<std::string>().size() + 2);
  }
  const bool has_run_list = summary.at("driver").contains("run_list_updates");
  std::string text = fmt::format("  {:{}}{:>12}{:>12}", "process", width, "suspended", "in all");
  if (!has_run_list) text += fmt::format("{:>10}{:>14}{:>12}{:>12}", "launches", "to stop 50 %", "95 %", "99 %");
  text += "\n";
  for (const TaskJson& process : processes) {
    const TaskJson& suspensions = process.at("suspensions");
    text += fmt::format("  {:{}}{:>12}{:>12}{}\n", process.at("name").get<std::string>(), width,
                        suspensions.at("count").get<std::uint64_t>(), us_text(suspensions.at("suspended_us")),
                        has_run_list ? "" : launching_columns(suspensions));
  }
  return text + (has_run_list ? run_list_line(summary) : "") + "\n";
}

}  // namespace tessera::app
