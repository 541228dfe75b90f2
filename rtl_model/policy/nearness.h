// SPDX-License-Identifier: Apache-2.0
// How near a context is to the one in turn (docs/hardware/timing.md 5.4).
#pragma once

#include <cstdint>

namespace tessera::rtl_model {

// Contexts that come before it, from the one in turn on.
constexpr std::uint32_t distance_from_turn(std::uint32_t context, std::uint32_t turn, std::uint32_t num_contexts) {
  return context >= turn ? context - turn : context + num_contexts - turn;
}

}  // namespace tessera::rtl_model
