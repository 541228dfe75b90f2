// SPDX-License-Identifier: Apache-2.0
// Writes files atomically: a file is complete or absent, even if the process is killed.
#pragma once

#include <filesystem>
#include <string>

namespace tessera {

// The temporary path to which this process writes `path` until it is complete: ".NAME.HOST.PROCESS" beside it.
std::filesystem::path aside_of(const std::filesystem::path& path);

// Whether a path from aside_of() is left over, since its process no longer exists; a process of another host is assumed
// gone after an hour without a change.
bool is_abandoned(const std::filesystem::path& aside);

// Writes `text` to aside_of(`path`) and renames it; `syncs`: only after it is on the disk. Throws std::runtime_error on
// failure, leaving no file behind.
void write_whole(const std::filesystem::path& path, const std::string& text, bool syncs = false);

}  // namespace tessera
