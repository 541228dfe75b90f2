// SPDX-License-Identifier: Apache-2.0
// A figure as a picture, drawn by gnuplot.
#pragma once

#include <string>

#include "campaign/figure.h"

namespace tessera::campaign {

// A gnuplot script with the data in it; plot/draw.h draws it.
// Empty for a figure without a drawing. Bars bear a diamond where the paper prints a value.
std::string plot_script(const Figure& figure);

}  // namespace tessera::campaign
