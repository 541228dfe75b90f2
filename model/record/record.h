// SPDX-License-Identifier: Apache-2.0
// The record: one thing that happened, on one cycle. All models emit these, and only these; metrics,
// tables, timelines and checks are computed from them (docs/guide/record_format.md).
#pragma once

#include <cstdint>
#include <string_view>

#include "model/base/ids.h"
#include "model/base/time.h"

namespace tessera::record {

// In canonical order: records of one cycle sort by kind first (completions, then preemption done, then
// commands and what the scheduler made of them).
enum class Kind : std::uint8_t {
  kTbFinished,       // sm slot launch tb
  kTbSaved,          // sm slot launch tb, bytes: its context
  kVictimChosen,     // sm slot launch tb, technique: its way out, cycles: how long that is estimated to take,
                     // bytes: instructions that it has executed, value: of these and later ones, wasted
  kTbFlushed,        // sm slot launch tb: dropped, what it did is lost; its handle waits in the SM
  kTbRestored,       // sm slot launch tb, bytes: its context; it runs on from this cycle
  kSmFlushed,        // sm launch, value: TBs dropped, cycles: that they had run, in all
  kVictimLeft,       // sm slot launch tb: one that was chosen has left, technique: the way it took, cycles: since,
                     // bytes: of its context, where that was saved
  kPositionGranted,  // sm slot (the position; none: all of the SM) launch (whose TBs get the place), value: how many,
                     // cycles: since the clock of its latency limit started
  kPreemptionDone,   // sm launch (the victim), bytes: saved in all, cycles: since the request, technique
  kSmPassed,         // sm launch process kernel: the kernel that shared the SM has it alone now
  kSmReturned,   // sm launch (the owner), value: it, technique: the SM stays with its owner, since the kernel for which
                 // it was preempted has finished or needs it no more
  kRestoreDone,  // sm launch, bytes: of the whole batch, cycles: since it started
  kSmReleased,   // sm launch: the SM is idle, owned by nobody
  kSmBusy,       // sm launch, cycles: TBs ran on the SM since it was set up or since the last such
                 // record; emitted when it is released, preempted, and at the end of the simulation
  kSmSlots,  // sm launch slot (how many slots the SM has for it), since it was set up or since the last such record,
             // of all slots: cycles: that TBs ran, bytes: that preemption held back, value: that no TB was there for;
             // in no trace; emitted as kSmBusy, and where none ran too
  kKernelFinished,        // launch process kernel, value: TBs it had
  kKernelLeft,            // at the end of the simulation, a kernel still active: launch process kernel,
                          // value: TBs finished, bytes: contexts saved and not restored
  kKernelArrived,         // launch process kernel run: entered its command buffer
  kKernelActivated,       // launch process kernel: entered the active queue
  kSmSetUp,               // sm launch process kernel: set-up starts
  kPolicyInvoked,         //
  kPolicyDecided,         // cycles: since it was invoked, the final check included; value: until its first move,
                          // 0 if it made none
  kPreemptionRequested,   // sm launch (the victim), value: LaunchId of the kernel the SM is reserved for, technique
  kPreemptionRetargeted,  // sm launch (the victim), value: LaunchId it is reserved for now, technique
  kTbIssued,              // sm slot launch tb: runs from this cycle (a restored TB has kTbRestored instead)
  kTbRestarted,           // sm slot launch tb: a flushed one runs from this cycle, from nothing
  kRestoreStarted,        // sm launch, bytes: of the whole batch
  kSaveStarted,           // sm launch, bytes: of the whole SM
  kDmaStarted,            // process, bytes, value: 0 to the GPU, 1 to the host
  kDmaEnded,              // process, bytes, value: as above
  kRunStarted,            // process run
  kRunEnded,              // process run, cycles: its turnaround
  kSmsWithheld,           // after a decision, value: SMs that stay idle by rule though a kernel needs one (dss without
                          // debt), until the next such record; it is there when there are some, or no more
  // What a driver that holds groups back does, each in the cycle after the one in which it was told
  // (docs/concepts/drivers.md). A group has a number, in order of arrival.
  kGroupDone,          // process, value: group, cycles: charged for it
  kBudgetReplenished,  // value: reserve, cycles: its budget now, or 0 and bytes: how far it is in debt
  kGroupArrived,       // process, value: group, cycles: its predicted cost, 0: nothing is predicted
  kGroupSuspended,     // process, value: group: it waits for its budget
  kGroupSubmitted,     // process, value: group, cycles: its predicted cost now, bytes: until its doorbell
  kDriverInvoked,      // value: why (DriverCause), cycles: of the CPU
  kRunReleased,        // process run, value: releases of the process that wait or run then, this one included,
                       // cycles: its deadline, from here on, 0 where it has none
  // Of event-driven kernels and the driver that hands a token from one to another (docs/concepts/gloop.md).
  kLoopLeft,       // sm slot launch tb process, value: steps done, bytes: state written; it has left its SM
  kLoopsLeft,      // launch process, value: loops that are not done, bytes: state written, cycles: since the kernel was
                   // told to yield, 0 where it was not; it has left the GPU
  kIoDone,         // process tb, bytes, value: as below, cycles: since it was requested
  kTokenReleased,  // process, cycles: it was held
  kTokenRevoked,   // process, cycles: it was held; its kernel did not yield, and is to be preempted
  kKernelKilled,   // process: its kernel did not yield
  kTokenRequested,  // process
  kTokenGranted,    // process, cycles: since it was requested
  kYieldRequested,  // process, cycles: since it was granted the token
  kLoopResumed,     // sm slot launch tb process, value: steps done, bytes: state read; it goes on, or begins
  kIoRequested,     // process tb, bytes, value: 0 a read, 1 a write
};
inline constexpr int kNumKinds = static_cast<int>(Kind::kIoRequested) + 1;

enum class DriverCause : std::uint8_t { kArrival, kCompletion, kReplenishment, kTick };

enum class Technique : std::uint8_t { kNone, kContextSwitch, kDrain, kFlush, kChimera, kDualKernel };

inline constexpr std::uint16_t kNoIndex = 0xFFFF;
inline constexpr std::uint32_t kNoNumber = 0xFFFFFFFF;

// Fields that a kind does not name keep their defaults. What else than bytes and how long it took is in the last three
// goes by a name of its own (numbers.h).
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
  std::uint32_t run = kNoNumber;  // which replay of the application, from 0
  std::uint64_t bytes = 0;
  std::uint64_t cycles = 0;
  std::uint64_t value = 0;
};

// True for the kinds that exist once per thread block; they are emitted only while somebody listens.
constexpr bool is_per_tb(Kind kind) {
  return kind == Kind::kTbFinished || kind == Kind::kTbSaved || kind == Kind::kTbRestored || kind == Kind::kTbIssued ||
         kind == Kind::kTbFlushed || kind == Kind::kTbRestarted;
}

std::string_view to_string(Kind kind);            // "tb_finished", ...
std::string_view to_string(Technique technique);  // "context_switch", ...

// True for the kinds that count what other records tell one by one: traces leave them out.
constexpr bool is_counter(Kind kind) { return kind == Kind::kSmSlots; }

// The order of the log: by cycle, kind, then the indices; a total order over records that differ.
bool canonical_less(const Record& a, const Record& b);

// What somebody who listens to the log implements. Records arrive in canonical order.
class ISink {
 public:
  virtual ~ISink() = default;
  virtual bool wants_per_tb() const = 0;
  // True from some cycle on: it has heard enough. It gets no more records then, but still its finish().
  virtual bool is_done() const { return false; }
  virtual void consume(const Record& record) = 0;
  // The run is over; `end` is the first cycle that was not simulated.
  virtual void finish(Cycle end) { (void)end; }
};

}  // namespace tessera::record
