// SPDX-License-Identifier: Apache-2.0
// Reads one mapping key by key: reports mistakes and continues, and finally reports keys that were never asked for.
// Internal to model/spec.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "model/spec/document.h"
#include "model/spec/report.h"
#include "model/spec/scalar_rules.h"

namespace tessera::spec {

enum class Presence { kRequired, kOptional };

// An invalid node (absent, or already reported) reads as an empty mapping without further reports, so callers need no
// branches for it.
class MappingReader {
 public:
  MappingReader(const Node& node, KeyPath path, Report& report);

  // Reads a scalar into `out`; returns false and leaves `out` unchanged if it is missing or invalid.
  template <typename T, typename Rule>
  bool required(std::string_view key, T& out, const Rule& rule, Meaning meaning = {}) {
    return read(key, Presence::kRequired, out, rule, meaning);
  }
  template <typename T, typename Rule>
  bool optional(std::string_view key, T& out, const Rule& rule, Meaning meaning = {}) {
    return read(key, Presence::kOptional, out, rule, meaning);
  }
  template <typename T, typename Rule>
  bool read(std::string_view key, Presence presence, T& out, const Rule& rule, Meaning meaning = {});

  // The node under `key`, or an invalid one. `make_form` says what the caller expects; it is called where somebody asks
  // for all keys.
  template <typename MakeForm>
  const Node& node(std::string_view key, Presence presence, const MakeForm& make_form, Meaning meaning = {}) {
    if (report_->known_keys() != nullptr) note(key, presence, make_form(), meaning);
    return find(key, presence);
  }
  // A reader for the mapping under `key`.
  MappingReader mapping(std::string_view key, Presence presence, Meaning meaning = {});
  // The entries of the list under `key`; at least one if it is required. `make_entry`: the form of one.
  template <typename MakeForm>
  const std::vector<Node>& list(std::string_view key, Presence presence, const MakeForm& make_entry,
                                Meaning meaning = {});

  // Of a list of mappings.
  const std::vector<Node>& mappings(std::string_view key, Presence presence, Meaning meaning = {}) {
    return list(key, presence, mapping_form, meaning);
  }

  // Again what has been asked for.
  const Node& known_node(std::string_view key) { return find(key, Presence::kOptional); }
  const std::vector<Node>& known_list(std::string_view key, Presence presence) {
    return entries_of(key, known_node(key), presence);
  }
  MappingReader known_mapping(std::string_view key) { return {known_node(key), path_ / key, *report_}; }

  // Notes that one of these keys is needed: of `or_else` where `key` is missing.
  void note_alternatives(std::string_view key, std::initializer_list<std::string_view> or_else);
  // Reports that both are missing.
  void require_one_of(std::string_view key, std::string_view other);
  // Reports that `key` has a wrong value: at the value; at the key if the value is a file; at the mapping if it is
  // absent.
  void reject(std::string_view key, std::string problem, std::string value = "", std::string allowed = "");
  // Call once, after the last key has been read.
  void reject_unknown_keys();

  Report& report() const { return *report_; }
  bool has(std::string_view key) const { return node_->find(key) != nullptr; }
  bool is_mapping() const { return node_->kind == Node::Kind::kMapping; }  // else it has been reported
  // Whether the value of `key` is in a separate file.
  bool is_in_own_file(std::string_view key) const { return has(key) && node_->find(key)->is_file_root; }
  KeyPath path(std::string_view key) const { return path_ / key; }

 private:
  const Node& find(std::string_view key, Presence presence);
  const std::vector<Node>& entries_of(std::string_view key, const Node& found, Presence presence);
  void note(std::string_view key, Presence presence, Form form, Meaning meaning, std::string preset = "");

  const Node* node_;  // a mapping, or invalid
  KeyPath path_;
  Report* report_;
  std::vector<std::string_view> known_keys_;  // asked for so far; string literals
};

// Rules yield 64-bit values, limited to the range of the field that they are read into.
template <typename T>
void store(const T& value, T& out) {
  out = value;
}
template <typename E>
std::enable_if_t<std::is_enum_v<E>> store(E value, std::optional<E>& out) {
  out = value;
}
template <typename T>
std::enable_if_t<!std::is_same_v<T, std::uint64_t>> store(std::uint64_t value, T& out) {
  if constexpr (std::is_integral_v<T>) {
    out = static_cast<T>(value);
  } else {
    out = static_cast<typename T::value_type>(value);  // std::optional
  }
}

// The form of a rule's values, once somebody asks.
template <typename Rule>
auto form_maker(const Rule& rule) {
  return [rule] { return rule.form(); };
}

// A value in YAML notation; "" for an empty optional.
template <typename T, typename Rule>
std::string text_of(const T& value, const Rule& rule) {
  return rule.text(value);
}
template <typename T, typename Rule>
std::string text_of(const std::optional<T>& value, const Rule& rule) {
  return value ? rule.text(*value) : "";
}

template <typename T, typename Rule>
bool MappingReader::read(std::string_view key, Presence presence, T& out, const Rule& rule, Meaning meaning) {
  if (report_->known_keys() != nullptr) note(key, presence, rule.form(), meaning, text_of(out, rule));
  const Node& found = find(key, presence);
  if (found.kind == Node::Kind::kInvalid) return false;
  auto ruled = rule.parse(found);
  if (auto* problem = std::get_if<Problem>(&ruled)) {
    reject(key, std::move(problem->problem), describe(found), std::move(problem->allowed));
    return false;
  }
  store(std::get<0>(ruled), out);
  return true;
}

template <typename MakeForm>
const std::vector<Node>& MappingReader::list(std::string_view key, Presence presence, const MakeForm& make_entry,
                                             Meaning meaning) {
  const std::size_t least = presence == Presence::kRequired ? 1 : 0;
  return entries_of(key,
                    node(
                        key, presence, [&] { return list_form(make_entry(), least); }, meaning),
                    presence);
}

}  // namespace tessera::spec
