// SPDX-License-Identifier: Apache-2.0
// What people read has commas and blanks in it.
#include "importer/readers/csv_number.h"

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
