// SPDX-License-Identifier: Apache-2.0
// Where the thread blocks of a second kernel may lie on an SM, and whom each of these positions needs gone ([S16] 3.2,
// 3.3.1): positions are multiples of what one of its TBs takes, so that registers and shared memory do not fragment.
#pragma once

#include <cstdint>
#include <vector>

#include "model/base/time.h"

namespace tessera::preemption {

// What one TB of a kernel takes of an SM.
struct TbSize {
  std::uint32_t registers = 0;
  std::uint32_t shared_memory_bytes = 0;
  std::uint32_t threads = 0;
};

// What an SM has, as it is configured.
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

// Sets of positions are words: of more than so many, the first count.
inline constexpr std::uint32_t kMaxPositions = 64;

// How many there are: min(registers / R, shared memory / S), [S16] 3.4.2. R is not 0.
std::uint32_t num_positions(const SmRoom& room, const TbSize& guest);

// The positions of `guest`, a bit each, whose registers or shared memory a TB overlaps.
std::uint64_t overlapped_positions(const Placed& tb, const TbSize& guest, std::uint32_t num_positions);

// [S16] Figure 3.8: by position, the slots whose TBs overlap it. `tbs[slot]` counts where `occupied` has a bit.
std::vector<std::uint64_t> victim_sets(const std::vector<Placed>& tbs, std::uint64_t occupied, const TbSize& guest,
                                       std::uint32_t num_positions);

// [S16] Figure 3.9: the TBs of a set that is preempted are in no set any more.
void evict(std::vector<std::uint64_t>& sets, std::uint64_t preempted);

}  // namespace tessera::preemption
