// SPDX-License-Identifier: Apache-2.0
// A YAML document as a plain tree with the source location of every node and key.
// Built from yaml-cpp's events, since its own nodes keep duplicate keys silently. Internal to model/spec.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "model/spec/report.h"

namespace tessera::spec {

struct Node {
  enum class Kind {
    kInvalid,  // already reported, or absent: readers report nothing
    kNull,
    kScalar,
    kSequence,
    kMapping,
  };
  Kind kind = Kind::kInvalid;
  bool is_plain = false;      // scalar: written without quotes
  bool is_file_root = false;  // root of a file
  bool is_override = false;   // set by `--set` or an axis, including all within it
  Location where;             // of an empty value: its key
  std::string text;           // scalar
  std::string key;            // of this node in the mapping that holds it
  Location key_where;
  std::vector<Node> children;  // of a sequence or a mapping, as written; keys of a mapping are unique

  const Node* find(std::string_view name) const;
  Node* find(std::string_view name);

  // Becomes `other` and keeps its own key.
  void replace_content(Node other);
};

// A generated value: a number of a range, a seed.
Node plain_scalar(std::string text, const Location& where);

// False if a part of it was already reported, so that a value read from it is not the user's.
bool is_sound(const Node& node);

// The node's content for a message: the text of a scalar, or "a mapping", "a list", "nothing".
std::string describe(const Node& node);

// Reports the first control character or byte that is not UTF-8; returns false if there is none.
bool reject_foreign_bytes(const std::string& text, const Location& start, Report& report);

// Parses one document that starts at `start`. Syntax errors, duplicate keys, keys that are not words, aliases, tags,
// non-text bytes, too deep nesting and a second document are reported; the rest of the tree stays usable.
Node parse_document(std::string text, const Location& start, Report& report);

// Reads and parses a file. One that cannot be read is reported at `referred_from` under `key`.
Node read_document(const std::filesystem::path& path, const Location& referred_from, const KeyPath& key,
                   Report& report);

}  // namespace tessera::spec
