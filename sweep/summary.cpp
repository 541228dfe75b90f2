// SPDX-License-Identifier: Apache-2.0
// Counts, the designs with the columns that the sweep asks for, failures, pictures.
#include "sweep/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tessera::sweep {
namespace {

constexpr std::size_t kMaxRows = 200;
constexpr std::size_t kMaxFailures = 20;

std::string text_of(const stats::Estimate* estimate) {
  if (estimate == nullptr) return "";
  if (estimate->half_width == 0) return fmt::format("{:.4g}", estimate->mean);
  return fmt::format("{:.4g} ± {:.2g}", estimate->mean, estimate->half_width);
}

std::string row_of(const std::vector<std::string>& cells) { return fmt::format("| {} |\n", fmt::join(cells, " | ")); }

std::string designs_table(const Table& table, const std::vector<Design>& designs) {
  const spec::SweepSpec& sweep = table.plan->spec();
  std::vector<std::string> head;
  for (const spec::SweepAxis& axis : sweep.axes) head.push_back(axis.name);
  for (const std::string& metric : sweep.metrics) head.push_back(metric);
  std::string text = row_of(head) + row_of(std::vector<std::string>(head.size(), "---"));
  for (std::size_t i = 0; i < std::min(kMaxRows, designs.size()); ++i) {
    std::vector<std::string> cells = designs[i].labels;
    for (const std::string& metric : sweep.metrics) cells.push_back(text_of(designs[i].find(metric)));
    text += row_of(cells);
  }
  if (designs.size() > kMaxRows) text += fmt::format("\n{} more are in points.csv.\n", designs.size() - kMaxRows);
  return text;
}

std::string failures(const Table& table) {
  std::string text;
  std::size_t number = 0;
  for (const Row& row : table.rows) {
    if (row.is_done() || ++number > kMaxFailures) continue;
    text += fmt::format("- {} ({}{}): {}\n", row.index, fmt::join(row.labels, ", "),
                        row.seed ? fmt::format(", seed {}", *row.seed) : "", row.reason);
  }
  if (number > kMaxFailures) text += fmt::format("- and {} more\n", number - kMaxFailures);
  return text.empty() ? "" : "\n## Failed points\n\n" + text;
}

}  // namespace

std::string summary_markdown(const Table& table, const std::vector<Design>& designs,
                             const std::vector<std::string>& plots) {
  const spec::SweepSpec& sweep = table.plan->spec();
  const std::size_t replicates = std::max<std::size_t>(1, sweep.seeds.size());
  std::string text = fmt::format("# {}\n\n{} of {} points finished, {} of them failed. ", sweep.name, table.rows.size(),
                                 table.plan->points.size(), table.num_failed());
  text += replicates > 1 ? fmt::format("Means over {} seeds, with their 95 % intervals.\n\n", replicates) : "\n\n";
  const std::string note = engines_note(*table.plan);
  if (!note.empty()) text += note + "\n\n";
  text += designs_table(table, designs) + failures(table);
  for (const std::string& plot : plots) text += fmt::format("\n![{0}](plots/{0}.svg)\n", plot);
  return text;
}

}  // namespace tessera::sweep
