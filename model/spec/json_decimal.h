// SPDX-License-Identifier: Apache-2.0
// What files as JSON have in common: their version, and scaled integers as numbers.
// Internal to model/spec.
#pragma once

#include <nlohmann/json.hpp>

#include "model/spec/decimal.h"
#include "model/spec/scalar_rules.h"

namespace tessera::spec {

inline constexpr int kSchemaVersion = 1;  // of each file

// The loader bounds what it scales to 15 decimal digits: a double tells any two such numbers apart.
inline nlohmann::ordered_json json_decimal(std::uint64_t value, int digits) {
  return nlohmann::ordered_json::parse(format_decimal(value, digits));
}
inline nlohmann::ordered_json json_time_us(Picoseconds time) { return json_decimal(time, kTimeDigits); }

}  // namespace tessera::spec
