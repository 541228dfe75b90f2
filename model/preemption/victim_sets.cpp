// SPDX-License-Identifier: Apache-2.0
// Ranges of registers and shared memory, as sets of aligned positions.
#include "model/preemption/victim_sets.h"

#include <algorithm>

namespace tessera::preemption {
namespace {

std::uint64_t bits_below(std::uint64_t count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

// The multiples of `unit` that the `size` units from `begin` on overlap.
std::uint64_t overlapped(std::uint64_t begin, std::uint64_t size, std::uint64_t unit) {
  if (size == 0 || unit == 0) return 0;
  const std::uint64_t first = begin / unit;
  const std::uint64_t behind = (begin + size + unit - 1) / unit;
  return bits_below(behind) & ~bits_below(first);
}

}  // namespace

std::uint32_t num_positions(const SmRoom& room, const TbSize& guest) {
  std::uint32_t count = std::min(kMaxPositions, room.registers / guest.registers);
  if (guest.shared_memory_bytes > 0) count = std::min(count, room.shared_memory_bytes / guest.shared_memory_bytes);
  return count;
}

std::uint64_t overlapped_positions(const Placed& tb, const TbSize& guest, std::uint32_t num_positions) {
  const std::uint64_t at = tb.position;
  const std::uint64_t positions =
      overlapped(at * tb.size.registers, tb.size.registers, guest.registers) |
      overlapped(at * tb.size.shared_memory_bytes, tb.size.shared_memory_bytes, guest.shared_memory_bytes);
  return positions & bits_below(num_positions);
}

std::vector<std::uint64_t> victim_sets(const std::vector<Placed>& tbs, std::uint64_t occupied, const TbSize& guest,
                                       std::uint32_t num_positions) {
  std::vector<std::uint64_t> sets(num_positions, 0);
  for (std::size_t slot = 0; slot < tbs.size(); ++slot) {
    if ((occupied >> slot & 1) == 0) continue;
    const std::uint64_t positions = overlapped_positions(tbs[slot], guest, num_positions);
    for (std::uint32_t p = 0; p < num_positions; ++p) sets[p] |= (positions >> p & 1) << slot;
  }
  return sets;
}

void evict(std::vector<std::uint64_t>& sets, std::uint64_t preempted) {
  for (std::uint64_t& set : sets) set &= ~preempted;
}

}  // namespace tessera::preemption
