// SPDX-License-Identifier: Apache-2.0
// Numbers of bits that values need.
#pragma once

#include <cstdint>

namespace tessera::storage {

// Bits to distinguish `count` values.
constexpr std::uint32_t bits_for(std::uint64_t count) {
  std::uint32_t bits = 0;
  while ((std::uint64_t{1} << bits) < count) ++bits;
  return bits;
}

// Bits of an index below `count` plus one code for "none", or of a number up to `count`.
constexpr std::uint32_t index_or_count(std::uint64_t count) { return bits_for(count + 1); }

}  // namespace tessera::storage
