// SPDX-License-Identifier: Apache-2.0
// A pin of a Verilated core, of whatever width.
#pragma once

#include <cstdint>
#include <type_traits>

template <typename Port>
bool get_bit(const Port& port, int bit) {
  if constexpr (std::is_integral_v<Port>)
    return (std::uint64_t{port} >> bit) & 1;
  else
    return (port[bit / 32] >> (bit % 32)) & 1;
}
