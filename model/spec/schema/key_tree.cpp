// SPDX-License-Identifier: Apache-2.0
// Internal to model/spec.
#include "model/spec/schema/key_tree.h"

#include <algorithm>
#include <cstddef>
#include <regex>

namespace tessera::spec {
namespace {

template <typename Children>
auto find_child(Children& children, std::string_view name) {
  return std::find_if(children.begin(), children.end(), [&](const KeyTree& one) { return one.name == name; });
}

KeyTree& child_of(KeyTree& node, const std::string& name) {
  const auto found = find_child(node.children, name);
  if (found != node.children.end()) return *found;
  node.children.push_back({name, nullptr, {}});
  return node.children.back();
}

}  // namespace

const KeyTree& KeyTree::entry() const {
  static const KeyTree none;
  const auto found = find_child(children, kEntry);
  return found != children.end() ? *found : none;
}

KeyTree tree_of(const std::vector<KnownKey>& keys) {
  static const std::regex entry("\\[\\]");
  KeyTree root;
  for (const KnownKey& key : keys) {
    KeyTree* node = &root;
    const std::string path = std::regex_replace(key.path, entry, ".[]");
    for (std::size_t begin = 0; begin <= path.size();) {
      const std::size_t end = std::min(path.find('.', begin), path.size());
      node = &child_of(*node, path.substr(begin, end - begin));
      begin = end + 1;
    }
    node->key = &key;
  }
  return root;
}

}  // namespace tessera::spec
