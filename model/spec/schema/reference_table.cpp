// SPDX-License-Identifier: Apache-2.0
// Key, value, allowed, default, meaning.
#include "model/spec/schema/reference_table.h"

#include <fmt/core.h>

#include <string_view>
#include <utility>
#include <vector>

#include "model/spec/schema/key_tree.h"
#include "model/spec/schema/known_keys.h"

namespace tessera::spec {
namespace {

std::string_view unit_of(std::string_view key) {
  constexpr std::pair<std::string_view, std::string_view> kUnits[] = {
      {"_us", "us"}, {"_us_per_warp", "us"}, {"_us_per_kib", "us"}, {"_mhz", "MHz"},           {"_gbps", "GB/s"},
      {"_ns", "ns"}, {"_cycles", "cycles"},  {"bytes", "bytes"},    {"bytes_per_tb", "bytes"}, {"_bits", "bits"}};
  for (const auto& [end, unit] : kUnits) {
    if (key.size() >= end.size() && key.substr(key.size() - end.size()) == end) return unit;
  }
  return "";
}

std::string preset_of(const KnownKey& key, bool is_one_of_them) {
  if (is_one_of_them) return "one of them";
  if (key.is_required) return "required";
  if (*key.meaning.preset != '\0') return key.meaning.preset;
  return key.preset.empty() ? "none" : "`" + key.preset + "`";
}

std::string line_of(const KnownKey& key, bool is_one_of_them) {
  const std::string_view unit = unit_of(key.path);
  return fmt::format("| `{}` | {}{}{} | {} | {} | {} |\n", key.path, key.form.type, unit.empty() ? "" : ", ", unit,
                     key.form.allowed, preset_of(key, is_one_of_them), key.meaning.text);
}

// Whether its entries have one key each, as steps of a program do.
bool has_steps(const KnownKey& key) {
  const Shape& shape = key.form.shapes[0];
  return shape.kind == Shape::Kind::kList && shape.entries[0].has_one_key;
}

void add_lines(FileKind kind, const KeyTree& node, bool are_steps, std::string& table) {
  for (const KeyTree& child : node.children) {
    const bool is_entry = child.name == KeyTree::kEntry;
    if (!is_entry) {
      if (twin_of(kind, child.key->path) != nullptr) continue;
      table += line_of(*child.key, are_steps);
    }
    add_lines(kind, child, is_entry && node.key != nullptr && has_steps(*node.key), table);
  }
}

}  // namespace

std::string reference_table(FileKind kind) {
  const std::vector<KnownKey> keys = known_keys(kind);
  std::string table = "| Key | Value | Allowed | Default | Meaning |\n|---|---|---|---|---|\n";
  add_lines(kind, tree_of(keys), false, table);
  return table;
}

}  // namespace tessera::spec
