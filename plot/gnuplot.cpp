// SPDX-License-Identifier: Apache-2.0
// A panel has the same size in every figure.
#include "plot/gnuplot.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>

namespace tessera::plot {
namespace {

constexpr const char* kColours[] = {"#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee",
                                    "#aa3377", "#bbbbbb", "#000000", "#994f00", "#004488"};
constexpr int kPanelWidth = 420;
constexpr int kPanelHeight = 350;
constexpr int kLineHeight = 17;
constexpr double kClusterWidth = 0.8;

}  // namespace

std::string quoted(const std::string& text) {
  std::string literal = "'";
  for (const char c : text) literal += c == '\'' ? std::string("''") : std::string(1, c);
  return literal + "'";
}

std::string colour(std::size_t series) { return kColours[series % std::size(kColours)]; }

std::string terminal(std::size_t width, std::size_t height) {
  return fmt::format(
      "if (format eq 'svg') {{ set terminal svg size {0},{1} font 'sans,11' background 'white' }} else "
      "{{ set terminal pngcairo size {0},{1} font 'sans,10' background 'white' }}\n"
      "set output output\n",
      width, height);
}

std::string panels_head(const std::string& name, const std::string& title, std::size_t columns, std::size_t rows,
                        std::size_t more_lines) {
  const std::size_t height = kPanelHeight + kLineHeight * more_lines;
  return fmt::format("# {0}: gnuplot -e \"format='svg'; output='{1}.svg'\" {1}.gp\n", title, name) +
         terminal(kPanelWidth * columns, height * rows + 60) + "set datafile missing '?'\n";
}

std::string multiplot(std::size_t columns, std::size_t rows, const std::string& title) {
  return fmt::format("set multiplot layout {},{} title {} noenhanced\n", rows, columns, quoted(title));
}

std::string data_block(const std::string& name, const std::string& rows) {
  return fmt::format("${} << EOD\n{}EOD\n", name, rows);
}

std::string overlay(const std::vector<std::string>& plots) {
  return fmt::format("plot {}\n", fmt::join(plots, ", \\\n  "));
}

Cluster::Cluster(std::size_t num_series) : width_(kClusterWidth / static_cast<double>(num_series)) {}

double Cluster::shift(std::size_t series) const {
  return (static_cast<double>(series) + 0.5) * width_ - kClusterWidth / 2;
}

}  // namespace tessera::plot
