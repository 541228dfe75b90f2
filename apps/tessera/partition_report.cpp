// SPDX-License-Identifier: Apache-2.0
// Tasks and partitions as tables.
#include "apps/tessera/partition_report.h"

#include <fmt/core.h>

#include "apps/tessera/report_units.h"

namespace tessera::app {
namespace {

using PartitionJson = nlohmann::ordered_json;

// Both tables have six columns.
std::string row_of_six(const std::string& name, const std::string& b, const std::string& c, const std::string& d,
                       const std::string& e, const std::string& f) {
  return fmt::format("  {:<28}{:>12}{:>16}{:>12}{:>12}{:>12}\n", name, b, c, d, e, f);
}

std::string task_rows(const PartitionJson& tasks, const std::string& behind) {
  std::string rows;
  for (const PartitionJson& task : tasks) {
    const PartitionJson& ratio = task.at("response_to_deadline");
    rows += row_of_six(task.at("process").get<std::string>() + behind, task.at("partition").get<std::string>(),
                       fmt::format("{} of {}", task.at("missed").dump(), task.at("jobs").dump()),
                       us_text(task.at("deadline_us")), us_text(task.at("worst_response_us")),
                       ratio.is_null() ? "-" : fmt::format("{:.3f}", ratio.get<double>()));
  }
  return rows;
}

std::string partition_rows(const PartitionJson& partitions) {
  std::string rows;
  for (const PartitionJson& partition : partitions) {
    const PartitionJson& busy = partition.at("busy_share");
    rows +=
        row_of_six(partition.at("name").get<std::string>(), partition.at("num_sms").dump(),
                   busy.is_null() ? "-" : fmt::format("{:.1f} %", 100 * busy.get<double>()),
                   partition.at("kernels").dump(), partition.at("preemptions").dump(), partition.at("missed").dump());
  }
  return rows;
}

// SMs that are no single partition's.
std::string rows_of_sms(const PartitionJson& summary) {
  std::string rows;
  const auto add = [&rows](const char* what, std::size_t num_sms) {
    if (num_sms > 0) rows += fmt::format("  {:<28}{:>12}\n", what, num_sms);
  };
  add("in none, never used", summary.at("sms_in_no_partition").get<std::size_t>());
  if (summary.contains("shared_sms")) add("in several masks", summary.at("shared_sms").size());
  if (!summary.contains("partition_preset")) return rows;
  const PartitionJson& preset = summary.at("partition_preset");
  add("of these in no slice", preset.value("sms_lost_to_rounding", std::size_t{0}));
  if (preset.value("hypothetical", false)) rows += "  slices of a hypothetical GPU: its file lists no such instances\n";
  add("more than percent asks for", preset.value("sms_added_by_rounding", std::size_t{0}));
  return rows;
}

}  // namespace

std::string partition_tables(const nlohmann::ordered_json& summary, const std::string& baseline_name) {
  if (!summary.contains("tasks")) return "";
  std::string tasks = task_rows(summary.at("tasks"), "");
  const PartitionJson& baseline = summary.at("baseline");
  if (!baseline.is_null()) tasks += task_rows(baseline.at("tasks"), " (" + baseline_name + ")");
  std::string text;
  if (!tasks.empty()) text = row_of_six("task", "partition", "missed", "due in", "worst", "of it") + tasks + "\n";
  text += row_of_six("partition", "SMs", "busy", "kernels", "preempted", "missed");
  text += partition_rows(summary.at("partitions"));
  return text + rows_of_sms(summary) + "\n";
}

}  // namespace tessera::app
