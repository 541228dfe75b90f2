// SPDX-License-Identifier: Apache-2.0
// Fields of packed vectors as Verilator represents them: integers up to 64 bits, arrays of words beyond.
#pragma once

#include <verilated.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace tessera::cosim {

constexpr std::uint64_t mask(unsigned width) { return ~std::uint64_t{0} >> (64 - width); }

// Reads `width` bits (1 to 64) from bit `lsb` on.
template <typename Packed>
std::uint64_t bits(const Packed& packed, unsigned lsb, unsigned width) {
  if constexpr (std::is_integral_v<Packed>) {
    return static_cast<std::uint64_t>(packed) >> lsb & mask(width);
  } else {
    std::uint64_t value = 0;
    for (unsigned done = 0; done < width;) {
      const unsigned at = lsb + done;
      value |= static_cast<std::uint64_t>(packed[at / 32] >> at % 32) << done;
      done += 32 - at % 32;
    }
    return value & mask(width);
  }
}

// Sets a field of a vector whose bits there are 0.
template <typename Packed>
void set_bits(Packed& packed, unsigned lsb, unsigned width, std::uint64_t value) {
  for (unsigned i = 0; i < width; ++i) {
    const std::uint64_t bit = value >> i & 1;
    if constexpr (std::is_integral_v<Packed>) {
      packed = static_cast<Packed>(packed | bit << (lsb + i));
    } else {
      packed[(lsb + i) / 32] |= static_cast<EData>(bit << (lsb + i) % 32);
    }
  }
}

// `width` bits, 1 to 64, from bit `lsb` on.
template <typename Packed>
void replace_bits(Packed& packed, unsigned lsb, unsigned width, std::uint64_t value) {
  for (unsigned i = lsb; i < lsb + width; ++i, value >>= 1) {
    if constexpr (std::is_integral_v<Packed>) {
      packed = static_cast<Packed>((packed & ~(std::uint64_t{1} << i)) | (value & 1) << i);
    } else {
      packed[i / 32] = static_cast<EData>((packed[i / 32] & ~(1U << i % 32)) | (value & 1) << i % 32);
    }
  }
}

template <typename Packed>
void clear(Packed& packed) {
  if constexpr (std::is_integral_v<Packed>) {
    packed = 0;
  } else {
    std::fill_n(packed.data(), sizeof(packed) / sizeof(EData), 0);
  }
}

// A table's field: row i at bits [i * width +: width].
template <typename Packed>
class Rows {
 public:
  Rows(const Packed& packed, unsigned width) : packed_(packed), width_(width) {}
  std::uint64_t operator[](unsigned row) const { return bits(packed_, row * width_, width_); }
  std::uint32_t small(unsigned row) const { return static_cast<std::uint32_t>((*this)[row]); }

 private:
  const Packed& packed_;
  unsigned width_;
};

}  // namespace tessera::cosim
