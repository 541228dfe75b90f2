// SPDX-License-Identifier: Apache-2.0
// Pieces that all our gnuplot scripts are made of. A script stands on its own, so that a reader can draw it his way.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tessera::plot {

// A string of gnuplot, taken literally.
std::string quoted(const std::string& text);

// "#4477aa"; distinguishable for ten series, then again from the first.
std::string colour(std::size_t series);

// What `format` asks for ("svg" or "png"), drawn to `output`: variables that whoever draws the script sets.
std::string terminal(std::size_t width, std::size_t height);

// Panels of one size, `columns` beside each other, and the terminal that has room for them. `more_lines`: of text that
// a panel has room for.
std::string panels_head(const std::string& name, const std::string& title, std::size_t columns, std::size_t rows,
                        std::size_t more_lines = 0);
std::string multiplot(std::size_t columns, std::size_t rows, const std::string& title);

// Data that stand in the script, as `$name`. `rows`: with a line end each.
std::string data_block(const std::string& name, const std::string& rows);

// One diagram of them all, the first below.
std::string overlay(const std::vector<std::string>& plots);

// Bars of several series beside each other, around a whole number of the x axis.
class Cluster {
 public:
  explicit Cluster(std::size_t num_series);

  double width() const { return width_; }  // of a bar
  double shift(std::size_t series) const;  // of its middle

 private:
  double width_;
};

}  // namespace tessera::plot
