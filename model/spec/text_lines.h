// SPDX-License-Identifier: Apache-2.0
// A text file of one entry a line, as a list whose entries know where they stand.
// Internal to model/spec.
#pragma once

#include <filesystem>

#include "model/spec/document.h"

namespace tessera::spec {

// Blank lines, and what follows a `#`, are left out. A file that cannot be read, or is no text, is reported at
// `referred_from` under `key`.
Node read_lines(const std::filesystem::path& path, const Location& referred_from, const KeyPath& key, Report& report);

}  // namespace tessera::spec
