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
// Empty where it says what a file without it does.
nlohmann::ordered_json to_json(const GpuSwitchSpec& costs);

// 12 hexadecimal digits that depend on every value of the Spec and on nothing else.
std::string content_hash(const Spec& spec);
// The same of any text (FNV-1a).
std::string text_hash(const std::string& text);

}  // namespace tessera::spec
