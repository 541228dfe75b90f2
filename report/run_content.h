// SPDX-License-Identifier: Apache-2.0
// The results of `tessera run`: the summary as it is, and the timeline where the folder has the log of one.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tessera::report {

// {"summary": .., "timeline": null | {"block", "file", "end", ...}}; the timeline's numbers become a new block. The log
// is timeline.csv, else records.csv. Throws spec::InputError where one of the files is damaged.
nlohmann::ordered_json run_content(const std::filesystem::path& folder, std::vector<std::string>& blocks);

}  // namespace tessera::report
