// SPDX-License-Identifier: Apache-2.0
// Latencies of the serialised core in core cycles (docs/hardware/timing.md 5, 6), for the models that do not go through
// its phases.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/base/time.h"
#include "model/spec/spec_fwd.h"

namespace tessera::spec {

// Jobs, counted from PICK.
inline constexpr Cycle kToBurst = 6;          // PICK, FIND, SM, ROW, LOAD, CALC
inline constexpr Cycle kToWrite = kToBurst;   // for a job that issues nothing; each TB adds a cycle
inline constexpr Cycle kToRejection = 5;      // up to CALC
inline constexpr Cycle kAssignBeyondSms = 5;  // an assign's WRITE, and a cycle for each SM that it gives
inline constexpr Cycle kAssignToFirst = 4;    // up to the cycle in which it gives the first one
inline constexpr Cycle kVisitCycles = 4;      // ROW to WRITE
inline constexpr Cycle kEvictionVisitCycles = kVisitCycles + 1;  // FIND, ROW to WRITE, a kernel
inline constexpr Cycle kNoSmCycles = 2;  // FIND, SM: skipped by activation, assign and token redistribution
inline constexpr Cycle kDealCycles = 8;  // per kernel: from reading its entry to reading the next one
inline constexpr Cycle kHandleLead = 7;  // from PICK to the pins: the part of the issue latency already over for a
                                         // handle

// The search.
inline constexpr Cycle kToJudge = 3;  // from a walk's last entries to JUDGE
inline constexpr Cycle kWalkBeyondSteps = kToJudge + 1;
inline constexpr Cycle kScanBeyond = 2;  // cycles of a scan in addition to one per command buffer
inline constexpr Cycle kOfferLead = 5;   // an activation is offered this long before its cycles are over

// Cycles of one step of a walk.
Cycle walk_step_cycles(const Spec& spec);
// From BEGIN to JUDGE, without BEGIN: with so many kernels in the active queue, and at most.
Cycle walk_core_cycles(const Spec& spec, std::size_t num_entries);
Cycle walk_core_cycles(const Spec& spec);
// The configured activation latency; and the latency from BEGIN on if the engine is otherwise idle.
Cycle given_activation_cycles(const Spec& spec);
Cycle activation_core_cycles(const Spec& spec);

// The hold-off in SM cycles: how long an SM that a kernel leaves is kept; 0: not at all.
Cycle linger_cycles(const Spec& spec);

// The refill lane: how long it may keep a visit in ROW, and from an event's entry until a job may take it, if nothing
// else is before it; 0 without a lane.
Cycle lane_row_wait_cycles(const Spec& spec);
Cycle lane_entry_cycles(const Spec& spec);

// Maximum from PICK to the next PICK: a second visit, or a thread block for each slot and a carry.
Cycle longest_job_core_cycles(const Spec& spec);

// Entries that a step of the search may look at: 1, 2 or 4.
inline constexpr std::uint32_t kWidestSearch = 4;
constexpr bool is_search_width(std::uint32_t width) { return width == 1 || width == 2 || width == kWidestSearch; }

// The smallest `tb_issue_cycles`, from a TB's end to the refill of its slot, that the core supports.
std::uint32_t min_tb_issue_cycles(std::uint32_t clock_ratio);

// True for the serialised engine, which takes the core's time for each job; false for the ideal one.
bool has_one_job_engine(const Spec& spec);

}  // namespace tessera::spec
