// SPDX-License-Identifier: Apache-2.0
// Reads what the user named, which need not be a file, nor end.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace tessera {

// The whole of a file, a pipe or a device. Nothing, and why in `problem`, where it cannot be read, is longer than
// `max_bytes`, or is a pipe that nobody opens to write to, or a named one whose writer falls silent.
std::optional<std::string> read_input_file(const std::filesystem::path& path, std::size_t max_bytes,
                                           std::string& problem);

}  // namespace tessera
