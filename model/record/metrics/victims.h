// SPDX-License-Identifier: Apache-2.0
// Metrics of techniques that choose victims ([S16] 4): how thread blocks left, the work wasted, and the latency of the
// places granted.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>

#include "model/record/metrics/cycle_stats.h"
#include "model/record/metrics/histogram.h"
#include "model/record/record.h"

namespace tessera::record {

// A count, and how many of them exceeded the latency limit.
struct LateCount {
  std::uint64_t count = 0;
  std::uint64_t late = 0;
};

struct VictimResult {
  // By exit; a TB that was chosen again before it left counts once, with the last choice.
  std::uint64_t flushed = 0;
  std::uint64_t switched = 0;
  std::uint64_t drained = 0;
  std::uint64_t instructions_executed = 0;  // by all of these when chosen: what flushing them would waste
  std::uint64_t instructions_wasted = 0;
  // For TBs that were chosen to drain and did: accuracy of the estimate, if there was one.
  std::uint64_t estimated_drains = 0;
  std::uint64_t drain_error_cycles = 0;  // sum of |estimated - real|
  std::uint64_t positions = 0;           // places for thread blocks
  CycleStats position_latency;           // of each grant, from the start of the time that the limit counts
  CycleStats last_position_latency;      // of the last grant of each completed preemption
  Cycle limit = 0;                       // 0: none
  LateCount requests;                    // kernels that got places; late: one of the places was
  LateCount sms;                         // completed preemptions with places; late: the last place was
  LateCount tbs;                         // places

  bool is_empty() const { return flushed + switched + drained + positions == 0; }
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LateCount, count, late)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(VictimResult, flushed, switched, drained, instructions_executed, instructions_wasted,
                                   estimated_drains, drain_error_cycles, positions, position_latency,
                                   last_position_latency, limit, requests, sms, tbs)

// Computes these metrics from a log. Memory is bounded by the machine and its active kernels.
class VictimCounter {
 public:
  explicit VictimCounter(Cycle limit) { result_.limit = limit; }

  void consume(const Record& record);
  VictimResult result() const;

 private:
  struct Victim {
    std::uint32_t launch = kNoNumber;
    std::uint32_t tb = kNoNumber;
    Technique exit = Technique::kNone;
    Cycle estimate = 0;
    std::uint64_t executed = 0;
    std::uint64_t wasted = 0;
  };

  std::uint64_t& count_of(Technique exit);
  void victim_chosen(const Record& record);
  void victim_left(const Record& record);
  void position_granted(const Record& record);
  void preemption_done(const Record& record);
  void forget(std::uint16_t sm);
  bool is_late(Cycle latency) const { return result_.limit != 0 && latency > result_.limit; }

  VictimResult result_;
  std::map<std::pair<std::uint16_t, std::uint16_t>, Victim> victims_;  // by SM and slot: not yet left
  std::unordered_map<std::uint16_t, Cycle> last_grants_;               // by SM: of the current preemption
  std::unordered_map<std::uint32_t, bool> is_late_;                    // by launch: active kernels that got places
  Histogram positions_;
  Histogram last_positions_;
};

}  // namespace tessera::record
