// SPDX-License-Identifier: Apache-2.0
// The record: one event in one cycle. All models emit these, and only these; metrics, tables, timelines and checks are
// computed from them (docs/guide/record_format.md).
#pragma once

#include <cstdint>
#include <string_view>

#include "model/base/ids.h"
#include "model/base/time.h"

namespace tessera::record {

// In canonical order: records of one cycle are sorted by kind first (completions, then preemptions done, then commands
// and the scheduler's decisions).
enum class Kind : std::uint8_t {
  kTbFinished,       // sm slot launch tb
  kTbSaved,          // sm slot launch tb, bytes: its context
  kVictimChosen,     // sm slot launch tb, technique: its exit, cycles: estimated until it has left, bytes: instructions
                     // executed so far, value: instructions wasted, later ones included
  kTbFlushed,        // sm slot launch tb: dropped, its work is lost; its handle waits in the SM
  kTbRestored,       // sm slot launch tb, bytes: its context; it resumes in this cycle
  kSmFlushed,        // sm launch, value: TBs dropped, cycles: total that they had run
  kVictimLeft,       // sm slot launch tb: a chosen TB has left, technique: its exit, cycles: since it was chosen,
                     // bytes: of its context, if saved
  kPositionGranted,  // sm slot (the position; none: the whole SM) launch (whose TBs get the place), value: number of
                     // TBs, cycles: counted against its latency limit
  kPreemptionDone,   // sm launch (the victim), bytes: saved in total, cycles: since the request, technique
  kSmPassed,         // sm launch process kernel: the kernel that shared the SM now has it alone
  kSmReturned,   // sm launch (the owner), value: the same, technique: the SM stays with its owner, since the kernel for
                 // which it was preempted has finished or no longer needs it
  kRestoreDone,  // sm launch, bytes: of the whole batch, cycles: since it started
  kSmReleased,   // sm launch: the SM becomes idle, without an owner
  kSmBusy,       // sm launch, cycles: with TBs running on the SM since it was set up or since the last such record;
                 // emitted when it is released, preempted, and at the end of the simulation
  kSmSlots,  // sm launch slot (number of slots for this kernel), slot cycles since it was set up or since the last such
             // record: cycles: TBs ran, bytes: unused because of preemption, value: unused for lack of TBs; not in
             // traces; emitted like kSmBusy, also if no TB ran
  kKernelFinished,        // launch process kernel, value: number of its TBs
  kKernelLeft,            // at the end of the simulation, a kernel still active: launch process kernel,
                          // value: TBs finished, bytes: contexts saved and not restored
  kKernelArrived,         // launch process kernel run: entered its command buffer
  kKernelActivated,       // launch process kernel: entered the active queue
  kTurnPassed,            // of a kept turn: process: the context that loses it, value: why (TurnCause)
  kTurnBegan,             // of a kept turn: process: whose it is now, cycles: since the last kTurnPassed
  kSmSetUp,               // sm launch process kernel: set-up starts
  kPolicyInvoked,         //
  kPolicyDecided,         // cycles: since it was invoked, the final check included; value: until its first move,
                          // 0 if it made none
  kPreemptionRequested,   // sm launch (the victim), value: LaunchId of the kernel the SM is reserved for, kNoNumber: of
                          // none, its context has lost its turn; technique
  kPreemptionRetargeted,  // sm launch (the victim), value: LaunchId it is reserved for now, technique
  kTbIssued,              // sm slot launch tb: runs from this cycle (a restored TB has kTbRestored instead)
  kTbRestarted,           // sm slot launch tb: a flushed TB restarts in this cycle
  kSmHeld,                // only where kernels share SMs: sm launch, value: of how many TBs it holds the places there
                          // from now on, bytes: of the SM, in parts per million, which they take
  kRestoreStarted,        // sm launch, bytes: of the whole batch
  kSaveStarted,           // sm launch, bytes: of the whole SM
  kDmaStarted,            // process, bytes, value: 0 to the GPU, 1 to the host
  kDmaEnded,              // process, bytes, value: as above
  kRunStarted,            // process run
  kRunEnded,              // process run, cycles: its turnaround
  kSmsWithheld,           // after a decision, value: SMs that stay idle by rule although a kernel needs one (dss
                          // without debt), until the next such record; emitted when there are such SMs, or no longer
                          // any
  // Actions of a driver that holds groups back, each one cycle after its cause (docs/concepts/drivers.md). Groups are
  // numbered in order of arrival.
  kGroupDone,          // process, value: group, cycles: charged for it
  kBudgetReplenished,  // value: reserve, cycles: its budget now, or 0 and bytes: its debt
  kGroupArrived,       // process, value: group, cycles: its predicted cost, 0: no prediction
  kGroupSuspended,     // process, value: group: it waits for its budget
  kGroupSubmitted,     // process, value: group, cycles: its predicted cost now, bytes: until its doorbell
  kDriverInvoked,      // value: the cause (DriverCause), cycles: of CPU time
  kRunReleased,        // process run, value: releases of the process that wait or run, including this one, cycles: its
                       // deadline from now, 0: none
  // Of a host with cores (docs/concepts/host_cores.md).
  kCpuStopped,  // process, value: core, cycles: it had it, bytes: of these, it waited for the GPU; after kCpuReady,
                // with 0 cycles: it wants none any more
  kCpuReady,    // process: it wants a core from now on; at once after kCpuStopped: it has lost its own
  kCpuStarted,  // process, value: core, cycles: since kCpuReady
  // Event-driven kernels and the driver that passes a token between them (docs/concepts/gloop.md).
  kLoopLeft,       // sm slot launch tb process, value: steps done, bytes: state written; it has left its SM
  kLoopsLeft,      // launch process, value: loops that are not done, bytes: state written, cycles: since the kernel was
                   // told to yield, 0: it was not; the kernel has left the GPU
  kIoDone,         // process tb, bytes, value: as below, cycles: since it was requested
  kTokenReleased,  // process, cycles: it was held
  kTokenRevoked,   // process, cycles: it was held; its kernel did not yield and will be preempted
  kKernelKilled,   // process: its kernel did not yield
  kTokenRequested,  // process
  kTokenGranted,    // process, cycles: since it was requested
  kYieldRequested,  // process, cycles: since it was granted the token
  kLoopResumed,     // sm slot launch tb process, value: steps done, bytes: state read; it resumes or begins
  kIoRequested,     // process tb, bytes, value: 0 a read, 1 a write
  // Actions of drivers that stop tasks, XSched and GCAPS (docs/concepts/drivers.md).
  kLaunchesDone,      // process, value: its launches that were found done
  kTaskIdle,          // process: all its work is done
  kTaskReady,         // process: it has work
  kTaskSuspended,     // process, value: its launches on the GPU; it has work and may not go on
  kTaskHalted,        // process, cycles: since it was suspended; what stops it has reached the GPU
  kTaskStopped,       // process, cycles: since it was suspended; nothing of it is on the GPU, as the driver knows
  kRunListUpdated,    // process: whose call did it, cycles: of CPU time
  kTaskResumed,       // process, cycles: since it was suspended
  kLaunchHandedOver,  // process, value: its launches on the GPU, this one included
};
inline constexpr int kNumKinds = static_cast<int>(Kind::kLaunchHandedOver) + 1;

enum class DriverCause : std::uint8_t { kArrival, kCompletion, kReplenishment, kTick };

// Why a kept turn passes: its owner has run dry, its slice is over, or a driver has taken it off the run list.
enum class TurnCause : std::uint8_t { kDry, kSliceOver, kUnlisted };

enum class Technique : std::uint8_t { kNone, kContextSwitch, kDrain, kFlush, kChimera, kDualKernel };

inline constexpr std::uint16_t kNoIndex = 0xFFFF;
inline constexpr std::uint32_t kNoNumber = 0xFFFFFFFF;

// Fields that a kind does not list keep their defaults. Other meanings of the last three fields have names (numbers.h).
struct Record {
  Cycle cycle = 0;
  Kind kind = Kind::kPolicyInvoked;
  Technique technique = Technique::kNone;
  std::uint16_t process = kNoIndex;  // index into Spec::processes
  std::uint16_t kernel = kNoIndex;   // index into the application's kernels
  std::uint16_t sm = kNoIndex;
  std::uint16_t slot = kNoIndex;     // within the SM
  std::uint32_t launch = kNoNumber;  // LaunchId
  std::uint32_t tb = kNoNumber;
  std::uint32_t run = kNoNumber;  // number of the application's run, from 0
  std::uint64_t bytes = 0;
  std::uint64_t cycles = 0;
  std::uint64_t value = 0;
};

// True for the kinds that exist once per thread block; they are emitted only while a sink wants them.
constexpr bool is_per_tb(Kind kind) {
  return kind == Kind::kTbFinished || kind == Kind::kTbSaved || kind == Kind::kTbRestored || kind == Kind::kTbIssued ||
         kind == Kind::kTbFlushed || kind == Kind::kTbRestarted;
}

constexpr bool is_of_cpu(Kind kind) {
  return kind == Kind::kCpuStopped || kind == Kind::kCpuReady || kind == Kind::kCpuStarted;
}

std::string_view to_string(Kind kind);            // "tb_finished", ...
std::string_view to_string(Technique technique);  // "context_switch", ...

// True for kinds that summarise other records; traces omit them.
constexpr bool is_counter(Kind kind) { return kind == Kind::kSmSlots; }

// The order of the log: by cycle, kind, then the indices; a total order over records that differ.
bool canonical_less(const Record& a, const Record& b);

// Receiver of the log. Records arrive in canonical order.
class ISink {
 public:
  virtual ~ISink() = default;
  virtual bool wants_per_tb() const = 0;
  // Whether it wants kSmHeld, which may come nearly as often.
  virtual bool wants_held() const { return false; }
  // Once true, the sink gets no more records, but still its finish().
  virtual bool is_done() const { return false; }
  virtual void consume(const Record& record) = 0;
  // The run is over; `end` is the first cycle that was not simulated.
  virtual void finish(Cycle end) { (void)end; }
};

}  // namespace tessera::record
