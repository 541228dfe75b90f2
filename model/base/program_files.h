// SPDX-License-Identifier: Apache-2.0
// Finds files that the program needs at run time, in the source tree or installed.
#pragma once

#include <filesystem>
#include <optional>

namespace tessera {

// The folder that contains `relative`: a parent folder of the program, or share/tessera in one; empty: not found.
std::optional<std::filesystem::path> folder_with(const std::filesystem::path& relative);

}  // namespace tessera
