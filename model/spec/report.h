// SPDX-License-Identifier: Apache-2.0
// Where the loader writes down what it finds wrong, and how it names the place: file position and dotted key.
// Internal to model/spec.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/spec/diagnostics.h"

namespace tessera::spec {

inline constexpr std::string_view kSetFile = "--set";  // the "file" an override stands in

struct Location {
  std::string file;
  int line = 1;
  int column = 1;
};

// The dotted path to a key, from its own file's root and from the experiment's: a file is complained about in its
// own terms, an override in those of the experiment it was written for.
struct KeyPath {
  std::string in_file;
  std::string in_experiment;

  KeyPath operator/(std::string_view key) const;
  KeyPath operator/(std::size_t index) const;
  KeyPath at_file_root() const { return {"", in_experiment}; }
};

// A key that a reader asks for, be it there or not.
struct KnownKey {
  std::string path;  // in its file
  std::string type;
  std::string allowed;
  std::string preset;  // the value where it is left out; empty: none
  bool is_required = false;
};

class Report {
 public:
  void add(const Location& where, const KeyPath& key, std::string problem, std::string value = "",
           std::string allowed = "");

  // The mistakes of another report.
  void add(const Report& other) {
    diagnostics_.insert(diagnostics_.end(), other.diagnostics_.begin(), other.diagnostics_.end());
  }

  // Grows with every mistake: a part that was read without it growing is good.
  std::size_t size() const { return diagnostics_.size(); }
  // So long that nobody reads what is added: no use in searching for advice.
  bool is_long() const { return size() >= kManyMistakes; }
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

  // What stands in that file too is told in terms of the experiment: it overrides keys of other files.
  void overrides_stand_in(std::string file) { override_file_ = std::move(file); }

  // From now on, adds what is asked for to `keys`: so the readers themselves tell what docs/guide/yaml_reference.md
  // must say.
  void note_keys_in(std::vector<KnownKey>* keys) { known_keys_ = keys; }
  std::vector<KnownKey>* known_keys() const { return known_keys_; }

 private:
  static constexpr std::size_t kManyMistakes = 200;
  std::vector<Diagnostic> diagnostics_;
  std::vector<KnownKey>* known_keys_ = nullptr;
  std::string override_file_;
};

}  // namespace tessera::spec
