// SPDX-License-Identifier: Apache-2.0
// How long the core, which does one job at a time, takes for what, in cycles of its clock (docs/hardware/timing.md 5,
// 6): one place for the models that do not go through its phases.
#pragma once

#include <cstdint>

#include "model/base/time.h"
#include "model/spec/spec_fwd.h"

namespace tessera::spec {

// Of a job, from its PICK on.
inline constexpr Cycle kToBurst = 6;         // PICK, FIND, SM, ROW, LOAD, CALC
inline constexpr Cycle kToWrite = kToBurst;  // of a job that issues nothing; a TB more, a cycle later
inline constexpr Cycle kToRejection = 5;     // its CALC
inline constexpr Cycle kVisitCycles = 4;     // ROW to WRITE
inline constexpr Cycle kNoSmCycles = 2;      // FIND, SM: not of activate, deal
inline constexpr Cycle kDealCycles = 8;      // of a kernel: from reading its entry to reading the next one
inline constexpr Cycle kHandleLead = 7;      // from PICK to the pins: the issue latency that a handle has behind it

// Of the search.
inline constexpr Cycle kToJudge = 3;  // from a walk's last row
inline constexpr Cycle kWalkBeyondSteps = kToJudge + 1;
inline constexpr Cycle kScanBeyond = 2;  // cycles of a scan beyond one a command buffer
inline constexpr Cycle kOfferLead = 5;   // an activation is offered so long before its cycles are over

// Of a step of a walk, in which rows pass.
Cycle walk_step_cycles(const Spec& spec);
// From BEGIN to JUDGE, less BEGIN; the same from JUDGE to JUDGE of a second walk.
Cycle walk_core_cycles(const Spec& spec);
// The latency that is asked for; from BEGIN on, if the engine has nothing else to do.
Cycle given_activation_cycles(const Spec& spec);
Cycle activation_core_cycles(const Spec& spec);

// How long an SM that a kernel leaves is kept, in SM cycles; 0: not at all.
Cycle linger_cycles(const Spec& spec);

// From PICK to the next PICK, at the most: a second visit, or a thread block for each slot and a carry.
Cycle longest_job_core_cycles(const Spec& spec);

// Entries that a step of the search may look at: 1, 2 or 4.
constexpr bool is_search_width(std::uint32_t width) { return width == 1 || width == 2 || width == 4; }

// The least `tb_issue_cycles` that the core can do: a finished TB's slot is refilled so much later.
std::uint32_t min_tb_issue_cycles(std::uint32_t clock_ratio);

// Is the machine's engine the serialised one, which takes the core's time for each job? Else it is the ideal one.
bool has_one_job_engine(const Spec& spec);

}  // namespace tessera::spec
