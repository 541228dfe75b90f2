// SPDX-License-Identifier: Apache-2.0
// Reads and writes whole files as text.
#pragma once

#include <filesystem>
#include <string>

namespace tessera::cosim {

// Both throw BuildError with the path.
std::string read_text(const std::filesystem::path& path);
void write_text(const std::filesystem::path& path, const std::string& text);

}  // namespace tessera::cosim
