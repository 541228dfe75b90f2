// SPDX-License-Identifier: Apache-2.0
// Reads an input that the user named, which may not be a regular file and may never end.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace tessera {

// The whole contents of a file, a pipe or a device. Empty, with the reason in `problem`, if it cannot be read, is
// longer than `max_bytes`, is a pipe that no process opens for writing, or is a named pipe whose writer stops sending.
std::optional<std::string> read_input_file(const std::filesystem::path& path, std::size_t max_bytes,
                                           std::string& problem);

}  // namespace tessera
