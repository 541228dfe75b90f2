// SPDX-License-Identifier: Apache-2.0
// Records of runs that are released from outside, and a log of three that come late.
#pragma once

#include <vector>

#include "tests/model/record/support.h"

namespace tessera::record::test {

inline constexpr std::uint16_t kFrames = 1;  // the process with releases; process 0 has none

inline Builder run_at(Cycle cycle, Kind kind, std::uint32_t run) { return at(cycle, kind).process(kFrames).run(run); }
inline Record released(Cycle cycle, std::uint32_t run, std::uint64_t open, Cycle deadline = 0) {
  return run_at(cycle, Kind::kRunReleased, run).value(open).cycles(deadline);
}
inline Record started(Cycle cycle, std::uint32_t run) { return run_at(cycle, Kind::kRunStarted, run); }
inline Record ended(Cycle cycle, std::uint32_t run, Cycle turnaround) {
  return run_at(cycle, Kind::kRunEnded, run).cycles(turnaround);
}

// Released every 100 cycles and due 90 later; the first takes 150 cycles, so that the second comes late and the third
// waits for it.
inline std::vector<Record> late_frames() {
  return {released(0, 0, 1, 90),   started(0, 0),     ended(150, 0, 150), released(100, 1, 2, 90), started(150, 1),
          released(200, 2, 2, 90), ended(240, 1, 90), started(240, 2),    ended(290, 2, 50)};
}

}  // namespace tessera::record::test
