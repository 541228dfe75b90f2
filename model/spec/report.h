// SPDX-License-Identifier: Apache-2.0
// Where the loader writes down what it finds wrong, and how it names the place: file position and dotted key.
// Internal to model/spec.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
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

class Report {
 public:
  void add(const Location& where, const KeyPath& key, std::string problem, std::string value = "",
           std::string allowed = "");

  // Grows with every mistake: a part that was read without it growing is good.
  std::size_t size() const { return diagnostics_.size(); }
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace tessera::spec
