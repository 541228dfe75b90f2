// SPDX-License-Identifier: Apache-2.0
// Collects the loader's reports, each with its place: file position and dotted key. Internal to model/spec.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/spec/diagnostics.h"
#include "model/spec/form.h"

namespace tessera::spec {

inline constexpr std::string_view kSetFile = "--set";  // the "file" of an override

struct Location {
  std::string file;
  int line = 1;
  int column = 1;
};

// The dotted path to a key, from its own file's root and from the experiment's: mistakes in a file are reported
// relative to that file, those in an override relative to its experiment.
struct KeyPath {
  std::string in_file;
  std::string in_experiment;

  KeyPath operator/(std::string_view key) const;
  KeyPath operator/(std::size_t index) const;
  KeyPath at_file_root() const { return {"", in_experiment}; }
};

// What a key is for, and what holds where it is left out if that is no constant: as Markdown.
struct Meaning {
  constexpr Meaning() = default;
  constexpr Meaning(const char* meaning, const char* worked_out = "") : text(meaning), preset(worked_out) {}
  const char* text = "";
  const char* preset = "";
};

// A key that a reader asks for, whether present or not.
struct KnownKey {
  std::string path;  // in its file
  Form form;
  Meaning meaning;
  std::string preset;  // default value; empty: none
  bool is_required = false;
  std::vector<std::string> or_else = {};  // keys beside it: one of them or it is required
};

class Report {
 public:
  void add(const Location& where, const KeyPath& key, std::string problem, std::string value = "",
           std::string allowed = "");

  // The mistakes of another report.
  void add(const Report& other) {
    diagnostics_.insert(diagnostics_.end(), other.diagnostics_.begin(), other.diagnostics_.end());
  }

  // Grows with every mistake: a part is valid if this did not change while it was read.
  std::size_t size() const { return diagnostics_.size(); }
  // So long that nobody reads further reports; searching for advice is not worthwhile.
  bool is_long() const { return size() >= kManyMistakes; }
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

  // Mistakes in that file are also reported relative to the experiment, since it overrides keys of other files.
  void overrides_stand_in(std::string file) { override_file_ = std::move(file); }

  // From now on, adds every key asked for to `keys`: docs/guide/yaml_reference.md and the JSON Schemas are made of
  // them.
  void note_keys_in(std::vector<KnownKey>* keys) { known_keys_ = keys; }
  std::vector<KnownKey>* known_keys() const { return known_keys_; }

 private:
  static constexpr std::size_t kManyMistakes = 200;
  std::vector<Diagnostic> diagnostics_;
  std::vector<KnownKey>* known_keys_ = nullptr;
  std::string override_file_;
};

}  // namespace tessera::spec
