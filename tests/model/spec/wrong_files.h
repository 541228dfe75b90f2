// SPDX-License-Identifier: Apache-2.0
// The wrong files of these tests, for another test to hold the JSON Schemas against (tests/schema).
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "model/spec/diagnostics.h"
#include "model/spec/document.h"
#include "model/spec/file_kind.h"

namespace tessera::spec::test {

// Into the folder that TESSERA_WRONG_FILES names, if it does: each file that has mistakes, with its kind and these as
// comments behind it.
inline void keep_wrong_files(const std::vector<Diagnostic>& mistakes) {
  const char* const folder = std::getenv("TESSERA_WRONG_FILES");
  if (folder == nullptr) return;
  std::map<std::string, std::string> comments;  // by file
  for (const Diagnostic& mistake : mistakes) {
    if (std::filesystem::is_regular_file(mistake.file))
      comments[mistake.file] += "\n# mistake: " + mistake.key + ": " + mistake.problem;
  }
  static int number = 0;
  for (const auto& [file, comment] : comments) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    Report ignored;
    const std::vector<FileKind> kinds = likely_kinds(parse_document(text.str(), {file, 1, 1}, ignored));
    if (kinds.size() != 1) continue;  // an editor does not know either
    std::string kind;
    for (const FileKindName& name : kFileKinds) {
      if (name.kind == kinds[0]) kind = name.word;
    }
    std::ofstream(std::filesystem::path(folder) / (std::to_string(number++) + "." + kind), std::ios::binary)
        << text.str() << comment << '\n';
  }
}

}  // namespace tessera::spec::test
