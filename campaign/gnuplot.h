// SPDX-License-Identifier: Apache-2.0
// What all our gnuplot scripts begin with, and how they write texts and colours.
#pragma once

#include <cstddef>
#include <string>

namespace tessera::campaign {

// A string of gnuplot, taken literally.
std::string quoted(const std::string& text);

// "#4477aa"; distinguishable for ten series, then again from the first.
std::string colour(std::size_t series);

// The terminal of a multiplot, and how to draw it. The script wants the variables `format` and `output`. `more_lines`:
// of text that a panel has room for.
std::string gnuplot_head(const std::string& name, const std::string& title, std::size_t columns, std::size_t rows,
                         std::size_t more_lines = 0);

}  // namespace tessera::campaign
