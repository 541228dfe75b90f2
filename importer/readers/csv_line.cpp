// SPDX-License-Identifier: Apache-2.0
// RFC 4180, but for line ends in quotes.
#include "importer/readers/csv_line.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace tessera::importer {

std::vector<std::string> csv_cells(const std::string& line) {
  std::vector<std::string> cells(1);
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && is_quoted && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back().push_back('"');
      ++i;
    } else if (line[i] == '"') {
      is_quoted = !is_quoted;
    } else if (line[i] == ',' && !is_quoted) {
      cells.emplace_back();
    } else {
      cells.back().push_back(line[i]);
    }
  }
  return cells;
}

std::optional<double> csv_number(const std::string& cell) {
  std::string digits;
  for (const char c : cell) {
    if (c != ',' && c != ' ' && c != '\t') digits.push_back(c);
  }
  if (digits.empty() || digits.find_first_not_of("0123456789.eE+-") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(digits.c_str(), &end);
  if (*end != '\0' || !std::isfinite(value) || value < 0) return std::nullopt;
  return value;
}

}  // namespace tessera::importer
