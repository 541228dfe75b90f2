// SPDX-License-Identifier: Apache-2.0
// A JSON file of a results folder, checked against its schema before anybody looks into it.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string_view>

namespace tessera::report {

// Throws spec::InputError with all mistakes: a file that cannot be read, is no JSON, or is not as each schema says.
nlohmann::ordered_json read_json_file(const std::filesystem::path& path,
                                      std::initializer_list<std::string_view> schemas);

}  // namespace tessera::report
