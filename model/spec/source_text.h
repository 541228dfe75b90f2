// SPDX-License-Identifier: Apache-2.0
// The text of a document, with the position of its characters in the user's input.
// Internal to model/spec: it knows what yaml-cpp's marks mean.
#pragma once

#include <yaml-cpp/mark.h>

#include <cstddef>
#include <string>
#include <vector>

#include "model/spec/report.h"

namespace tessera::spec {

class SourceText {
 public:
  // Keeps a reference to `text`, which starts at `start`.
  SourceText(const std::string& text, const Location& start);

  Location location_of(const YAML::Mark& mark) const;
  const Location& start() const { return start_; }

  // Whether an unterminated quoted scalar starts there.
  bool opens_quote_for_good(const YAML::Mark& mark) const;

  // The dash of an empty entry of a list, for which the parser gives the mark of the next token.
  YAML::Mark dash_before(YAML::Mark mark) const;

 private:
  std::size_t offset_of(const YAML::Mark& mark) const;
  std::ptrdiff_t continuations_before(std::size_t end) const;

  const std::string& text_;
  Location start_;
  std::vector<std::size_t> continuations_;  // offsets of UTF-8 continuation bytes
};

}  // namespace tessera::spec
