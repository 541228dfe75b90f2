// SPDX-License-Identifier: Apache-2.0
// Numbers as they stand in a trace: a double cannot hold microseconds since 1970 with three digits behind the point.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "importer/profile.h"

namespace tessera::importer {

struct Number {
  bool is_known = false;
  double value = 0;
  Nanoseconds thousandths = 0;  // of a time in microseconds: nanoseconds; bounded by kMaxMoment
};

Number number_of(std::int64_t value);
Number number_of(std::uint64_t value);
// `text` is what stands in the file.
Number number_of(const std::string& text, double value);
// Some versions write numbers in quotes, and streams as `stream 7`. None: the text is no number.
std::optional<Number> number_in_quotes(const std::string& text);

std::uint32_t to_u32(double value);
std::uint64_t to_u64(const Number& number);
std::optional<std::uint32_t> to_optional(const Number& number);
std::optional<double> to_double(const Number& number);
// Kineto writes less than nothing for an id that it does not know.
std::optional<std::uint64_t> to_id(const Number& number);

}  // namespace tessera::importer
