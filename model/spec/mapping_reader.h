// SPDX-License-Identifier: Apache-2.0
// Reads one mapping key by key: reports mistakes and continues, and finally reports keys that were never asked for.
// Internal to model/spec.
#pragma once

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
  bool required(std::string_view key, T& out, const Rule& rule) {
    return read(key, Presence::kRequired, out, rule);
  }
  template <typename T, typename Rule>
  bool optional(std::string_view key, T& out, const Rule& rule) {
    return read(key, Presence::kOptional, out, rule);
  }
  template <typename T, typename Rule>
  bool read(std::string_view key, Presence presence, T& out, const Rule& rule);

  // The node under `key`, or an invalid one. `form` describes what the caller expects.
  const Node& node(std::string_view key, Presence presence, const Form& form = {});
  // A reader for the mapping under `key`.
  MappingReader mapping(std::string_view key, Presence presence);
  // The entries of the list under `key`; at least one if it is required.
  const std::vector<Node>& list(std::string_view key, Presence presence, const Form& entry = {});

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
  void note(std::string_view key, Presence presence, const Form& form, const std::string& preset = "");

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
bool MappingReader::read(std::string_view key, Presence presence, T& out, const Rule& rule) {
  if (report_->known_keys() != nullptr) note(key, presence, rule.form(), text_of(out, rule));
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

}  // namespace tessera::spec
