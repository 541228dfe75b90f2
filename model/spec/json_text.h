// SPDX-License-Identifier: Apache-2.0
// JSON to text with every number in its shortest plain decimal form: 0.003158, never 0.0031580000000000002 or 3e-05.
// nlohmann's dump() writes doubles by Grisu2, which misses the shortest form for one value in a thousand.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tessera::spec {

// Otherwise like json.dump(indent): a negative indent gives one line, numbers that are not finite are null, and text
// that is not UTF-8 throws nlohmann::json::type_error.
std::string json_text(const nlohmann::ordered_json& json, int indent = -1);

}  // namespace tessera::spec
