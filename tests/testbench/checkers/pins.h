// SPDX-License-Identifier: Apache-2.0
// Pins of a Verilated core, of whatever width.
#pragma once

#include <cstdint>
#include <type_traits>

template <typename Port>
void set_field(Port& port, int bit, int width, std::uint64_t value) {
  for (int i = 0; i < width; ++i) {
    if constexpr (std::is_integral_v<Port>) {
      port = static_cast<Port>((std::uint64_t{port} & ~(1ULL << (bit + i))) | (((value >> i) & 1) << (bit + i)));
    } else {
      const int at = bit + i;
      port[at / 32] =
          (port[at / 32] & ~(1U << (at % 32))) | (static_cast<std::uint32_t>((value >> i) & 1) << (at % 32));
    }
  }
}
template <typename Port>
bool get_bit(const Port& port, int bit) {
  if constexpr (std::is_integral_v<Port>)
    return (std::uint64_t{port} >> bit) & 1;
  else
    return (port[bit / 32] >> (bit % 32)) & 1;
}
