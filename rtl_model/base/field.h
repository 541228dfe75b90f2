// SPDX-License-Identifier: Apache-2.0
// A register field with a width fixed at elaboration. A value that does not fit is a bug in the model and throws
// std::logic_error, since hardware would wrap.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace tessera::rtl_model {

// Bits needed for values 0 .. `max`.
constexpr unsigned bits_for_value(std::uint64_t max) {
  unsigned bits = 1;
  while (bits < 64 && max >> bits != 0) ++bits;
  return bits;
}

template <typename Storage>
class Field {
 public:
  Field() = default;  // without a width until a table assigns one
  explicit Field(unsigned width) : max_(static_cast<Storage>(~std::uint64_t{0} >> (64 - width))) {}

  operator Storage() const { return value_; }  // NOLINT(google-explicit-constructor): used as a number
  Field& operator=(std::uint64_t value) {
    if (value > max_) overflow(value, width());
    value_ = static_cast<Storage>(value);
    return *this;
  }
  // Adds a signed step; a result below zero is an overflow too.
  void add(std::int64_t step) { *this = static_cast<std::uint64_t>(static_cast<std::int64_t>(value_) + step); }
  unsigned width() const { return bits_for_value(max_); }

 private:
  [[noreturn]] static void overflow(std::uint64_t value, unsigned width) {
    throw std::logic_error("rtl_model: " + std::to_string(static_cast<std::int64_t>(value)) + " does not fit " +
                           std::to_string(width) + " bits");
  }

  Storage value_ = 0;
  Storage max_ = 0;
};

using Field32 = Field<std::uint32_t>;
using Field64 = Field<std::uint64_t>;

}  // namespace tessera::rtl_model
