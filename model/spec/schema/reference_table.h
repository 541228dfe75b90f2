// SPDX-License-Identifier: Apache-2.0
// The table of docs/guide/yaml_reference.md that has the keys of a kind of file.
#pragma once

#include <string>

#include "model/spec/file_kind.h"

namespace tessera::spec {

// Markdown, a line a key.
std::string reference_table(FileKind kind);

}  // namespace tessera::spec
