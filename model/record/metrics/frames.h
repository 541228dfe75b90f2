// SPDX-License-Identifier: Apache-2.0
// Metrics of released runs: response times, skipped runs, missed deadlines.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "model/record/metrics/cycle_stats.h"
#include "model/record/metrics/histogram.h"
#include "model/record/record.h"

namespace tessera::record {

// Result of one process. A run misses its deadline if it ends after it, is skipped or killed, or is open at the end of
// the simulation with its deadline passed.
struct FrameResult {
  std::uint64_t released = 0;
  std::uint64_t ended = 0;
  std::uint64_t skipped = 0;
  std::uint64_t missed = 0;
  CycleStats response;  // of runs that ended, from their release
  Cycle p50 = 0;        // of response
  Cycle p95 = 0;
  std::uint64_t judged = 0;  // ended, skipped, killed, or open at the end with a passed deadline
  Cycle worst = 0;           // longest response of runs that were not skipped; open runs count until the end
  std::uint64_t killed = 0;  // these do not count as ended ([G16])
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FrameResult, released, ended, skipped, missed, killed, response, p50, p95, judged,
                                   worst)

// Memory grows with the number of waiting releases, not with completed ones.
class FrameCounter {
 public:
  // `skips`: the process drops releases during an active run.
  explicit FrameCounter(bool skips) : skips_(skips) {}

  void run_released(const Record& record);
  void run_started(const Record& record);
  void run_ended(const Record& record, bool is_killed);
  void finish(Cycle end);

  const FrameResult& result() const { return result_; }  // after finish()

 private:
  struct Open {
    Cycle released = 0;
    Cycle deadline = 0;  // 0: none
  };
  bool is_late(const Open& run, Cycle end) const { return run.deadline != 0 && end - run.released > run.deadline; }

  bool skips_;
  FrameResult result_;
  Histogram responses_;
  std::map<std::uint32_t, Open> open_;    // by run: waiting or running
  std::optional<std::uint32_t> started_;  // the last one
};

}  // namespace tessera::record
