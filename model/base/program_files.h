// SPDX-License-Identifier: Apache-2.0
// Files that the program needs at run time: beside the sources, or installed.
#pragma once

#include <filesystem>
#include <optional>

namespace tessera {

// The folder that holds `relative`: one above the program, or share/tessera in one above it; none: there is no such.
std::optional<std::filesystem::path> folder_with(const std::filesystem::path& relative);

}  // namespace tessera
