// SPDX-License-Identifier: Apache-2.0
// The resolved Spec as JSON, with the keys and units of the YAML files: all defaults filled in and all references
// resolved. GPU and host are inline; processes name their application, which is under `applications`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "model/spec/spec_fwd.h"

namespace tessera::spec {

// Whole numbers are JSON integers, others doubles, which json_text (json_text.h) prints as the decimals of the files.
nlohmann::ordered_json to_json(const Spec& spec);
nlohmann::ordered_json to_json(const ApplicationSpec& application);

// 12 hexadecimal digits that depend on every value of the Spec and on nothing else (FNV-1a over the JSON text).
std::string content_hash(const Spec& spec);

}  // namespace tessera::spec
