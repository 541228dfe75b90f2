// SPDX-License-Identifier: Apache-2.0
// Picks designs, and puts each in its panel and series.
#include "sweep/plot_data.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "stats/pareto.h"

namespace tessera::sweep {
namespace {

std::optional<double> number_in(const std::string& text) {
  double number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() && std::isfinite(number);
  return is_whole ? std::optional(number) : std::nullopt;
}

std::size_t index_in(std::vector<std::string>& texts, const std::string& text) {
  const auto found = std::find(texts.begin(), texts.end(), text);
  const auto index = static_cast<std::size_t>(found - texts.begin());
  if (found == texts.end()) texts.push_back(text);
  return index;
}

double cost(double value, spec::Better better) { return better == spec::Better::kMin ? value : -value; }

class PlotBuilder {
 public:
  PlotBuilder(const Table& table, const spec::SweepPlot& plot) : axes_(table.plan->spec().axes), plot_(plot) {
    x_axis_ = axis(plot.x);
    if (x_axis_ < axes_.size()) note_ticks(axes_[x_axis_].labels);
  }

  void add(std::size_t index, const Design& design) {
    if (!is_shown(design)) return;
    const stats::Estimate* const y = design.find(plot_.y);
    const stats::Estimate* const x = design.find(plot_.x);
    if (y == nullptr || (x_axis_ == axes_.size() && x == nullptr)) return;
    Mark mark;
    mark.design = index;
    mark.panel = index_in(data_.panels, name_of(design, plot_.facets));
    mark.series = index_in(data_.series, series_of(design));
    mark.y = *y;
    mark.x = x_axis_ < axes_.size() ? position_of(design.labels[x_axis_]) : *x;
    data_.marks.push_back(mark);
  }

  PlotData take() {
    if (plot_.pareto_x) find_fronts();
    return std::move(data_);
  }

 private:
  std::size_t axis(const std::string& name) const {
    const auto found =
        std::find_if(axes_.begin(), axes_.end(), [&](const spec::SweepAxis& one) { return one.name == name; });
    return static_cast<std::size_t>(found - axes_.begin());
  }

  void note_ticks(const std::vector<std::string>& labels) {
    const bool is_numbers = std::all_of(labels.begin(), labels.end(),
                                        [](const std::string& label) { return number_in(label).has_value(); });
    if (!is_numbers) data_.words = labels;
    for (const std::string& label : labels) data_.ticks.push_back(number_in(label).value_or(0));
    if (!is_numbers) data_.ticks.clear();
  }

  stats::Estimate position_of(const std::string& label) const {
    if (data_.words.empty()) return {number_in(label).value_or(0), 0, 1};
    const auto found = std::find(data_.words.begin(), data_.words.end(), label);
    return {static_cast<double>(found - data_.words.begin()), 0, 1};
  }

  bool is_shown(const Design& design) const {
    return std::all_of(plot_.where.begin(), plot_.where.end(), [&](const auto& condition) {
      return design.labels.at(axis(condition.first)) == condition.second;
    });
  }

  std::string name_of(const Design& design, const std::string& axis_name) const {
    if (axis_name.empty()) return "";
    return axis_name + " " + design.labels.at(axis(axis_name));
  }

  // With a Pareto front each design is a point of its own, and needs no line that tells it from others.
  std::string series_of(const Design& design) const {
    std::string series;
    if (!plot_.series.empty()) {
      const std::string& label = design.labels.at(axis(plot_.series));
      series = number_in(label) ? name_of(design, plot_.series) : label;
    }
    for (std::size_t i = 0; i < axes_.size() && !plot_.pareto_x; ++i) {
      const std::string& name = axes_[i].name;
      const bool is_used = i == x_axis_ || name == plot_.series || name == plot_.facets || plot_.where.count(name) > 0;
      if (!is_used && axes_[i].labels.size() > 1)
        series += (series.empty() ? "" : ", ") + name + " " + design.labels[i];
    }
    return series;
  }

  void find_fronts() {
    for (std::size_t panel = 0; panel < data_.panels.size(); ++panel) {
      std::vector<Mark*> marks;
      std::vector<stats::ParetoPoint> points;
      for (Mark& mark : data_.marks) {
        if (mark.panel != panel) continue;
        marks.push_back(&mark);
        points.push_back({cost(mark.x.mean, *plot_.pareto_x), cost(mark.y.mean, *plot_.pareto_y)});
      }
      const std::vector<bool> front = stats::pareto_front(points);
      for (std::size_t i = 0; i < marks.size(); ++i) marks[i]->is_on_front = front[i];
    }
  }

  const std::vector<spec::SweepAxis>& axes_;
  const spec::SweepPlot& plot_;
  std::size_t x_axis_;
  PlotData data_;
};

}  // namespace

PlotData plot_data(const Table& table, const std::vector<Design>& designs, const spec::SweepPlot& plot) {
  PlotBuilder builder(table, plot);
  for (std::size_t i = 0; i < designs.size(); ++i) builder.add(i, designs[i]);
  return builder.take();
}

std::string label_of_column(const Table& table, const std::string& column) {
  for (const Column& one : table.columns) {
    if (one.name == column && !one.unit.empty()) return column + " (" + one.unit + ")";
  }
  return column;
}

}  // namespace tessera::sweep
