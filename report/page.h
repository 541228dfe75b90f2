// SPDX-License-Identifier: Apache-2.0
// One page of HTML about results: it needs no other file, and reaches out to none.
#pragma once

#include <filesystem>
#include <string>

#include "report/content.h"

namespace tessera::report {

// Of the results of a run, a sweep or a reproduction. Throws spec::InputError where the folder has none, or damaged
// ones.
Content content_of(const std::filesystem::path& folder);
// Two runs side by side.
Content comparison_of(const std::filesystem::path& a, const std::filesystem::path& b);

// Every page starts with this, so that it is known for one again.
inline constexpr const char* kPageStart = "<!doctype html>\n<!-- tessera report ";
std::string html_of(const Content& content);

}  // namespace tessera::report
