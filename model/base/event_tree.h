// SPDX-License-Identifier: Apache-2.0
// Finds the earliest of a fixed set of times: a 4-ary winner tree. Used for completions of thread blocks, timers, and
// the next activity of clocked modules; ties go to the lower leaf.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/base/time.h"

namespace tessera {

// A node is one key, time << 16 | leaf: a total order without an index array. Setting a leaf costs one `min`
// per level on the dependent path, since the minimum of the three siblings does not depend on the new key.
class EventTree {
 public:
  using Key = std::uint64_t;
  static constexpr std::uint32_t kMaxLeaves = 1U << 16;

  explicit EventTree(std::uint32_t num_leaves) {
    std::uint32_t width = 4;  // the bottom level, a power of four
    levels_ = 1;
    while (width < num_leaves) {
      width *= 4;
      ++levels_;
    }
    first_leaf_ = (width - 1) / 3;  // nodes above the bottom level of a complete 4-ary tree
    nodes_.assign(kPadding + first_leaf_ + width, key_of(kNever, 0));
    for (std::uint32_t leaf = 0; leaf < width; ++leaf) nodes_[kPadding + first_leaf_ + leaf] = key_of(kNever, leaf);
  }

  static constexpr Key key_of(Cycle time, std::uint32_t leaf) { return time << 16 | leaf; }
  static constexpr Cycle time_of(Key key) { return key >> 16; }
  static constexpr std::uint32_t leaf_of(Key key) { return static_cast<std::uint32_t>(key & 0xFFFF); }

  Key min() const { return nodes_[kPadding]; }
  Cycle min_time() const { return time_of(min()); }
  Cycle time(std::uint32_t leaf) const { return time_of(nodes_[kPadding + first_leaf_ + leaf]); }

  void set(std::uint32_t leaf, Cycle time) {
    Key key = key_of(time, leaf);
    std::uint32_t node = first_leaf_ + leaf;
    Key* const nodes = nodes_.data() + kPadding;
    nodes[node] = key;
    for (std::uint32_t level = 0; level < levels_; ++level) {
      const std::uint32_t first = ((node - 1) & ~3U) + 1;  // the four siblings: first .. first + 3
      const std::uint32_t at = node - first;
      // The three others, in rotation after `at`.
      const Key a = nodes[first + ((at + 1) & 3)];
      const Key b = nodes[first + ((at + 2) & 3)];
      const Key c = nodes[first + ((at + 3) & 3)];
      key = std::min(key, std::min(std::min(a, b), c));
      node = (node - 1) / 4;
      nodes[node] = key;
    }
  }
  void clear(std::uint32_t leaf) { set(leaf, kNever); }

 private:
  static constexpr std::uint32_t kPadding = 3;  // siblings start on a 32-byte boundary

  std::uint32_t levels_;
  std::uint32_t first_leaf_;
  std::vector<Key> nodes_;
};

}  // namespace tessera
