// SPDX-License-Identifier: Apache-2.0
// Schemas as files, and the line by which a YAML file names its own: editors look for it.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>

#include "model/spec/file_kind.h"

namespace tessera::spec {

std::string schema_file_name(FileKind kind);  // gpu.schema.json
std::string schema_text(FileKind kind);
// Of a file beside its schema; with its end of line.
std::string modeline(FileKind kind);
void write_schemas(const std::filesystem::path& folder, std::initializer_list<FileKind> kinds);

}  // namespace tessera::spec
