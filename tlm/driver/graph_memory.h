// SPDX-License-Identifier: Apache-2.0
// Where the graphs of a hardware queue lie in system memory: one behind the other, from the beginning again where the
// rest is too short. A graph's room is free when its command is done.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>

#include "tlm/driver/address_map.h"

namespace tessera::tlm_model {

class GraphMemory {
 public:
  // With the first `completed` commands of the queue done. True for any graph if all are.
  bool has_room(std::uint64_t bytes, std::uint64_t completed) {
    while (!graphs_.empty() && graphs_.front().command < completed) graphs_.pop_front();
    const std::uint64_t begin = place_of(bytes);
    return std::none_of(graphs_.begin(), graphs_.end(),
                        [&](const Placed& other) { return begin < other.end && other.begin < begin + bytes; });
  }
  // The place of the graph that is command number `command` of the queue, counted from 0; there is room.
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
