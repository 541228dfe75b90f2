// SPDX-License-Identifier: Apache-2.0
// A diagram that a sweep file declares, as a table for whoever draws it otherwise.
#pragma once

#include <string>
#include <vector>

#include "sweep/table.h"

namespace tessera::sweep {

// A row for each design that the diagram shows: its value of each axis, x (unless that is an axis) and y, each with the
// half width of its 95 % interval, and `on_front` (yes, no; empty where the diagram asks for no front). Empty where no
// design has both values.
std::string plot_csv(const Table& table, const std::vector<Design>& designs, const spec::SweepPlot& plot);

}  // namespace tessera::sweep
