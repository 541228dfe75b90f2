// SPDX-License-Identifier: Apache-2.0
// The results of `tessera reproduce`: its values, and its figures as they were drawn.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace tessera::report {

// reproduction.json without its Spec, and "pictures": {figure: SVG in base64}. Throws spec::InputError where the file
// is damaged.
nlohmann::ordered_json reproduction_content(const std::filesystem::path& folder);

}  // namespace tessera::report
