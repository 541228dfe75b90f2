// SPDX-License-Identifier: Apache-2.0
// Formats of other tools and other reports, which are not read: named, so that a user knows what the file is.
#pragma once

#include <string>
#include <string_view>

namespace tessera::importer {

// What is read, for the messages.
inline constexpr std::string_view kReadFormats =
    "kineto (JSON, gzip), nsys-sqlite, nsys-csv (cuda_gpu_trace), accelsim (kernelslist.g)";

// By a line of text, which may be a table's header: "an API trace of nsys (cuda_api_trace)". Empty: not known.
std::string foreign_table(const std::string& line);
struct ForeignFormat {
  std::string name;    // empty: not known
  std::string advice;  // how to get what is read; empty: nothing to be said
};
// By the first bytes of a file, and by the end of its name where they do not tell.
ForeignFormat foreign_file(std::string_view start, std::string_view file_name);
// By a key that stands in an event's arguments, or at the top, of JSON. Empty: not known.
std::string foreign_json(std::string_view key);

}  // namespace tessera::importer
