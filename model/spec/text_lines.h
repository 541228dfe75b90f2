// SPDX-License-Identifier: Apache-2.0
// Reads a text file with one entry per line as a list with the location of each entry.
// Internal to model/spec.
#pragma once

#include <filesystem>

#include "model/spec/document.h"

namespace tessera::spec {

// Blank lines and text after a `#` are skipped. A file that cannot be read, or is not text, is reported at
// `referred_from` under `key`.
Node read_lines(const std::filesystem::path& path, const Location& referred_from, const KeyPath& key, Report& report);

}  // namespace tessera::spec
