// SPDX-License-Identifier: Apache-2.0
// Do two abstractions of one experiment agree? Compares what the transaction-level and the clocked model did, from
// their logs: what happened always, and when to within a tolerance unless an event fell inside a running decision.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/record/record.h"

namespace tessera::record {

enum class Verdict : std::uint8_t {
  kExact,            // every turnaround is the same to the cycle, and so is every count of preemptions
  kWithinTolerance,  // every difference is within the tolerance
  kExplained,        // the first difference beyond it comes after an event inside a decision
  kUnexplained,      // it does not; or the same kernels did not happen
};

struct PreemptionCounts {  // that are done
  std::uint64_t tlm = 0;
  std::uint64_t clocked = 0;
};

struct Agreement {
  Verdict verdict = Verdict::kExact;
  std::uint64_t kernels = 0;                            // finished in both logs
  std::uint64_t exact_kernels = 0;                      // of these: the same turnaround
  std::uint64_t kernels_within = 0;                     // of these: within the tolerance, the exact ones included
  std::uint64_t kernels_beyond = 0;                     // the others
  Cycle max_difference = 0;                             // between turnarounds
  bool event_in_decision = false;                       // in either log, anywhere
  std::map<std::string, PreemptionCounts> preemptions;  // by to_string(Technique), of those that were used

  // What happened in one log only, a line each. Kernels that are late, or preemptions that are missing, may be
  // explained; another kernel, or one with another number of TBs, never is.
  std::vector<std::string> what_differs;
  std::string first_difference;  // beyond the tolerance; empty if there is none
  std::string explanation;       // "tlm, cycle C: tb_finished ... during the decision from A to B"; empty if none
};

// By how much a turnaround may differ: 0.1 % of it or 64 cycles, whichever is larger. The clocked one is the measure.
Cycle turnaround_tolerance(Cycle turnaround);

// Both logs are whole, sound (check_log) and of the same Spec; they need not end on the same cycle. Without per-TB
// records fewer events are seen, so fewer differences are explained. Linear in the length of the logs.
//
// - The n-th launch of a process is the same kernel in both: a process is a deterministic program.
// - The earliest difference, by arrival in the tlm log, is the one that needs an explanation: an event inside a
//   decision of either log, before that kernel finishes there. Shown is the first since it arrived, else the last
//   before.
// - A decision runs from policy_invoked (exclusive) to policy_decided (inclusive). Events are what comes from outside
//   of the policy; a TB that is issued stands for the end of a set-up, which has no record.
// - A kernel that finished in one log only took, in the other, at least from its arrival to the end: that is a
//   difference if it is beyond the tolerance already.
// - A kernel that arrived in one log only should have arrived in the other, if that goes on for longer than all
//   turnarounds together have drifted and the tolerance of a turnaround as long as the run.
// - Preemptions done within the same time of the end of the shorter log may or may not be in the other.
Agreement compare_logs(const std::vector<Record>& tlm, const std::vector<Record>& clocked);

// JSON in both directions. An unknown verdict is read as the first one here.
NLOHMANN_JSON_SERIALIZE_ENUM(Verdict, {{Verdict::kUnexplained, "unexplained"},
                                       {Verdict::kExplained, "explained"},
                                       {Verdict::kWithinTolerance, "within_tolerance"},
                                       {Verdict::kExact, "exact"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PreemptionCounts, tlm, clocked)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Agreement, verdict, kernels, exact_kernels, kernels_within, kernels_beyond,
                                   max_difference, event_in_decision, preemptions, what_differs, first_difference,
                                   explanation)

}  // namespace tessera::record
