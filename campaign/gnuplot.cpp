// SPDX-License-Identifier: Apache-2.0
// A panel has the same size in every figure.
#include "campaign/gnuplot.h"

#include <fmt/format.h>

#include <iterator>

namespace tessera::campaign {
namespace {

constexpr const char* kColours[] = {"#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee",
                                    "#aa3377", "#bbbbbb", "#000000", "#994f00", "#004488"};
constexpr int kPanelWidth = 420;
constexpr int kPanelHeight = 350;
constexpr int kLineHeight = 17;

}  // namespace

std::string quoted(const std::string& text) {
  std::string literal = "'";
  for (const char c : text) literal += c == '\'' ? std::string("''") : std::string(1, c);
  return literal + "'";
}

std::string colour(std::size_t series) { return kColours[series % std::size(kColours)]; }

std::string gnuplot_head(const std::string& name, const std::string& title, std::size_t columns, std::size_t rows,
                         std::size_t more_lines) {
  const std::size_t height = kPanelHeight + kLineHeight * more_lines;
  const std::string size = fmt::format("{},{}", kPanelWidth * columns, height * rows + 60);
  return fmt::format(
      "# {0}: gnuplot -e \"format='svg'; output='{1}.svg'\" {1}.gp\n"
      "if (format eq 'svg') {{ set terminal svg size {2} font 'sans,11' background 'white' }} else "
      "{{ set terminal pngcairo size {2} font 'sans,10' background 'white' }}\n"
      "set output output\nset datafile missing '?'\n",
      title, name, size);
}

}  // namespace tessera::campaign
