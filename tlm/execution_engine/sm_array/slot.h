// SPDX-License-Identifier: Apache-2.0
// A slot of an SM, and the thread block in it; and sets of slots.
#pragma once

#include <cstdint>

#include "model/base/ids.h"
#include "model/base/time.h"

namespace tessera::tlm_model {

// The time base in which a thread block's end is kept.
enum class ClockDomain : std::uint8_t {
  kReal,  // its duration does not depend on its neighbours
  kSm,    // it is faster or slower with the number resident on its SM ([S16] 4.2)
};

struct Slot {
  KsrId kernel = kNoKsr;  // the kernel of its thread block
  ClockDomain clock = ClockDomain::kReal;
  std::uint32_t tb = 0;
  std::uint32_t num_flushes = 0;    // how often that thread block was flushed
  std::uint32_t stack_pointer = 0;  // of the context that is to be restored
  std::uint32_t position = 0;       // of its registers and shared memory, in thread blocks of its kernel
  Cycle remaining = 0;              // of a stopped thread block; kNever: it does not end by itself
  std::uint64_t bytes_left = 0;     // likewise, of the bytes that it moves
};

// Sets of slots, one bit per slot.
constexpr std::uint64_t slot_bit(std::uint32_t slot) { return std::uint64_t{1} << slot; }
constexpr bool has_slot(std::uint64_t slots, std::uint32_t slot) { return (slots >> slot & 1) != 0; }
constexpr std::uint64_t first_slots(std::uint32_t count) { return ~std::uint64_t{0} >> (64 - count); }  // 1 .. 64
inline std::uint32_t lowest(std::uint64_t slots) { return static_cast<std::uint32_t>(__builtin_ctzll(slots)); }
inline std::uint32_t num_slots(std::uint64_t slots) { return static_cast<std::uint32_t>(__builtin_popcountll(slots)); }

// Calls `visit(slot)` for every slot of the set, lowest first.
template <typename Visit>
void for_each_slot(std::uint64_t slots, Visit visit) {
  for (; slots != 0; slots &= slots - 1) visit(lowest(slots));
}

}  // namespace tessera::tlm_model
