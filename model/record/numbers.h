// SPDX-License-Identifier: Apache-2.0
// Names for a record's `bytes`, `cycles` and `value` where they are not its bytes or its duration. Writers and readers
// use the name, and a debug build checks it against the record's kind.
#pragma once

#include <cassert>

#include "model/record/record.h"

namespace tessera::record::number {

// number::group(record) reads it, number::group(record) = 3 writes it.
template <std::uint64_t Record::*field, Kind... kinds>
struct Named {
  constexpr std::uint64_t& operator()(Record& record) const {
    assert(((record.kind == kinds) || ...));
    return record.*field;
  }
  constexpr std::uint64_t operator()(const Record& record) const {
    assert(((record.kind == kinds) || ...));
    return record.*field;
  }
};

// SMs and their thread blocks.
inline constexpr Named<&Record::value, Kind::kPreemptionRequested, Kind::kPreemptionRetargeted, Kind::kSmReturned>
    reserved_for;  // LaunchId; kNoNumber: no kernel
inline constexpr Named<&Record::value, Kind::kSmFlushed, Kind::kPositionGranted, Kind::kKernelFinished,
                       Kind::kKernelLeft, Kind::kSmHeld>
    tbs;
inline constexpr Named<&Record::bytes, Kind::kSmHeld> share_ppm;
inline constexpr Named<&Record::cycles, Kind::kSmFlushed> lost_cycles;
inline constexpr Named<&Record::cycles, Kind::kVictimChosen> estimate;
inline constexpr Named<&Record::bytes, Kind::kVictimChosen> executed;  // instructions, like `wasted`
inline constexpr Named<&Record::value, Kind::kVictimChosen> wasted;
inline constexpr Named<&Record::cycles, Kind::kSmSlots> slots_ran;
inline constexpr Named<&Record::bytes, Kind::kSmSlots> slots_preempted;
inline constexpr Named<&Record::value, Kind::kSmSlots> slots_without_demand;

// Decisions.
inline constexpr Named<&Record::value, Kind::kPolicyDecided> until_first_move;
inline constexpr Named<&Record::value, Kind::kSmsWithheld> withheld_sms;
inline constexpr Named<&Record::value, Kind::kTurnPassed> turn_cause;  // TurnCause

// The host and its driver.
inline constexpr Named<&Record::value, Kind::kDmaStarted, Kind::kDmaEnded> is_to_host;
inline constexpr Named<&Record::value, Kind::kRunReleased> open_runs;
inline constexpr Named<&Record::cycles, Kind::kRunReleased> deadline;
inline constexpr Named<&Record::value, Kind::kGroupArrived, Kind::kGroupSuspended, Kind::kGroupSubmitted,
                       Kind::kGroupDone>
    group;
inline constexpr Named<&Record::cycles, Kind::kGroupArrived, Kind::kGroupSubmitted> predicted;
inline constexpr Named<&Record::bytes, Kind::kGroupSubmitted> until_doorbell;
inline constexpr Named<&Record::cycles, Kind::kGroupDone> charged;
inline constexpr Named<&Record::value, Kind::kBudgetReplenished> reserve;
inline constexpr Named<&Record::cycles, Kind::kBudgetReplenished> budget;  // 0 if in debt
inline constexpr Named<&Record::bytes, Kind::kBudgetReplenished> debt;
inline constexpr Named<&Record::value, Kind::kDriverInvoked> cause;  // DriverCause
inline constexpr Named<&Record::value, Kind::kLaunchesDone> launches;
inline constexpr Named<&Record::value, Kind::kTaskSuspended, Kind::kLaunchHandedOver> launches_on_gpu;
inline constexpr Named<&Record::value, Kind::kCpuStarted, Kind::kCpuStopped> core;
inline constexpr Named<&Record::bytes, Kind::kCpuStopped> spun_cycles;

// Event-driven kernels.
inline constexpr Named<&Record::value, Kind::kLoopLeft, Kind::kLoopResumed> steps;
inline constexpr Named<&Record::value, Kind::kLoopsLeft> loops_left;
inline constexpr Named<&Record::value, Kind::kIoRequested, Kind::kIoDone> is_write;

}  // namespace tessera::record::number
