// SPDX-License-Identifier: Apache-2.0
// Collects diagnostics and builds the dotted keys that they name.
// Internal to model/spec.
#include "model/spec/report.h"

#include <utility>

namespace tessera::spec {
namespace {

std::string key_within(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : path + '.' + std::string(key);
}

}  // namespace

KeyPath KeyPath::operator/(std::string_view key) const {
  return {key_within(in_file, key), key_within(in_experiment, key)};
}
KeyPath KeyPath::operator/(std::size_t index) const { return *this / std::string_view(std::to_string(index)); }

void Report::add(const Location& where, const KeyPath& key, std::string problem, std::string value,
                 std::string allowed) {
  const bool is_override = where.file == kSetFile || (!override_file_.empty() && where.file == override_file_);
  diagnostics_.push_back({where.file, where.line, where.column, is_override ? key.in_experiment : key.in_file,
                          std::move(problem), std::move(value), std::move(allowed)});
}

}  // namespace tessera::spec
