// SPDX-License-Identifier: Apache-2.0
// The cache of built cores. Each entry has its own folder, named by a fingerprint of its inputs; its result appears
// there atomically.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace tessera::cosim {

// The name of an entry, from a text with all of its inputs.
std::string fingerprint(const std::string& text);

// The path of `result` in the entry `key`. If it does not exist, calls `build` with an empty folder in which to create
// it; other processes that want the same entry wait. Leftovers of interrupted builds are removed.
std::filesystem::path cached(const std::string& key, const std::string& result,
                             const std::function<void(const std::filesystem::path& folder)>& build);

}  // namespace tessera::cosim
