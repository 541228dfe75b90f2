// SPDX-License-Identifier: Apache-2.0
// Decimal numbers as scaled integers: `2905.81` with 6 digits is 2905810000. Exact both ways.
// YAML states times in microseconds and rates in MHz and GB/s; models count ps, Hz and bytes/s.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tessera::spec {

enum class DecimalStatus { kOk, kNotANumber, kNegative, kNotFinite, kLeadingZeros, kTooManyDigits, kOverflow };

struct DecimalResult {
  DecimalStatus status = DecimalStatus::kNotANumber;
  std::uint64_t value = 0;  // text * 10^digits where the status is kOk
};

// Accepts `0`, `12`, `12.5`: no sign, no exponent, digits on both sides of a point. kTooManyDigits: a digit other than
// 0 is more than `digits` places after the point.
DecimalResult parse_decimal(std::string_view text, int digits);

// The shortest text of value / 10^digits; parse_decimal gives `value` back.
std::string format_decimal(std::uint64_t value, int digits);

}  // namespace tessera::spec
