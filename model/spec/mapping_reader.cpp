// SPDX-License-Identifier: Apache-2.0
// Lookups with their complaints: wrong kind, missing, unknown.
// Internal to model/spec.
#include "model/spec/mapping_reader.h"

#include <fmt/core.h>

#include <algorithm>

#include "model/spec/nearest.h"

namespace tessera::spec {
namespace {

const Node kInvalidNode{};

}  // namespace

MappingReader::MappingReader(const Node& node, KeyPath path, Report& report)
    : node_(&node), path_(std::move(path)), report_(&report) {
  const bool is_usable = node.kind == Node::Kind::kMapping || node.kind == Node::Kind::kInvalid;
  if (is_usable) return;
  report.add(node.where, path_, "must be a mapping", describe(node));
  node_ = &kInvalidNode;
}

const Node& MappingReader::find(std::string_view key, Presence presence) {
  known_keys_.push_back(key);
  if (const Node* found = node_->find(key)) return *found;
  const bool is_missing = presence == Presence::kRequired && node_->kind == Node::Kind::kMapping;
  if (is_missing) reject(key, "is missing");
  return kInvalidNode;
}

MappingReader MappingReader::mapping(std::string_view key, Presence presence, Meaning meaning) {
  return {node(key, presence, mapping_form, meaning), path_ / key, *report_};
}

const std::vector<Node>& MappingReader::entries_of(std::string_view key, const Node& found, Presence presence) {
  const bool is_list = found.kind == Node::Kind::kSequence;
  if (!is_list && found.kind != Node::Kind::kInvalid) reject(key, "must be a list", describe(found));
  const bool is_empty = is_list && found.children.empty() && presence == Presence::kRequired;
  if (is_empty) reject(key, "is empty", "", "at least one entry");
  return is_list ? found.children : kInvalidNode.children;
}

void MappingReader::note(std::string_view key, Presence presence, Form form, Meaning meaning, std::string preset) {
  report_->known_keys()->push_back(
      {(path_ / key).in_file, std::move(form), meaning, std::move(preset), presence == Presence::kRequired});
}

void MappingReader::note_alternatives(std::string_view key, std::initializer_list<std::string_view> or_else) {
  if (report_->known_keys() == nullptr) return;
  for (KnownKey& known : *report_->known_keys()) {
    if (known.path == (path_ / key).in_file) known.or_else.assign(or_else.begin(), or_else.end());
  }
}

void MappingReader::require_one_of(std::string_view key, std::string_view other) {
  note_alternatives(key, {other});
  if (has(key) || has(other) || !is_mapping()) return;
  reject(key, fmt::format("is missing, and so is {}", other), "", "one of them");
}

void MappingReader::reject(std::string_view key, std::string problem, std::string value, std::string allowed) {
  const Node* found = node_->find(key);
  const Location& where = found == nullptr ? node_->where : found->is_file_root ? found->key_where : found->where;
  report_->add(where, path_ / key, std::move(problem), std::move(value), std::move(allowed));
}

void MappingReader::reject_unknown_keys() {
  for (const Node& child : node_->children) {
    const bool is_known = std::find(known_keys_.begin(), known_keys_.end(), child.key) != known_keys_.end();
    if (is_known) continue;
    report_->add(child.key_where, path_ / child.key, "unknown key", "",
                 report_->is_long() ? "" : fmt::format("nearest known key: {}", nearest(child.key, known_keys_)));
  }
}

}  // namespace tessera::spec
