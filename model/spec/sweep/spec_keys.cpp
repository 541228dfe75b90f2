// SPDX-License-Identifier: Apache-2.0
// The resolved Spec by way of its JSON, which has the keys of the files.
// Internal to model/spec.
#include "model/spec/sweep/spec_keys.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/spec/spec.h"
#include "model/spec/spec_json.h"

namespace tessera::spec {
namespace {

// Plain values below a node, by their dotted keys.
void collect_leaves(const nlohmann::ordered_json& json, const std::string& path,
                    std::map<std::string, std::string>& leaves) {
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) collect_leaves(value, path.empty() ? key : path + "." + key, leaves);
  } else if (!json.is_array() && !json.is_null()) {
    leaves[path] = json.is_string() ? json.get<std::string>() : json.dump();
  }
}

}  // namespace

std::map<std::string, std::string> leaves_of(const Spec& spec) {
  Spec whole = spec;
  // An application that could not be read has no leaf.
  if (whole.applications.empty()) whole.applications.emplace_back();
  const auto last = static_cast<std::uint32_t>(whole.applications.size() - 1);
  for (ProcessSpec& process : whole.processes) process.application = std::min(process.application, last);
  std::map<std::string, std::string> leaves;
  collect_leaves(to_json(whole), "", leaves);
  return leaves;
}

const Node* node_at(const Node& root, const std::string& path) {
  const Node* node = &root;
  for (std::size_t begin = 0; node != nullptr && begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    const std::string key = path.substr(begin, end - begin);
    if (node->kind == Node::Kind::kSequence) {
      const bool is_number = !key.empty() && key.find_first_not_of("0123456789") == std::string::npos && key.size() < 9;
      const std::size_t at = is_number ? std::stoul(key) : node->children.size();
      node = at < node->children.size() ? &node->children[at] : nullptr;
    } else {
      node = node->find(key);
    }
    begin = end + 1;
  }
  return node;
}

std::string last_key(const std::string& path) { return path.substr(path.rfind('.') + 1); }

}  // namespace tessera::spec
