// SPDX-License-Identifier: Apache-2.0
// A text as a CSV cell (RFC 4180), quoted if necessary.
#pragma once

#include <string>

namespace tessera::record {

inline std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c;
  }
  return cell + '"';
}

}  // namespace tessera::record
