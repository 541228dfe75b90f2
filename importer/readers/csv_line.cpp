// SPDX-License-Identifier: Apache-2.0
// RFC 4180, but for line ends in quotes.
#include "importer/readers/csv_line.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace tessera::importer {

namespace {

// Three digits, and no fourth one.
bool is_group(const std::string& cell, std::size_t at) {
  const auto is_digit = [&](std::size_t i) { return i < cell.size() && cell[i] >= '0' && cell[i] <= '9'; };
  return is_digit(at) && is_digit(at + 1) && is_digit(at + 2) && !is_digit(at + 3);
}

}  // namespace

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
  for (std::size_t i = 0; i < cell.size(); ++i) {
    if (cell[i] == ',' && (i == 0 || !is_group(cell, i + 1))) return std::nullopt;
    if (cell[i] != ',' && cell[i] != ' ' && cell[i] != '\t') digits.push_back(cell[i]);
  }
  if (digits.empty() || digits.find_first_not_of("0123456789.eE+-") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(digits.c_str(), &end);
  if (*end != '\0' || !std::isfinite(value) || value < 0) return std::nullopt;
  return value;
}

}  // namespace tessera::importer
