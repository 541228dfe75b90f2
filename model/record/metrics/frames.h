// SPDX-License-Identifier: Apache-2.0
// What became of the runs of processes that have releases: how soon they ended, which were skipped, which came late.
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

// Of one process. A run misses its deadline by ending after it, by being skipped or killed, or, when the simulation
// ends, by being open with its deadline behind it.
struct FrameResult {
  std::uint64_t released = 0;
  std::uint64_t ended = 0;
  std::uint64_t skipped = 0;
  std::uint64_t missed = 0;
  CycleStats response;  // of those that ended: from the release
  Cycle p50 = 0;        // of the same
  Cycle p95 = 0;
  std::uint64_t judged = 0;  // ended, skipped or killed, or open at the end with their deadline behind them
  Cycle worst = 0;           // response of those that were run: of one that is open, until the end
  std::uint64_t killed = 0;  // no run of these ended ([G16])
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FrameResult, released, ended, skipped, missed, killed, response, p50, p95, judged,
                                   worst)

// What it holds grows with the releases that wait, and not with those that are over.
class FrameCounter {
 public:
  // `skips`: does the process skip releases that pass while a run goes on?
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
  std::map<std::uint32_t, Open> open_;    // by run: waits, or runs
  std::optional<std::uint32_t> started_;  // the last one
};

}  // namespace tessera::record
