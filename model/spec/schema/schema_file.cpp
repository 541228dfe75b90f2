// SPDX-License-Identifier: Apache-2.0
#include "model/spec/schema/schema_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "model/spec/schema/json_schema.h"

namespace tessera::spec {

std::string schema_file_name(FileKind kind) {
  const auto name =
      std::find_if(kFileKinds.begin(), kFileKinds.end(), [kind](const FileKindName& one) { return one.kind == kind; });
  return fmt::format("{}.schema.json", name->word);
}

std::string schema_text(FileKind kind) { return json_schema(kind).dump(1) + '\n'; }

std::string modeline(FileKind kind) {
  return fmt::format("# yaml-language-server: $schema={}\n", schema_file_name(kind));
}

void write_schemas(const std::filesystem::path& folder, std::initializer_list<FileKind> kinds) {
  for (const FileKind kind : kinds) {
    std::ofstream file(folder / schema_file_name(kind), std::ios::binary);
    file << schema_text(kind);
    file.close();
    if (!file) throw std::runtime_error(schema_file_name(kind) + ": cannot be written");
  }
}

}  // namespace tessera::spec
