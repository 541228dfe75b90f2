// SPDX-License-Identifier: Apache-2.0
// Possible positions of a second kernel's thread blocks on an SM, and the TBs that must leave for each position ([S16]
// 3.2, 3.3.1): positions are multiples of the size of one of its TBs, so that registers and shared memory do not
// fragment.
#pragma once

#include <cstdint>
#include <vector>

#include "model/base/time.h"

namespace tessera::preemption {

// Resources of an SM that one TB of a kernel uses.
struct TbSize {
  std::uint32_t registers = 0;
  std::uint32_t shared_memory_bytes = 0;
  std::uint32_t threads = 0;
};

// Resources of an SM in its current configuration.
struct SmRoom {
  std::uint32_t registers = 0;
  std::uint32_t shared_memory_bytes = 0;
  std::uint32_t threads = 0;
  std::uint32_t slots = 0;
};

// A TB on the SM: position p of its kernel is registers [p R, (p + 1) R) and shared memory [p S, (p + 1) S).
struct Placed {
  std::uint32_t position = 0;
  TbSize size;
};

// Sets of positions are 64-bit words; positions beyond the first 64 are not used.
inline constexpr std::uint32_t kMaxPositions = 64;

// Number of positions: min(registers / R, shared memory / S), [S16] 3.4.2. R must not be 0.
std::uint32_t num_positions(const SmRoom& room, const TbSize& guest);

// The positions of `guest`, one bit each, whose registers or shared memory overlap those of `tb`.
std::uint64_t overlapped_positions(const Placed& tb, const TbSize& guest, std::uint32_t num_positions);

// [S16] Figure 3.8: by position, the slots whose TBs overlap it. `tbs[slot]` is valid where `occupied` has a bit.
std::vector<std::uint64_t> victim_sets(const std::vector<Placed>& tbs, std::uint64_t occupied, const TbSize& guest,
                                       std::uint32_t num_positions);

// [S16] Figure 3.9: removes the TBs of a preempted set from all sets.
void evict(std::vector<std::uint64_t>& sets, std::uint64_t preempted);

}  // namespace tessera::preemption
