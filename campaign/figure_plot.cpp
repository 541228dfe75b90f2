// SPDX-License-Identifier: Apache-2.0
// One multiplot a figure, one plot a panel.
#include "campaign/figure_plot.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "plot/gnuplot.h"

namespace tessera::campaign {
namespace {

using plot::colour;
using plot::quoted;

// Different texts in the order in which they first come.
template <class Items, class Text>
std::vector<std::string> distinct(const Items& items, Text text) {
  std::vector<std::string> found;
  for (const auto& item : items) {
    std::string one = text(item);
    if (std::find(found.begin(), found.end(), one) == found.end()) found.push_back(std::move(one));
  }
  return found;
}

const Value* find(const Figure& figure, const std::string& panel, const std::string& series,
                  const std::string& cluster) {
  for (const Value& value : figure.values) {
    if (value.panel == panel && value.series == series && value.cluster() == cluster) return &value;
  }
  return nullptr;
}

std::string head(const Figure& figure, std::size_t num_panels) {
  constexpr std::size_t kWide = 2;  // panels
  const std::size_t columns = figure.is_wide ? 1 : num_panels <= 3 ? num_panels : (num_panels + 1) / 2;
  const std::size_t rows = (num_panels + columns - 1) / columns;
  return plot::panels_head(figure.name, figure.title, figure.is_wide ? kWide : columns, rows) +
         fmt::format(
             "set style fill solid 0.85 border -1\nset grid ytics lc '#dddddd'\n"
             "set ylabel {} noenhanced\nset xlabel {} noenhanced\nset bmargin 8\n",
             quoted(figure.y_label), quoted(figure.x_label)) +
         plot::multiplot(columns, rows, figure.name + ": " + figure.title);
}

// ---- bars ------------------------------------------------------------------------------------------------------

// A row a cluster: its name, then ours, half-width and paper's of every series.
std::string bar_data(const Figure& figure, const std::string& panel, const std::vector<std::string>& series,
                     const std::vector<std::string>& clusters, std::size_t block) {
  std::string data;
  for (const std::string& cluster : clusters) {
    data += fmt::format("\"{}\"", cluster);
    for (const std::string& one : series) {
      const Value* const value = find(figure, panel, one, cluster);
      if (value == nullptr) {
        data += " ? ? ?";
        continue;
      }
      data += fmt::format(" {} {} {}", value->ours.mean, value->ours.half_width,
                          value->paper ? fmt::format("{}", *value->paper) : "?");
    }
    data += "\n";
  }
  return plot::data_block(fmt::format("panel{}", block), data);
}

bool has_paper(const std::vector<Value>& values, const std::string& series) {
  return std::any_of(values.begin(), values.end(),
                     [&](const Value& value) { return value.series == series && value.paper.has_value(); });
}

std::string bar_plot(const std::vector<Value>& values, const std::vector<std::string>& series, std::size_t block) {
  const plot::Cluster cluster(series.size());
  std::vector<std::string> plots;
  std::vector<std::string> marks;  // on top of all bars
  for (std::size_t s = 0; s < series.size(); ++s) {
    const std::string x = fmt::format("($0+{:.4f})", cluster.shift(s));
    const std::size_t ours = 2 + 3 * s;
    plots.push_back(fmt::format("$panel{} using {}:{}:({:.4f}){} with boxes lc rgb '{}' title {} noenhanced", block, x,
                                ours, cluster.width(), s == 0 ? ":xtic(1)" : "", colour(s), quoted(series[s])));
    plots.push_back(fmt::format(
        "$panel{0} using {1}:(column({2})-column({3})):(0):(2*column({3})) with vectors nohead lw 1.5 lc rgb "
        "'#555555' notitle",
        block, x, ours, ours + 1));
    if (!has_paper(values, series[s])) continue;
    marks.push_back(fmt::format("$panel{} using {}:{} with points pt 13 ps 1.1 lc rgb 'black' {}", block, x, ours + 2,
                                marks.empty() ? "title 'paper'" : "notitle"));
    marks.push_back(
        fmt::format("$panel{0} using {1}:{2}:(valid({2}) ? sprintf('%g', column({2})) : '') with labels "
                    "offset 0,0.8 font ',8' notitle",
                    block, x, ours + 2));
  }
  plots.insert(plots.end(), marks.begin(), marks.end());
  return plot::overlay(plots);
}

// Room for all bars and marks; intervals may be cut.
double top_of(const std::vector<Value>& values) {
  double top = 0;
  for (const Value& value : values) top = std::max({top, value.ours.mean, value.paper.value_or(0)});
  constexpr double kMargin = 1.2;
  return kMargin * top;
}

std::string bars(const Figure& figure) {
  const auto panels = distinct(figure.values, [](const Value& value) { return value.panel; });
  const auto clusters = distinct(figure.values, [](const Value& value) { return value.cluster(); });
  std::string script = head(figure, panels.size()) + "set key below\n";
  if (figure.is_wide) script += "set xtics rotate by -30\n";
  for (std::size_t i = 0; i < panels.size(); ++i) {
    std::vector<Value> of_panel;
    std::copy_if(figure.values.begin(), figure.values.end(), std::back_inserter(of_panel),
                 [&](const Value& value) { return value.panel == panels[i]; });
    const auto series = distinct(of_panel, [](const Value& value) { return value.series; });
    script += bar_data(figure, panels[i], series, clusters, i);
    script += fmt::format("set title {} noenhanced\nset xrange [-0.6:{}]\nset yrange [0:{}]\n", quoted(panels[i]),
                          static_cast<double>(clusters.size()) - 0.4, top_of(of_panel));
    script += bar_plot(of_panel, series, i);
  }
  return script + "unset multiplot\n";
}

// ---- stacked bars ------------------------------------------------------------------------------------------------

std::string stacked_bars(const Figure& figure) {
  const auto panels = distinct(figure.values, [](const Value& value) { return value.panel; });
  std::string script = head(figure, panels.size());
  for (std::size_t i = 0; i < panels.size(); ++i) {
    std::vector<Value> of_panel;
    std::copy_if(figure.values.begin(), figure.values.end(), std::back_inserter(of_panel),
                 [&](const Value& value) { return value.panel == panels[i]; });
    const auto series = distinct(of_panel, [](const Value& value) { return value.series; });
    const auto clusters = distinct(of_panel, [](const Value& value) { return value.cluster(); });
    script += bar_data(figure, panels[i], series, clusters, i);
    script += fmt::format(
        "set title {} noenhanced\nset style data histograms\nset style histogram rowstacked\n"
        "set boxwidth 0.7\nset xtics rotate by -40\nset yrange [0:*]\nset key outside right\nplot ",
        quoted(panels[i]));
    for (std::size_t s = 0; s < series.size(); ++s) {
      script += fmt::format("{}$panel{} using {}{} lc rgb '{}' title {} noenhanced", s == 0 ? "" : ", ", i, 2 + 3 * s,
                            s == 0 ? ":xtic(1)" : "", colour(s), quoted(series[s]));
    }
    script += "\n";
  }
  return script + "unset multiplot\n";
}

// ---- curves, timelines -------------------------------------------------------------------------------------------

std::string curves(const Figure& figure) {
  const auto panels = distinct(figure.curves, [](const Curve& curve) { return curve.panel; });
  const auto series = distinct(figure.curves, [](const Curve& curve) { return curve.series; });
  std::string script = head(figure, panels.size());
  for (std::size_t i = 0; i < figure.curves.size(); ++i) {
    std::string rows;
    for (const Point& point : figure.curves[i].points) rows += fmt::format("{} {}\n", point.x, point.y);
    script += plot::data_block(fmt::format("curve{}", i), rows);
  }
  if (!figure.log_axes.empty()) script += fmt::format("set logscale {}\n", figure.log_axes);
  constexpr std::size_t kUsualLines = 5;  // of the key, for which the head leaves room
  if (series.size() > kUsualLines && figure.log_axes.empty())
    script += fmt::format("set bmargin {}\n", series.size() + 4);
  script += "set key below\n";
  const bool has_decades = figure.log_axes != "y";
  const char* const style =
      has_decades ? "linespoints pt 7 ps 0.6" : "lines";  // decades, and what needs none, are few points
  for (const std::string& panel : panels) {
    std::string plots;
    for (std::size_t i = 0; i < figure.curves.size(); ++i) {
      const Curve& curve = figure.curves[i];
      if (curve.panel != panel) continue;
      const auto index = std::find(series.begin(), series.end(), curve.series) - series.begin();
      plots += fmt::format("{}$curve{} using 1:2 with {} lw 2 lc rgb '{}' title {} noenhanced",
                           plots.empty() ? "plot " : ", ", i, style, colour(static_cast<std::size_t>(index)),
                           quoted(curve.series));
    }
    script += fmt::format("set title {} noenhanced\n{}\n", quoted(panel), plots);
  }
  return script + "unset multiplot\n";
}

std::string timelines(const Figure& figure) {
  const auto panels = distinct(figure.slices, [](const Slice& slice) { return slice.panel; });
  const auto rows = distinct(figure.slices, [](const Slice& slice) { return slice.row; });
  const auto series = distinct(figure.slices, [](const Slice& slice) { return slice.series; });
  double end = 0;
  for (const Slice& slice : figure.slices) end = std::max(end, slice.end);
  std::string script = head(figure, panels.size());
  script += fmt::format(
      "set xrange [0:{}]\nset yrange [-0.6:{}] reverse\nset key below\nset style fill solid 0.85 noborder\nset ytics (",
      end, static_cast<double>(rows.size()) - 0.4);
  for (std::size_t i = 0; i < rows.size(); ++i)
    script += fmt::format("{}{} {}", i == 0 ? "" : ", ", quoted(rows[i]), i);
  script += ")\n";
  for (std::size_t p = 0; p < panels.size(); ++p) {
    std::string plots;
    for (std::size_t s = 0; s < series.size(); ++s) {
      std::string data;
      for (const Slice& slice : figure.slices) {
        if (slice.panel != panels[p] || slice.series != series[s]) continue;
        const auto row = std::find(rows.begin(), rows.end(), slice.row) - rows.begin();
        data += fmt::format("{} {} {} {} {} {}\n", (slice.begin + slice.end) / 2, row, slice.begin, slice.end,
                            static_cast<double>(row) - 0.4, static_cast<double>(row) + 0.4);
      }
      if (data.empty()) continue;
      script += plot::data_block(fmt::format("slices{}_{}", p, s), data);
      plots += fmt::format("{}$slices{}_{} using 1:2:3:4:5:6 with boxxyerror lc rgb '{}' title {} noenhanced",
                           plots.empty() ? "plot " : ", ", p, s, colour(s), quoted(series[s]));
    }
    script += fmt::format("set title {} noenhanced\n{}\n", quoted(panels[p]), plots);
  }
  return script + "unset multiplot\n";
}

}  // namespace

std::string plot_script(const Figure& figure) {
  const bool is_empty = figure.drawing == Drawing::kCurves     ? figure.curves.empty()
                        : figure.drawing == Drawing::kTimeline ? figure.slices.empty()
                                                               : figure.values.empty();
  if (is_empty) return {};
  switch (figure.drawing) {
    case Drawing::kBars:
      return bars(figure);
    case Drawing::kStackedBars:
      return stacked_bars(figure);
    case Drawing::kCurves:
      return curves(figure);
    case Drawing::kTimeline:
      return timelines(figure);
    case Drawing::kNone:
      break;
  }
  return {};
}

}  // namespace tessera::campaign
