// SPDX-License-Identifier: Apache-2.0
// A file that is there whole or not at all, whenever a process is killed.
#pragma once

#include <filesystem>
#include <string>

namespace tessera {

// Where this process writes `path` until it is whole: ".NAME.HOST.PROCESS" beside it.
std::filesystem::path aside_of(const std::filesystem::path& path);

// Of a path as aside_of() makes them: nobody will rename it any more, since its process is gone; that of another host
// is taken for gone after an hour without a change.
bool is_abandoned(const std::filesystem::path& aside);

// Writes `text` to aside_of(`path`) and renames it; `syncs`: once it is on the disk. Throws
// std::runtime_error, and then leaves nothing.
void write_whole(const std::filesystem::path& path, const std::string& text, bool syncs = false);

}  // namespace tessera
