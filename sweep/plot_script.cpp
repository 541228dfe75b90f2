// SPDX-License-Identifier: Apache-2.0
// A block of data for each series of each panel.
#include "sweep/plot_script.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "plot/gnuplot.h"
#include "sweep/plot_data.h"

namespace tessera::sweep {
namespace {

using plot::colour;
using plot::quoted;

constexpr std::size_t kMaxTicks = 12;
constexpr std::size_t kUsualKeyRows = 3;  // that a panel has room for

// The 95 % interval of y.
std::string interval_plot(const std::string& block, const std::string& x, const std::string& shade) {
  return fmt::format("${} using {}:($2-$4):(0):(2*$4) with vectors nohead lw 1.2 lc rgb '{}' notitle", block, x, shade);
}

// What an axis has to show: of all panels, so that they can be compared.
struct Extent {
  Extent(const std::vector<Mark>& marks, stats::Estimate Mark::*value, bool wants_log) {
    for (const Mark& mark : marks) {
      const stats::Estimate& one = mark.*value;
      const double low = one.mean - one.half_width;
      least = std::min(least, low);
      most = std::max(most, one.mean + one.half_width);
      if (one.mean > 0) least_positive = std::min(least_positive, low > 0 ? low : one.mean);
      has_none_positive = has_none_positive || one.mean <= 0;
    }
    is_log = wants_log && most > 0 && least_positive <= most;
  }

  bool lacks_values() const { return is_log && has_none_positive; }

  // With room around.
  std::string range(bool begins_at_zero) const {
    constexpr double kMargin = 0.05;
    if (is_log) return fmt::format("[{}:{}]", least_positive / (1 + 2 * kMargin), most * (1 + 2 * kMargin));
    const double room = most > least ? kMargin * (most - least) : std::max(1.0, kMargin * std::abs(most));
    return fmt::format("[{}:{}]", begins_at_zero ? std::min(0.0, least) : least - room, most + room);
  }

  double least = std::numeric_limits<double>::max();
  double most = std::numeric_limits<double>::lowest();
  double least_positive = std::numeric_limits<double>::max();
  bool has_none_positive = false;
  bool is_log = false;  // asked for, and there is something to show
};

class ScriptWriter {
 public:
  ScriptWriter(const Table& table, const spec::SweepPlot& plot, PlotData data)
      : table_(table),
        plot_(plot),
        data_(std::move(data)),
        x_(data_.marks, &Mark::x, plot.is_log_x && data_.words.empty()),
        y_(data_.marks, &Mark::y, plot.is_log_y) {}

  std::string script() const {
    std::string text = head();
    for (std::size_t panel = 0; panel < data_.panels.size(); ++panel) {
      text += fmt::format("set title {} noenhanced\n", quoted(data_.panels[panel]));
      text += draws_bars() ? bars(panel) : plot_.pareto_x ? scatter(panel) : lines(panel);
    }
    return text + "unset multiplot\n";
  }

 private:
  bool draws_bars() const { return !data_.words.empty() && !plot_.pareto_x; }

  std::string head() const {
    const std::size_t columns = columns_of_panels();
    const std::size_t rows = (data_.panels.size() + columns - 1) / columns;
    const std::string title = plot_.title.empty() ? plot_.name : plot_.title;
    const std::size_t beyond = key_rows() - std::min(key_rows(), kUsualKeyRows);
    std::string text = plot::panels_head(plot_.name, title, columns, rows, beyond);
    text += fmt::format("set xlabel {} noenhanced\nset ylabel {} noenhanced\nset grid lc '#dddddd'\nset key below\n",
                        quoted(axis_label(plot_.x, x_)), quoted(axis_label(plot_.y, y_)));
    text += fmt::format("set style fill solid 0.85 border -1\nset bmargin {}\n", 5 + key_rows());
    if (x_.is_log) text += "set logscale x\n";
    if (y_.is_log) text += "set logscale y\n";
    text += fmt::format("set xrange {}\nset yrange {}\n", x_.range(false), y_.range(!plot_.pareto_x));
    const bool has_ticks = !data_.ticks.empty() && data_.ticks.size() <= kMaxTicks;
    if (has_ticks) text += fmt::format("set xtics ({})\n", fmt::join(data_.ticks, ", "));
    return text + plot::multiplot(columns, rows, title);
  }

  // As wide as two rows of three or four; many panels make a square.
  std::size_t columns_of_panels() const {
    constexpr std::size_t kMaxInTwoRows = 8;
    const std::size_t number = data_.panels.size();
    if (number <= 3) return number;
    return number <= kMaxInTwoRows ? (number + 1) / 2 : static_cast<std::size_t>(std::ceil(std::sqrt(number)));
  }

  std::string axis_label(const std::string& column, const Extent& extent) const {
    return label_of_column(table_, column) + (extent.lacks_values() ? "; 0 is not shown" : "");
  }

  // Lines that the key takes below a panel: names stand beside each other as far as they fit.
  std::size_t key_rows() const {
    constexpr std::size_t kPanelCharacters = 55;
    constexpr std::size_t kSample = 9;
    std::size_t longest = 0;
    for (const std::string& name : data_.series) longest = std::max(longest, name.size() + kSample);
    const std::size_t beside = std::max<std::size_t>(1, kPanelCharacters / std::max<std::size_t>(1, longest));
    return (data_.series.size() + beside - 1) / beside;
  }

