// SPDX-License-Identifier: Apache-2.0
// Scripts become pictures, where there is gnuplot.
#pragma once

#include <filesystem>
#include <string>

namespace tessera::plot {

// Runs gnuplot on the script; false where there is no gnuplot. Throws std::runtime_error when it fails.
bool draw(const std::filesystem::path& script, const std::string& format, const std::filesystem::path& output);

}  // namespace tessera::plot
