// SPDX-License-Identifier: Apache-2.0
// Decimal text <-> scaled integer without a detour through floating point.
// Internal to model/spec.
#include "model/spec/decimal.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

namespace tessera::spec {
namespace {

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_infinity_or_nan(std::string_view text) {
  std::string word;
  for (const char c : text) {
    if (c != '.' && c != '-' && c != '+') word += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  }
  return word == "inf" || word == "infinity" || word == "nan";
}

}  // namespace

DecimalResult parse_decimal(std::string_view text, int digits) {
  if (is_infinity_or_nan(text)) return {DecimalStatus::kNotFinite, 0};
  if (!text.empty() && text[0] == '-') {
    const DecimalStatus rest = parse_decimal(text.substr(1), digits).status;
    const bool is_number = rest != DecimalStatus::kNotANumber && rest != DecimalStatus::kNegative;
    return {is_number ? DecimalStatus::kNegative : DecimalStatus::kNotANumber, 0};
  }
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  std::string_view fraction = point == std::string_view::npos ? std::string_view("0") : text.substr(point + 1);
  if (!all_digits(whole) || !all_digits(fraction)) return {DecimalStatus::kNotANumber, 0};
  if (whole.size() > 1 && whole[0] == '0') return {DecimalStatus::kLeadingZeros, 0};
  while (!fraction.empty() && fraction.back() == '0') fraction.remove_suffix(1);
  const auto places = static_cast<std::size_t>(digits);
  if (fraction.size() > places) return {DecimalStatus::kTooManyDigits, 0};

  std::string scaled = std::string(whole) + std::string(fraction);
  scaled.append(places - fraction.size(), '0');
  DecimalResult result{DecimalStatus::kOk, 0};
  const auto parsed = std::from_chars(scaled.data(), scaled.data() + scaled.size(), result.value);
  if (parsed.ec != std::errc()) return {DecimalStatus::kOverflow, 0};
  return result;
}

std::string format_decimal(std::uint64_t value, int digits) {
  std::string text = fmt::format("{:0{}}", value, digits + 1);
  if (digits == 0) return text;
  text.insert(text.size() - static_cast<std::size_t>(digits), 1, '.');
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace tessera::spec
