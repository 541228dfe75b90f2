// SPDX-License-Identifier: Apache-2.0
// Keys of an experiment by their dotted paths, as conditions name them.
// Internal to model/spec.
#pragma once

#include <map>
#include <string>

#include "model/spec/document.h"
#include "model/spec/spec_fwd.h"

namespace tessera::spec {

// Every plain value of the resolved Spec, by its key.
std::map<std::string, std::string> leaves_of(const Spec& spec);

// Null if the document has no such key.
const Node* node_at(const Node& root, const std::string& path);

std::string last_key(const std::string& path);

}  // namespace tessera::spec
