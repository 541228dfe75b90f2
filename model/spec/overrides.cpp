// SPDX-License-Identifier: Apache-2.0
// Parses overrides and grafts their values into a tree.
// Internal to model/spec.
#include "model/spec/overrides.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace tessera::spec {
namespace {

Location at_column(const Location& start, int column) { return {start.file, start.line, start.column + column - 1}; }

Location at_column(int column) { return at_column({std::string(kSetFile), 1, 1}, column); }

KeyPath path_of(const std::string& text) { return {text, text}; }

std::optional<Override> parse_override(const std::string& text, Report& report) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) {
    report.add(at_column(1), {}, "is not an override", text, "key.key=value");
    return std::nullopt;
  }
  if (reject_foreign_bytes(text, at_column(1), report)) return std::nullopt;
  Override parsed;
  auto path = parse_path(text.substr(0, equals), parsed.where, report);
  if (!path) return std::nullopt;
  parsed.path = std::move(*path);
  const std::size_t before = report.size();
  parsed.value = parse_document(text.substr(equals + 1), at_column(static_cast<int>(equals) + 2), report);
  if (report.size() != before) return std::nullopt;
  return parsed;
}

Node* entry_of_list(Node& list, const Override::Segment& segment, const Location& where, const KeyPath& path,
                    Report& report) {
  std::size_t position = 0;
  const char* const end = segment.key.data() + segment.key.size();
  const auto parsed = std::from_chars(segment.key.data(), end, position);
  const bool is_plain = segment.key.size() == 1 || segment.key[0] != '0';  // one way to write it
  const bool is_entry = parsed.ec == std::errc() && parsed.ptr == end && is_plain && position < list.children.size();
  if (is_entry) return &list.children[position];
  report.add(where, path, "no such entry of the list", segment.key,
             list.children.empty() ? "it is empty" : fmt::format("0 .. {}", list.children.size() - 1));
  return nullptr;
}

// The node under `segment`, created where it is absent; none where something else stands in the way.
Node* descend(Node& node, const Override::Segment& segment, const Location& where, const KeyPath& path,
              Report& report) {
  if (node.kind == Node::Kind::kInvalid) return nullptr;  // reported already
  if (node.kind == Node::Kind::kSequence) return entry_of_list(node, segment, where, path, report);
  if (node.kind == Node::Kind::kScalar) {
    report.add(where, path, "what it is to be set in is a plain value", node.text, "a mapping");
    return nullptr;
  }
  node.kind = Node::Kind::kMapping;
  if (Node* found = node.find(segment.key)) return found;
  Node& created = node.children.emplace_back();
  created.kind = Node::Kind::kNull;
  created.where = created.key_where = where;
  created.key = segment.key;
  return &created;
}

void mark_as_override(Node& node) {
  node.is_override = true;
  for (Node& child : node.children) mark_as_override(child);
}

}  // namespace

std::optional<std::vector<Override::Segment>> parse_path(const std::string& keys, const Location& where,
                                                         Report& report) {
  std::vector<Override::Segment> path;
  for (std::size_t begin = 0; begin <= keys.size();) {
    const std::size_t end = std::min(keys.find('.', begin), keys.size());
    const int column = static_cast<int>(begin) + 1;
    if (begin == end) {
      report.add(at_column(where, column), path_of(keys), "has an empty key", keys, "key.key");
      return std::nullopt;
    }
    path.push_back({keys.substr(begin, end - begin), column});
    begin = end + 1;
  }
  return path;
}

std::vector<Override> parse_overrides(const std::vector<std::string>& texts, Report& report) {
  std::vector<Override> overrides;
  std::map<std::string_view, std::string_view> first_of;  // by key: the whole text
  for (const std::string& text : texts) {
    auto parsed = parse_override(text, report);
    if (!parsed) continue;
    const std::string_view keys = std::string_view(text).substr(0, text.find('='));
    const auto [first, is_new] = first_of.emplace(keys, text);
    if (is_new) {
      overrides.push_back(std::move(*parsed));
    } else {
      report.add(at_column(1), path_of(std::string(keys)), "is set twice", text,
                 fmt::format("the first was {}", first->second));
    }
  }
  sort_overrides(overrides);
  return overrides;
}

std::vector<Override> read_settings(const Node& node, const KeyPath& path, Report& report) {
  std::vector<Override> settings;
  if (node.kind == Node::Kind::kInvalid) return settings;
  if (node.kind != Node::Kind::kMapping || node.children.empty()) {
    const bool is_empty = node.kind == Node::Kind::kMapping;
    report.add(node.where, path, is_empty ? "is empty" : "must be a mapping", is_empty ? "" : describe(node),
               "keys as --set has them");
    return settings;
  }
  for (const Node& child : node.children) {
    auto keys = parse_path(child.key, child.key_where, report);
    if (keys) settings.push_back({std::move(*keys), child, child.key_where});
  }
  return settings;
}

void set_over(std::vector<Override>& overrides, Override more) {
  const auto is_same = [&more](const Override& other) {
    return std::equal(other.path.begin(), other.path.end(), more.path.begin(), more.path.end(),
                      [](const auto& a, const auto& b) { return a.key == b.key; });
  };
  overrides.erase(std::remove_if(overrides.begin(), overrides.end(), is_same), overrides.end());
  overrides.push_back(std::move(more));
}

void sort_overrides(std::vector<Override>& overrides) {
  std::stable_sort(overrides.begin(), overrides.end(),
                   [](const Override& a, const Override& b) { return a.path.size() < b.path.size(); });
}

void apply_override(Node& root, const Override& change, Report& report) {
  Node* node = &root;
  KeyPath path;
  for (const Override::Segment& segment : change.path) {
    path = path / segment.key;
    node = descend(*node, segment, at_column(change.where, segment.column), path, report);
    if (node == nullptr) return;
  }
  Node value = change.value;
  mark_as_override(value);
  node->replace_content(std::move(value));
}

}  // namespace tessera::spec
