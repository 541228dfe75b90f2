// SPDX-License-Identifier: Apache-2.0
// A file that is there whole or not at all, whenever a process is killed.
#pragma once

#include <filesystem>
#include <string>

namespace tessera {

// Writes `text` beside `path`, as ".NAME.HOST.PROCESS", and renames it; `syncs`: once it is on the disk. Throws
// std::runtime_error, and then leaves nothing.
void write_whole(const std::filesystem::path& path, const std::string& text, bool syncs = false);

}  // namespace tessera
