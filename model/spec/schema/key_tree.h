// SPDX-License-Identifier: Apache-2.0
// Known keys, a list of paths, as a tree.
// Internal to model/spec.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/spec/report.h"

namespace tessera::spec {

// A mapping, a list or a value; `key` is null at the root and at entries of lists.
struct KeyTree {
  static constexpr std::string_view kEntry = "[]";  // the name of any entry of a list

  std::string name;
  const KnownKey* key = nullptr;
  std::vector<KeyTree> children;  // in the order of reading

  // Empty if it has none.
  const KeyTree& entry() const;
};

// `a.b[].c` stands at a, b, [], c. The tree refers to `keys`.
KeyTree tree_of(const std::vector<KnownKey>& keys);

}  // namespace tessera::spec
