// SPDX-License-Identifier: Apache-2.0
// Internal to model/spec.
#pragma once

#include <algorithm>
#include <string>

#include "model/spec/scalar_rules.h"

namespace tessera::spec {

// A sentence: what a reader of the table is told.
struct Sentence {
  static constexpr std::size_t kMaxLength = 500;
  Ruled<std::string> parse(const Node& node) const {
    const auto is_printable = [](char c) { return c >= ' ' && c <= '~'; };
    if (node.kind != Node::Kind::kScalar) return Problem{"must be a text", form().allowed};
    const bool is_good = !node.text.empty() && node.text.size() <= kMaxLength &&
                         std::all_of(node.text.begin(), node.text.end(), is_printable);
    if (is_good) return node.text;
    return Problem{"is not a valid text", form().allowed};
  }
  std::string text(const std::string& value) const { return value; }
  Form form() const { return text_form(kMaxLength, "printable ASCII", "[ -~]"); }
};

}  // namespace tessera::spec
