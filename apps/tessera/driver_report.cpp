// SPDX-License-Identifier: Apache-2.0
// Groups, reserves and the driver itself.
#include "apps/tessera/driver_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/tessera/report_units.h"
#include "model/record/trace/csv_cell.h"

namespace tessera::app {
namespace {

using DriverJson = nlohmann::ordered_json;

std::string word_of(const DriverJson& text) { return text.is_string() ? text.get<std::string>() : "-"; }

std::size_t width_of_names(const DriverJson& rows, std::size_t least) {
  for (const DriverJson& row : rows) least = std::max(least, row.at("name").get<std::string>().size() + 2);
  return least;
}

std::string reserve_cell(const DriverJson& gpu) {
  return word_of(gpu.at("reserve")) + (gpu.at("refused").get<bool>() ? " (refused)" : "");
}

std::string group_table(const DriverJson& processes) {
  const std::size_t width = width_of_names(processes, 12);
  std::size_t reserve_width = 9;
  for (const DriverJson& process : processes)
    reserve_width = std::max(reserve_width, reserve_cell(process.at("gpu")).size() + 2);
  std::string text = fmt::format("  {:{}}{:>7}{:>10}{:>{}}{:>9}{:>12}{:>12}{:>12}{:>12}{:>11}\n", "process", width,
                                 "sched", "priority", "reserve", reserve_width, "groups", "GPU time", "mean wait",
                                 "99 %", "longest", "suspended");
  for (const DriverJson& process : processes) {
    const DriverJson& gpu = process.at("gpu");
    const DriverJson& wait = gpu.at("wait_us");
    text +=
        fmt::format("  {:{}}{:>7}{:>10}{:>{}}{:>9}{:>12}{:>12}{:>12}{:>12}{:>11}\n", word_of(process.at("name")), width,
                    word_of(gpu.at("sched")), gpu.at("priority").get<std::uint64_t>(), reserve_cell(gpu), reserve_width,
                    gpu.at("groups").get<std::uint64_t>(), us_text(gpu.at("gpu_time_us")), us_text(wait.at("mean")),
                    us_text(wait.at("p99")), us_text(wait.at("max")), gpu.at("suspensions").get<std::uint64_t>());
  }
  return text;
}

// Groups of which nobody foresees the cost have no line.
std::string prediction_lines(const DriverJson& processes) {
  std::string text;
  for (const DriverJson& process : processes) {
    const DriverJson& prediction = process.at("gpu").at("prediction");
    if (prediction.is_null()) continue;
    text += fmt::format("  predicted {}: {} groups, {} off, {} of them within 20 %\n", word_of(process.at("name")),
                        prediction.at("groups").get<std::uint64_t>(), percent_text(prediction.at("error_share")),
                        percent_text(prediction.at("within_20_percent")));
  }
  return text;
}

std::string reserve_table(const DriverJson& reserves) {
  if (reserves.empty()) return "";
  const std::size_t width = width_of_names(reserves, 12);
  std::string text = fmt::format("  {:{}}{:>7}{:>12}{:>12}{:>12}{:>10}{:>10}{:>12}{:>16}\n", "reserve", width, "", "C",
                                 "T", "used", "of time", "overruns", "worst debt", "most in any T");
  for (const DriverJson& reserve : reserves) {
    text += fmt::format("  {:{}}{:>7}{:>12}{:>12}{:>12}{:>10}{:>10}{:>12}{:>16}\n", word_of(reserve.at("name")), width,
                        reserve.at("apriori").get<bool>() ? "AE" : "PE", us_text(reserve.at("capacity_us")),
                        us_text(reserve.at("period_us")), us_text(reserve.at("used_us")),
                        percent_text(reserve.at("used_share")), reserve.at("overruns").get<std::uint64_t>(),
                        us_text(reserve.at("worst_debt_us")), us_text(reserve.at("worst_window_us")));
  }
  return text;
}

}  // namespace

bool holds_groups(const DriverJson& summary) {
  return summary.contains("driver") && summary.at("driver").at("kind") == "timegraph";
}

std::string driver_tables(const DriverJson& summary) {
  if (!holds_groups(summary)) return "";
  const std::string reserves = reserve_table(summary.at("driver").at("reserves"));
  return group_table(summary.at("processes")) + "\n" + reserves + (reserves.empty() ? "" : "\n");
}

std::string driver_line(const DriverJson& summary) {
  if (!holds_groups(summary)) return "";
  const DriverJson& driver = summary.at("driver");
  std::string causes;
  for (const auto& [cause, count] : driver.at("invocations").items()) {
    if (count == 0) continue;
    causes += fmt::format("{}{} by {}", causes.empty() ? "" : ", ", count.get<std::uint64_t>(), cause);
  }
  return prediction_lines(summary.at("processes")) +
         fmt::format("  driver    {}: {} of CPU time; invoked {}\n", word_of(driver.at("kind")),
                     us_text(driver.at("cpu_us")), causes.empty() ? "never" : causes);
}

std::string driver_columns() {
  return ",sched,driver_priority,reserve,refused,groups,gpu_time_us,suspensions,reserve_used_us,reserve_overruns";
}

std::string driver_cells(const DriverJson& summary, const DriverJson& process) {
  const DriverJson& gpu = process.at("gpu");
  const std::string reserve = gpu.at("reserve").is_null() ? "" : gpu.at("reserve").get<std::string>();
  std::string text = "," + record::csv_cell(gpu.at("sched")) + "," + gpu.at("priority").dump();
  text += "," + record::csv_cell(reserve) + "," + gpu.at("refused").dump();
  for (const char* key : {"groups", "gpu_time_us", "suspensions"}) text += "," + gpu.at(key).dump();
  const DriverJson& reserves = summary.at("driver").at("reserves");
  const auto has_process = [&](const DriverJson& one) {
    const DriverJson& members = one.at("members");
    return std::find(members.begin(), members.end(), process.at("name")) != members.end();
  };
  const auto its = std::find_if(reserves.begin(), reserves.end(), has_process);
  if (its == reserves.end()) return text + ",,";
  return text + "," + its->at("used_us").dump() + "," + its->at("overruns").dump();
}

}  // namespace tessera::app
