// SPDX-License-Identifier: Apache-2.0
// A diagram that a sweep file declares, as a gnuplot script with its data in it.
#pragma once

#include <string>
#include <vector>

#include "sweep/table.h"

namespace tessera::sweep {

// Lines over an axis of numbers, bars over one of words, or, with a Pareto front, a point for each design: those that
// another one beats are pale. Values are means over seeds with their 95 % intervals; an axis that is neither x, series,
// facets nor fixed by `where` tells series apart too, so that nothing else is averaged. plot/draw.h draws it. Empty
// where no design has both values.
std::string plot_script(const Table& table, const std::vector<Design>& designs, const spec::SweepPlot& plot);

}  // namespace tessera::sweep
