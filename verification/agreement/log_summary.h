// SPDX-License-Identifier: Apache-2.0
// What one log says of its kernels and preemptions: the half of a comparison.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/record/record.h"

namespace tessera::verification {

// Where a TB was first issued.
struct TbPlace {
  std::uint16_t sm = record::kNoIndex;
  std::uint16_t slot = record::kNoIndex;
  Cycle since_arrival = 0;
};

// Of a kernel: an event-driven one with all of its launches.
struct LaunchTimes {
  std::uint16_t kernel = record::kNoIndex;
  std::uint32_t run = record::kNoNumber;
  Cycle arrived = 0;
  std::optional<Cycle> finished;
  std::uint64_t num_tbs = 0;  // that it reports when it finishes
  // Since when there has been a kernel in the engine without a break: what came before is over, and left nothing in it.
  Cycle busy_since = 0;
  // Its distance from the process's launch before it, if that had finished.
  struct Gap {
    Cycle since_arrival = 0;
    Cycle since_end = 0;
  };
  std::optional<Gap> gap;
  bool waited_for_buffer = false;  // arrived when an activation had made room in the command buffers
  bool was_held = false;           // a driver had let its group go since the launch before it
  bool follows_another = false;    // the command that an engine had got before was another process's
  bool is_event_driven = false;
  bool was_preempted = false;                         // on some SM
  bool was_saved = false;                             // so that contexts of it were moved
  std::unordered_map<std::uint32_t, TbPlace> places;  // of the TBs whose issue is in the log

  Cycle turnaround() const { return *finished - arrived; }
};

struct LogSummary {
  std::vector<std::vector<LaunchTimes>> launches;               // [process][n-th kernel]
  std::map<record::Technique, std::vector<Cycle>> preemptions;  // when they were done
  Cycle end = 0;
};

LogSummary summarise(const std::vector<record::Record>& records);

// Kernels of several streams may arrive in another order: within runs that both logs have whole, pair them by kernel.
void order_streams(std::vector<LaunchTimes>& tlm, std::vector<LaunchTimes>& clocked);

}  // namespace tessera::verification
