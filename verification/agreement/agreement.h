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
#include "verification/agreement/decision_audit.h"
#include "verification/agreement/driver_audit.h"
#include "verification/agreement/driver_decisions.h"
#include "verification/agreement/latencies.h"

namespace tessera::verification {

enum class Verdict : std::uint8_t {
  kExact,            // every turnaround is the same to the cycle, and so is every count of preemptions
  kWithinTolerance,  // every difference is within the tolerance
  kExplained,        // every difference beyond it has an explanation that reaches it
  kUnexplained,      // one has none; or the same kernels did not happen; or a decision or a latency is wrong
};

struct PreemptionCounts {  // that are done
  std::uint64_t tlm = 0;
  std::uint64_t clocked = 0;
};

// What was found while the log was written.
struct LogFindings {
  DecisionReport decisions;
  Latencies latencies;
  std::vector<Cycle> inner_ticks;    // DecisionAudit::inner_ticks
  bool channels_take_turns = false;  // the Spec's; launches may wait for theirs
  DriverReport driver{};
};

struct Agreement {
  Verdict verdict = Verdict::kExact;
  std::uint64_t kernels = 0;              // finished in both logs
  std::uint64_t exact_kernels = 0;        // of these: the same turnaround
  std::uint64_t kernels_within = 0;       // of these: within the tolerance, the exact ones included
  std::uint64_t kernels_beyond = 0;       // the others
  std::uint64_t kernels_unexplained = 0;  // of those beyond, and of those that are late or missing in one log
  Cycle max_difference = 0;               // between turnarounds
  // Sums over the kernels within the tolerance: clocked less transaction-level, and of the clocked turnarounds.
  std::int64_t sum_of_differences = 0;
  std::uint64_t sum_of_turnarounds = 0;
  double mean_ratio = 1;  // geometric, of all kernels finished in both: clocked turnaround over transaction-level
  bool event_in_decision = false;                       // in either log, anywhere
  std::map<std::string, PreemptionCounts> preemptions;  // by to_string(Technique), of those that were used
  DecisionReport tlm_decisions;
  DecisionReport clocked_decisions;
  DriverAgreement driver;  // of experiments with one that holds groups back

  // What happened in one log only, a line each. Kernels that are late, or preemptions that are missing, may be
  // explained; another kernel, or one with another number of TBs, never is.
  std::vector<std::string> what_differs;
  // What no event explains, a line each: decisions that the policy does not make, latencies, commands that come late.
  std::vector<std::string> what_is_wrong;
  std::string first_difference;  // beyond the tolerance, one without an explanation first; empty if there is none
  std::string explanation;       // "tlm, cycle C: tb_finished ... during the decision from A to B"; empty if none
};

// By how much a turnaround may differ: 0.1 % of it or 64 cycles, whichever is larger. The clocked one is the measure.
Cycle turnaround_tolerance(Cycle turnaround);

// Both logs are whole, sound (check_log) and of the same Spec; they need not end on the same cycle. Without per-TB
// records fewer events are seen, so fewer differences are explained.
//
// - The n-th launch of a process is the same kernel in both: a process is a deterministic program. Launches of an
//   event-driven kernel until its loops are done are one launch, from the first one's arrival to the last one's end.
// - Each difference needs an explanation that reaches it (explanation.h).
// - A decision runs from policy_invoked (exclusive) to policy_decided (inclusive). Events are what comes from outside
//   of the policy; a TB that is issued stands for the end of a set-up, which has no record.
// - A kernel that finished in one log only took, in the other, at least from its arrival to the end: that is a
//   difference if it is beyond the tolerance already.
// - A kernel that arrived in one log only should have arrived in the other, if that goes on for longer than all
//   turnarounds together have drifted and the tolerance of a turnaround as long as the run.
// - Preemptions done within the same time of the end of the shorter log may or may not be in the other.
// - From a kernel's end to its process's next arrival it takes as long in both, where it takes shortest. Arrivals do
//   not count that wait for something else than the kernel: for a command buffer, or that come when they did anyway;
//   nor, where channels take turns, those that follow another process's command.
// - Of a driver that holds groups back each record is judged by itself, and what it was told in both logs is compared:
//   docs/guide/record_format.md has the rules. Where two drivers part, something was told otherwise; else it is
//   unexplained.
// - The findings are judged too: every decision by itself, and the shortest of every latency.
Agreement compare_logs(const std::vector<record::Record>& tlm, const std::vector<record::Record>& clocked,
                       const LogFindings& of_tlm = {}, const LogFindings& of_clocked = {});

// JSON in both directions. An unknown verdict is read as the first one here.
NLOHMANN_JSON_SERIALIZE_ENUM(Verdict, {{Verdict::kUnexplained, "unexplained"},
                                       {Verdict::kExplained, "explained"},
                                       {Verdict::kWithinTolerance, "within_tolerance"},
                                       {Verdict::kExact, "exact"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PreemptionCounts, tlm, clocked)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LogFindings, decisions, latencies, inner_ticks, channels_take_turns, driver)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Agreement, verdict, kernels, exact_kernels, kernels_within, kernels_beyond,
                                   kernels_unexplained, max_difference, sum_of_differences, sum_of_turnarounds,
                                   mean_ratio, event_in_decision, preemptions, tlm_decisions, clocked_decisions, driver,
                                   what_differs, what_is_wrong, first_difference, explanation)

}  // namespace tessera::verification
