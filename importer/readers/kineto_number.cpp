// SPDX-License-Identifier: Apache-2.0
// Three digits behind the point, taken from the text.
#include "importer/readers/kineto_number.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace tessera::importer {
namespace {

constexpr Nanoseconds kNsPerUs = 1000;
constexpr auto kMaxUs = static_cast<double>(kMaxMoment / kNsPerUs);

Nanoseconds bounded_thousandths(double value) {
  return static_cast<Nanoseconds>(std::clamp(value, -kMaxUs, kMaxUs) * static_cast<double>(kNsPerUs));
}

Nanoseconds thousandths_of(const std::string& text, double value) {
  const bool is_plain = text.find_first_of("eE") == std::string::npos;
  if (!is_plain || !(value > -kMaxUs && value < kMaxUs)) return bounded_thousandths(value);
  const std::size_t point = text.find('.');
  std::string digits = point == std::string::npos ? "" : text.substr(point + 1, 3);
  digits.resize(3, '0');
  const Nanoseconds whole = std::strtoll(text.c_str(), nullptr, 10) * kNsPerUs;
  const Nanoseconds part = std::strtoll(digits.c_str(), nullptr, 10);
  return text.front() == '-' ? whole - part : whole + part;
}

}  // namespace

Number number_of(std::int64_t value) {
  const bool is_small = value > -static_cast<std::int64_t>(kMaxUs);
  return {true, static_cast<double>(value), is_small ? value * kNsPerUs : bounded_thousandths(-kMaxUs)};
}

Number number_of(std::uint64_t value) {
  const bool is_small = value < static_cast<std::uint64_t>(kMaxUs);
  return {true, static_cast<double>(value),
          is_small ? static_cast<Nanoseconds>(value) * kNsPerUs : bounded_thousandths(kMaxUs)};
}

Number number_of(const std::string& text, double value) { return {true, value, thousandths_of(text, value)}; }

std::optional<Number> number_in_quotes(const std::string& text) {
  constexpr std::string_view kStream = "stream ";
  const std::string number = text.substr(text.rfind(kStream, 0) == 0 ? kStream.size() : 0);
  const bool is_number = number.size() < 24 && number.find_first_not_of("+-.0123456789") == std::string::npos;
  if (!is_number || number.find_first_of("0123456789") == std::string::npos) return std::nullopt;
  return number_of(number, std::strtod(number.c_str(), nullptr));
}

std::uint32_t to_u32(double value) {
  return value <= 0 ? 0 : static_cast<std::uint32_t>(std::min(value, 4294967295.0));
}
std::uint64_t to_u64(const Number& number) {
  return number.is_known ? static_cast<std::uint64_t>(static_cast<std::int64_t>(number.thousandths / kNsPerUs)) : 0;
}
std::optional<std::uint32_t> to_optional(const Number& number) {
  return number.is_known ? std::optional(to_u32(number.value)) : std::nullopt;
}
std::optional<double> to_double(const Number& number) {
  return number.is_known ? std::optional(number.value) : std::nullopt;
}

std::optional<std::uint64_t> to_id(const Number& number) {
  return number.is_known && number.value >= 0 ? std::optional(to_u64(number)) : std::nullopt;
}

}  // namespace tessera::importer
