// SPDX-License-Identifier: Apache-2.0
// The marks of a diagram, with the labels of their designs.
#include "sweep/plot_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "model/record/trace/csv_cell.h"
#include "model/spec/json_text.h"
#include "sweep/plot_data.h"

namespace tessera::sweep {
namespace {

using Cells = std::vector<std::string>;

std::string csv_row(const Cells& cells) { return fmt::format("{}\n", fmt::join(cells, ",")); }

void append_heading(Cells& cells, const std::string& column) {
  cells.push_back(record::csv_cell(column));
  cells.push_back(record::csv_cell(column + "_half_width"));
}

void append_estimate(Cells& cells, const stats::Estimate& estimate) {
  cells.push_back(spec::json_text(nlohmann::ordered_json(estimate.mean)));
  cells.push_back(spec::json_text(nlohmann::ordered_json(estimate.half_width)));
}

}  // namespace

std::string plot_csv(const Table& table, const std::vector<Design>& designs, const spec::SweepPlot& plot) {
  const PlotData data = plot_data(table, designs, plot);
  if (data.marks.empty()) return "";
  const std::vector<spec::SweepAxis>& axes = table.plan->spec().axes;
  const bool is_x_an_axis =
      std::any_of(axes.begin(), axes.end(), [&plot](const spec::SweepAxis& axis) { return axis.name == plot.x; });
  Cells heading;
  for (const spec::SweepAxis& axis : axes) heading.push_back(record::csv_cell(axis.name));
  if (!is_x_an_axis) append_heading(heading, plot.x);
  append_heading(heading, plot.y);
  heading.emplace_back("on_front");
  std::string text = csv_row(heading);
  for (const Mark& mark : data.marks) {
    Cells cells;
    for (const std::string& label : designs[mark.design].labels) cells.push_back(record::csv_cell(label));
    if (!is_x_an_axis) append_estimate(cells, mark.x);
    append_estimate(cells, mark.y);
    cells.emplace_back(!plot.pareto_x ? "" : mark.is_on_front ? "yes" : "no");
    text += csv_row(cells);
  }
  return text;
}

}  // namespace tessera::sweep