  template <typename Keep>
  std::string block(const std::string& name, std::size_t panel, std::size_t series, Keep keep) const {
    std::vector<const Mark*> marks;
    for (const Mark& mark : data_.marks) {
      if (mark.panel == panel && mark.series == series && keep(mark)) marks.push_back(&mark);
    }
    if (marks.empty()) return "";
    std::stable_sort(marks.begin(), marks.end(), [](const Mark* a, const Mark* b) { return a->x.mean < b->x.mean; });
    std::string rows;
    for (const Mark* mark : marks) {
      rows += fmt::format("{} {} {} {}\n", mark->x.mean, mark->y.mean, mark->x.half_width, mark->y.half_width);
    }
    return plot::data_block(name, rows);
  }

  std::string title_of(std::size_t series) const {
    const std::string& name = data_.series[series];
    return name.empty() ? "notitle" : fmt::format("title {} noenhanced", quoted(name));
  }

  std::string lines(std::size_t panel) const {
    std::string text;
    std::vector<std::string> plots;
    for (std::size_t s = 0; s < data_.series.size(); ++s) {
      const std::string name = fmt::format("line{}_{}", panel, s);
      const std::string data = block(name, panel, s, [](const Mark&) { return true; });
      if (data.empty()) continue;
      text += data;
      plots.push_back(
          fmt::format("${} using 1:2 with linespoints pt 7 ps 0.7 lw 2 lc rgb '{}' {}", name, colour(s), title_of(s)));
      plots.push_back(interval_plot(name, "1", colour(s)));
    }
    return text + plot::overlay(plots);
  }

  std::string bars(std::size_t panel) const {
    const plot::Cluster cluster(data_.series.size());
    std::string text;
    std::vector<std::string> plots;
    for (std::size_t s = 0; s < data_.series.size(); ++s) {
      const std::string name = fmt::format("bars{}_{}", panel, s);
      const std::string data = block(name, panel, s, [](const Mark&) { return true; });
      if (data.empty()) continue;
      text += data;
      const double shift = cluster.shift(s);
      plots.push_back(fmt::format("${} using ($1+{:.4f}):2:({:.4f}) with boxes lc rgb '{}' {}", name, shift,
                                  cluster.width(), colour(s), title_of(s)));
      plots.push_back(interval_plot(name, fmt::format("($1+{:.4f})", shift), "#333333"));
    }
    std::vector<std::string> ticks;
    for (std::size_t i = 0; i < data_.words.size(); ++i)
      ticks.push_back(fmt::format("{} {}", quoted(data_.words[i]), i));
    return text +
           fmt::format("set xtics ({}) noenhanced\nset xrange [-0.6:{}]\n", fmt::join(ticks, ", "),
                       static_cast<double>(data_.words.size()) - 0.4) +
           plot::overlay(plots);
  }

  // Dominated points below, the front's line and points above them.
  std::string scatter(std::size_t panel) const {
    constexpr const char* kPale = "#c0";  // mostly transparent
    std::string text = front(panel);
    std::vector<std::string> pale, bright;
    for (std::size_t s = 0; s < data_.series.size(); ++s) {
      for (const bool is_on_front : {false, true}) {
        const std::string name = fmt::format("{}{}_{}", is_on_front ? "best" : "rest", panel, s);
        const std::string data =
            block(name, panel, s, [&](const Mark& mark) { return mark.is_on_front == is_on_front; });
        if (data.empty()) continue;
        text += data;
        const std::string shade = is_on_front ? colour(s) : kPale + colour(s).substr(1);
        auto& plots = is_on_front ? bright : pale;
        plots.push_back(fmt::format("${} using 1:2 with points pt 7 ps {} lc rgb '{}' notitle", name,
                                    is_on_front ? 1.1 : 0.8, shade));
        plots.push_back(interval_plot(name, "1", shade));
        plots.push_back(
            fmt::format("${} using ($1-$3):2:(2*$3):(0) with vectors nohead lw 1.2 lc rgb '{}' notitle", name, shade));
      }
      bright.push_back(fmt::format("NaN with points pt 7 lc rgb '{}' {}", colour(s), title_of(s)));
    }
    pale.push_back(fmt::format("$front{} using 1:2 with lines lw 1.5 lc rgb '#555555' notitle", panel));
    pale.insert(pale.end(), bright.begin(), bright.end());
    return text + plot::overlay(pale);
  }

  std::string front(std::size_t panel) const {
    std::vector<const Mark*> marks;
    for (const Mark& mark : data_.marks) {
      if (mark.panel == panel && mark.is_on_front) marks.push_back(&mark);
    }
    std::sort(marks.begin(), marks.end(), [](const Mark* a, const Mark* b) { return a->x.mean < b->x.mean; });
    std::string rows;
    for (const Mark* mark : marks) rows += fmt::format("{} {}\n", mark->x.mean, mark->y.mean);
    return plot::data_block(fmt::format("front{}", panel), rows);
  }

  const Table& table_;
  const spec::SweepPlot& plot_;
  PlotData data_;
  Extent x_, y_;
};

}  // namespace

std::string plot_script(const Table& table, const std::vector<Design>& designs, const spec::SweepPlot& plot) {
  PlotData data = plot_data(table, designs, plot);
  return data.marks.empty() ? "" : ScriptWriter(table, plot, std::move(data)).script();
}

}  // namespace tessera::sweep
