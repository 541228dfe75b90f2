// SPDX-License-Identifier: Apache-2.0
// Where the built-in configurations are: beside the sources, or installed.
#pragma once

#include <filesystem>

namespace tessera::app {

// The path of a file below configs/, found upwards from the program. Throws std::runtime_error without one.
std::filesystem::path built_in_config(const std::filesystem::path& relative);

}  // namespace tessera::app
