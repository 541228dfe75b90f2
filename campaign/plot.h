// SPDX-License-Identifier: Apache-2.0
// A figure as a picture, drawn by gnuplot. The script stands on its own, so that a reader can draw it his way.
#pragma once

#include <filesystem>
#include <string>

#include "campaign/figure.h"

namespace tessera::campaign {

// A gnuplot script with the data in it; it wants the variables `format` ("svg" or "png") and `output` (a path).
// Empty for a figure without a drawing. Bars bear a diamond where the paper prints a value.
std::string plot_script(const Figure& figure);

// Runs gnuplot on the script; false where there is no gnuplot. Throws std::runtime_error when it fails.
bool draw(const std::filesystem::path& script, const std::string& format, const std::filesystem::path& output);

}  // namespace tessera::campaign
