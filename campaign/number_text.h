// SPDX-License-Identifier: Apache-2.0
// Numbers of tables, for JSON, CSV and people; one that is not there shows as such.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace tessera::campaign {

inline nlohmann::ordered_json number_or_null(const std::optional<double>& number) {
  return number ? nlohmann::ordered_json(*number) : nlohmann::ordered_json(nullptr);
}

inline std::string csv_number(const std::optional<double>& number) { return number ? fmt::format("{}", *number) : ""; }

// Four significant digits at most: what an interval of a few per cent supports.
inline std::string rounded(double number) {
  return std::abs(number) >= 1000 ? fmt::format("{:.0f}", number) : fmt::format("{:.4g}", number);
}

inline std::string rounded(const std::optional<double>& number) { return number ? rounded(*number) : "-"; }

}  // namespace tessera::campaign
