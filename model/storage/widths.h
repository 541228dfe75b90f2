// SPDX-License-Identifier: Apache-2.0
// How many bits a number needs.
#pragma once

#include <cstdint>

namespace tessera::storage {

// To tell `count` things apart.
constexpr std::uint32_t bits_for(std::uint64_t count) {
  std::uint32_t bits = 0;
  while ((std::uint64_t{1} << bits) < count) ++bits;
  return bits;
}

// Of an index below `count` and one code for "none", and of a number of up to `count`.
constexpr std::uint32_t index_or_count(std::uint64_t count) { return bits_for(count + 1); }

}  // namespace tessera::storage
