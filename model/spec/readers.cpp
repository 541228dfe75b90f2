// SPDX-License-Identifier: Apache-2.0
// What the readers of all kinds of file share.
// Internal to model/spec.
#include "model/spec/readers.h"

#include <fmt/core.h>

#include <map>
#include <string_view>

namespace tessera::spec {

void read_schema_version(MappingReader& reader, const Node& node, Meaning meaning) {
  std::uint32_t version = 1;
  reader.read("schema_version", node.is_file_root ? Presence::kRequired : Presence::kOptional, version, Number{1, 1},
              meaning);
}

void reject_duplicate_names(const std::vector<Node>& entries, const KeyPath& path, Report& report) {
  std::map<std::string_view, int> line_of;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Node* name = entries[i].find("name");
    if (name == nullptr || name->kind != Node::Kind::kScalar) continue;
    const auto [first, is_new] = line_of.emplace(name->text, name->where.line);
    if (is_new) continue;
    report.add(name->where, path / i / "name", "duplicate name", name->text,
               fmt::format("first in line {}", first->second));
  }
}

KeyPath path_within(const Node& node, const KeyPath& path) { return node.is_file_root ? path.at_file_root() : path; }

}  // namespace tessera::spec
