// SPDX-License-Identifier: Apache-2.0
// The GPU's memory-mapped registers (docs/hardware/register_map.md). All are 64 bits wide, little-endian, and accessed
// as whole registers or aligned halves; bursts may cover several.
#pragma once

#include <cstdint>

namespace tessera::tlm_model::reg {

inline constexpr std::uint64_t kSize = 0x10000;                              // bytes of the register window
inline constexpr std::uint64_t kDeviceMemoryBytes = std::uint64_t{1} << 40;  // of the other window; sparse

inline constexpr std::uint64_t kId = 0x0000;            // RO
inline constexpr std::uint64_t kCapabilities = 0x0008;  // RO: SMs 15:0, queues 31:16, DMA engines 39:32, contexts 55:40
inline constexpr std::uint64_t kControl = 0x0010;       // RW: bit 0 enables the fetching of commands
inline constexpr std::uint64_t kStatus = 0x0018;        // RO: bit 0 a command is in flight, bit 1 kError is set,
                                                        // bit 2 the IP's core has stopped
inline constexpr std::uint64_t kInterruptStatus = 0x0020;  // RO: bit 0 kCompletion is set, bit 1 kError is set
inline constexpr std::uint64_t kInterruptEnable = 0x0028;  // RW: a bit for each of the above
inline constexpr std::uint64_t kError = 0x0030;       // RW, any write clears: the first error's code 7:0, queue 31:16
inline constexpr std::uint64_t kPolicy = 0x0038;      // RW: see PolicyFields
inline constexpr std::uint64_t kCompletion = 0x0080;  // RW1C: 16 registers, a bit per hardware queue
inline constexpr std::uint64_t kNumCompletion = 16;

inline constexpr std::uint64_t kMaxPriority = 15;

inline constexpr std::uint64_t kSmPartition = 0x3000;  // RW, per SM: its partition
inline constexpr std::uint64_t kPartition = 0x3800;    // RW, per context: the partition of its kernels

inline constexpr std::uint64_t kPartitionMask = 0x5000;  // RW, per partition, kMaskStride apart: a bit for each SM
inline constexpr std::uint64_t kMaskStride = 0x20;

inline constexpr std::uint64_t kContexts = 0x1000;  // per context, kContextStride apart
inline constexpr std::uint64_t kContextStride = 0x20;
inline constexpr std::uint64_t kNumContexts = 256;
inline constexpr std::uint64_t kPriority = 0x00;   // RW: 0 .. kMaxPriority
inline constexpr std::uint64_t kTokens = 0x08;     // RW: 9 bits; a write replaces equal sharing
inline constexpr std::uint64_t kPageTable = 0x10;  // RW: base page-table register
inline constexpr std::uint64_t kDeadline = 0x18;   // RW: its kernels' deadline in cycles after arrival; 0: none
inline constexpr std::uint64_t kDeadlineBits = 48;

inline constexpr std::uint64_t kSmCycles = 0x4000;  // RO, per context: SM cycles used

inline constexpr std::uint64_t kHeld = 0x4800;  // RW, per context: bit 0 none of its launches and copies leaves its
                                                // queue; RO: bit 1 one of them is at an engine
inline constexpr std::uint64_t kHeldAtWork = 2;
// RW, per context: what becomes of its SMs when it loses a kept turn.
inline constexpr std::uint64_t kSliceEnd = 0x7000;
inline constexpr std::uint64_t kListed = 0x7800;  // RW, per context: 1 it is on the run list, 0 it gets no turn

inline constexpr std::uint64_t kQueues = 0x8000;  // per hardware queue, kQueueStride apart
inline constexpr std::uint64_t kQueueStride = 0x20;
inline constexpr std::uint64_t kNumQueues = 1024;
inline constexpr std::uint64_t kBase = 0x00;      // RW: address of the ring in system memory
inline constexpr std::uint64_t kEntries = 0x08;   // RW: commands in the ring; a write empties the queue
inline constexpr std::uint64_t kDoorbell = 0x10;  // RW: commands written so far, counted from 0
inline constexpr std::uint64_t kHead = 0x18;      // RO: commands fetched so far

// Only in the IP (rtl/tsr_ip.v), which has no queues: its command port, and performance counters.
inline constexpr std::uint64_t kLaunchGrid = 0x0100;        // RW: thread blocks 31:0, thread blocks an SM 39:32
inline constexpr std::uint64_t kLaunchDescriptor = 0x0108;  // RW: 39:0
inline constexpr std::uint64_t kLaunchDoorbell = 0x0110;    // WO: see DoorbellFields
inline constexpr std::uint64_t kLaunchStatus = 0x0118;      // RO: bit 0 a launch waits, bit 1 a command buffer is free,
                                                            // kernels outstanding 31:16, at most 47:32
inline constexpr std::uint64_t kKernelDone = 0x0120;  // descriptor of the oldest 39:0, valid 63; a write removes it
inline constexpr std::uint64_t kCoreSize = 0x0128;  // RO: command buffers 15:0, KSRs 31:16, TBs an SM 47:32, bits of a
                                                    // TB's number 55:48
inline constexpr std::uint64_t kFeatures = 0x0130;  // RO: policies 15:0, techniques 23:16, a bit for each code; bit
                                                    // 24 a turn can be kept
inline constexpr std::uint64_t kCounters = 0x0200;  // RO: as many registers as Counter has values

// Only in an IP with a kept turn. Times are in SM cycles.
inline constexpr std::uint64_t kTimeSlice = 0x0140;    // RW: 31:0 a slice; 0: the SoC ends slices
inline constexpr std::uint64_t kSwitchCost = 0x0148;   // RW: a switch if something ran 31:0, if nothing did 63:32
inline constexpr std::uint64_t kSwitchTimer = 0x0150;  // RW: what of it counts for the slice after it 31:0; bit 32 it
                                                       // takes that long, else the SoC ends it
inline constexpr std::uint64_t kTurn = 0x0158;      // RO: whose turn it is 15:0, bit 16 it has begun, bit 17 a switch
                                                    // is under way
inline constexpr std::uint64_t kOwnSlice = 0x6000;  // RW, per context: 31:0 its slice; 0: as kTimeSlice says
inline constexpr std::uint64_t kWaiting = 0x6800;   // RW, per context: 1 a launch is on its way to the command port

inline constexpr std::uint64_t kIdValue = 0x0002'5445'5353'4552;  // version 2, "TESSER"

inline constexpr std::uint64_t kInterruptCompletion = 1;
inline constexpr std::uint64_t kInterruptError = 2;

enum class ErrorCode : std::uint8_t {
  kNone = 0,
  kBadOpcode = 1,
  kBadKernel = 2,    // no thread blocks, too large for an SM, or no such process or priority
  kBadContext = 3,   // no such context
  kBadAddress = 4,   // ring, descriptor, fence or copy outside of memory
  kBadDoorbell = 5,  // more commands than the ring holds, or fewer than were fetched
  kBadPolicy = 6,    // a write of kPolicy that names no policy or technique of the execution engine
  kBadWait = 7,      // a wait for a queue that does not exist, or for the command's own queue
  kPortFull = 8,     // a launch is waiting in the IP's command port, whose registers cannot be written until it leaves
  kFault = 9,        // the IP's core has stopped: a word of a RAM was wrong
  kBadGraph = 10,    // no nodes or too many, or an edge that does not lead to a later node
};

// Performance counters of the IP, in the order of their registers.
enum class Counter : std::uint8_t {
  kCycles,
  kPolicyInvoked,
  kPolicyDecided,
  kDecisionCycles,
  kActivated,
  kAssigned,
  kReserved,
  kRetargeted,
  kCancelled,
  kPreempted,
  kReleased,
  kKernelsDone,
  kFreshTbs,
  kRestoredTbs,
  kTurnsPassed,
  kTurnsBegan,
};
inline constexpr std::uint64_t kNumCounters = static_cast<std::uint64_t>(Counter::kTurnsBegan) + 1;

// Fields of kLaunchDoorbell.
struct DoorbellFields {
  static constexpr unsigned kContextShift = 0;       // 16 bits
  static constexpr unsigned kPriorityShift = 16;     // 4 bits
  static constexpr unsigned kOwnPriorityShift = 20;  // 1 bit: use the priority above instead of the context's
};

// Fields of kPolicy; codes as in model/spec/policies.h, values as in the enumerations of spec.h.
struct PolicyFields {
  static constexpr unsigned kPolicyShift = 0;           // 8 bits
  static constexpr unsigned kTechniqueShift = 8;        // 8 bits
  static constexpr unsigned kAccessShift = 16;          // 1 bit
  static constexpr unsigned kExclusiveScopeShift = 17;  // 1 bit
  static constexpr unsigned kTokenScopeShift = 18;      // 1 bit
  static constexpr unsigned kDebtShift = 19;            // 2 bits
  static constexpr unsigned kRemainderShift = 21;       // 1 bit
  static constexpr unsigned kPartitionOrderShift = 22;  // 1 bit, with static_partition in the engine
  static constexpr unsigned kTurnShift = 23;            // 1 bit
  static constexpr unsigned kSwitchScopeShift = 24;     // 1 bit
};

}  // namespace tessera::tlm_model::reg
