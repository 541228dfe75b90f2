// SPDX-License-Identifier: Apache-2.0
// The part of JSON Schema that our own schema files use.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tessera::report {

struct SchemaMistake {
  std::vector<std::string> path;  // keys and indices from the root
  std::string problem;            // "is missing"
  std::string value;              // empty: none
  std::string allowed;
};

// What in `value` the schema does not allow.
std::vector<SchemaMistake> schema_mistakes(const nlohmann::ordered_json& value, const nlohmann::ordered_json& schema);

}  // namespace tessera::report
