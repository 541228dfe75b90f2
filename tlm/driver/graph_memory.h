// SPDX-License-Identifier: Apache-2.0
// Allocates a hardware queue's graphs in system memory as a ring buffer; a graph never wraps around. A graph's space is
// free when its command is done.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>

#include "tlm/driver/address_map.h"

namespace tessera::tlm_model {

class GraphMemory {
 public:
  // Whether a graph fits when the first `completed` commands of the queue are done. Always true if all commands are
  // done.
  bool has_room(std::uint64_t bytes, std::uint64_t completed) {
    while (!graphs_.empty() && graphs_.front().command < completed) graphs_.pop_front();
    const std::uint64_t begin = place_of(bytes);
    return std::none_of(graphs_.begin(), graphs_.end(),
                        [&](const Placed& other) { return begin < other.end && other.begin < begin + bytes; });
  }
  // Allocates space for the graph of command number `command` of the queue, counted from 0. Requires has_room().
  std::uint64_t take(std::uint64_t bytes, std::uint64_t command) {
    const std::uint64_t begin = place_of(bytes);
    graphs_.push_back({begin, begin + bytes, command});
    next_ = begin + bytes;
    return begin;
  }

 private:
  struct Placed {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t command;
  };
  std::uint64_t place_of(std::uint64_t bytes) const {
    return !graphs_.empty() && next_ + bytes <= address_map::kGraphBytes ? next_ : 0;
  }

  std::deque<Placed> graphs_;  // whose commands are not known to be done
  std::uint64_t next_ = 0;
};

}  // namespace tessera::tlm_model
