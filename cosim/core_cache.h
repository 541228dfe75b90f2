// SPDX-License-Identifier: Apache-2.0
// The folder of what was built. Each entry has a folder of its own, named by what went into it; its result appears in
// there at once and complete.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace tessera::cosim {

// A name for an entry, from all that makes a difference to it.
std::string fingerprint(const std::string& text);

// The path of `result` in the entry `key`. If it is not there yet `build` is called, with an empty folder to leave it
// in; other processes that ask for the same wait. What an interrupted build left is removed.
std::filesystem::path cached(const std::string& key, const std::string& result,
                             const std::function<void(const std::filesystem::path& folder)>& build);

}  // namespace tessera::cosim
