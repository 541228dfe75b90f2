// SPDX-License-Identifier: Apache-2.0
// What a diagram shows: marks in panels and series.
#pragma once

#include <string>
#include <vector>

#include "sweep/table.h"

namespace tessera::sweep {

struct Mark {
  std::size_t design = 0;  // which of them
  std::size_t panel = 0;
  std::size_t series = 0;
  stats::Estimate x, y;
  bool is_on_front = true;
};

struct PlotData {
  std::vector<std::string> panels;  // titles; one without a title where there are no facets
  std::vector<std::string> series;
  std::vector<std::string> words;  // of the x axis, where it is one of words: x is a position among them
  std::vector<double> ticks;       // of the x axis, where it is one of numbers
  std::vector<Mark> marks;
};

PlotData plot_data(const Table& table, const std::vector<Design>& designs, const spec::SweepPlot& plot);

std::string label_of_column(const Table& table, const std::string& column);  // "antt", "gates_kge (kGE)"

}  // namespace tessera::sweep
