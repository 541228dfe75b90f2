// SPDX-License-Identifier: Apache-2.0
// Launches that are one kernel: an event-driven kernel that leaves with loops that are not done is launched again, in
// one log more often than in the other (docs/concepts/gloop.md).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/record/record.h"

namespace tessera::verification {

class LogicalLaunches {
 public:
  explicit LogicalLaunches(const std::vector<record::Record>& records);

  // Of numbers of launches in this log.
  bool is_event_driven(std::uint32_t launch) const { return event_driven_.count(launch) != 0; }
  // It left, and has gone on since or would: its end is not the kernel's.
  bool is_suspended(std::uint32_t launch) const { return suspended_.count(launch) != 0; }
  // The launch that it goes on with; kNoNumber: it is a kernel's first.
  std::uint32_t before(std::uint32_t launch) const;

 private:
  struct Launch {
    std::uint32_t number = record::kNoNumber;
    std::uint16_t kernel = record::kNoIndex;
    std::uint32_t run = record::kNoNumber;
  };
  void arrived(const record::Record& record);

  std::unordered_set<std::uint32_t> event_driven_;
  std::unordered_set<std::uint32_t> suspended_;
  std::unordered_map<std::uint32_t, std::uint32_t> before_;
  std::unordered_map<std::uint32_t, Launch> launches_;   // by number
  std::unordered_map<std::uint16_t, Launch> last_left_;  // by process: its last event-driven launch that left
};

}  // namespace tessera::verification
