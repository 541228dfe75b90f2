// SPDX-License-Identifier: Apache-2.0
// Internal to model/spec.
#include "model/spec/text_lines.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "model/base/input_file.h"
#include "model/spec/file_limit.h"

namespace tessera::spec {
namespace {

constexpr const char* kBlanks = " \t\r";

// What is left of a line without comment and blanks around it; nothing: an empty text.
Node entry_of(const std::string& line, Location where) {
  const std::string text = line.substr(0, line.find('#'));
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string::npos) return plain_scalar("", where);
  where.column += static_cast<int>(first);
  return plain_scalar(text.substr(first, text.find_last_not_of(kBlanks) - first + 1), where);
}

}  // namespace

Node read_lines(const std::filesystem::path& path, const Location& referred_from, const KeyPath& key, Report& report) {
  std::string problem;
  const std::optional<std::string> text = read_input_file(path, kMaxFileBytes, problem);
  if (!text) {
    report.add(referred_from, key, std::move(problem), path.string());
    return {};
  }
  Location where{path.string(), 1, 1};
  if (reject_foreign_bytes(*text, where, report)) return {};
  Node list;
  list.kind = Node::Kind::kSequence;
  list.is_file_root = true;
  list.where = where;
  for (std::size_t start = 0; start < text->size(); ++where.line) {
    const std::size_t end = std::min(text->find('\n', start), text->size());
    if (Node entry = entry_of(text->substr(start, end - start), where); !entry.text.empty()) {
      list.children.push_back(std::move(entry));
    }
    start = end + 1;
  }
  return list;
}

}  // namespace tessera::spec
