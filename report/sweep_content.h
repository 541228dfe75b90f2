// SPDX-License-Identifier: Apache-2.0
// The results of `tessera sweep`: every finished point, and the timelines that it kept.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tessera::report {

// Packed timelines of this size in all go into the page; further ones are left out, and the page says so.
inline constexpr std::size_t kMaxTimelineBytes = std::size_t{48} << 20;

// {"name", "tessera_version", "columns": [{"name", "kind", "unit"}], "rows": [[..]], "runs": {key: as run_content()},
// "left_out": [key, ..]}: rows by index of the point. Throws spec::InputError where one of the files is damaged.
nlohmann::ordered_json sweep_content(const std::filesystem::path& folder, std::vector<std::string>& blocks);

}  // namespace tessera::report
