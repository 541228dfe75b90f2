// SPDX-License-Identifier: Apache-2.0
// Mistakes in the user's input: one Diagnostic per mistake, all of them in one InputError.
// The loader collects all mistakes before it throws, so a user can fix several files at once
// (docs/guide/command_line.md).
#pragma once

#include <exception>
#include <string>
#include <vector>

namespace tessera::spec {

struct Diagnostic {
  std::string file;     // as the user would name it; `--set` for an override
  int line = 1;         // from 1
  int column = 1;       // from 1, in characters; for `--set` the position in its text
  std::string key;      // dotted path from the root of the file (for `--set`: of the experiment); empty: the root
  std::string problem;  // "is out of range"
  std::string value;    // the value found; empty: does not apply
  std::string allowed;  // the values allowed; empty: does not apply

  bool operator==(const Diagnostic& other) const;
  bool operator<(const Diagnostic& other) const;  // by file, line, column, then the rest
};

// `file:line:column: key: problem (value; allowed)`, always one line.
std::string to_string(const Diagnostic& diagnostic);
// One line each; of very many, only the first ones and the number of the rest.
std::string to_string(const std::vector<Diagnostic>& diagnostics);

// The user's input is wrong (exit status 2). what() is to_string of all diagnostics.
class InputError : public std::exception {
 public:
  // Sorts and removes duplicates: a file that is referred to twice is reported once.
  explicit InputError(std::vector<Diagnostic> diagnostics);

  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::vector<Diagnostic> diagnostics_;
  std::string text_;
};

}  // namespace tessera::spec
