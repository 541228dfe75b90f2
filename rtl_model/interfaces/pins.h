// SPDX-License-Identifier: Apache-2.0
// The ports of tsr_scheduler, bundle by bundle (docs/hardware/timing.md has the rules and a picture of each). An output
// is stable for its whole cycle; an input is sampled at the edge that ends the cycle.
#pragma once

#include <cstdint>

#include "model/base/sm_set.h"

namespace tessera::rtl_model {

using tessera::kNone;
using tessera::SmSet;

// Command in: a kernel launch for one command buffer. May be valid only if the buffer is free.
struct CommandPins {
  bool valid = false;
  std::uint32_t buffer = 0;
  std::uint32_t context = 0;
  std::uint32_t priority = 0;
  std::uint32_t num_tbs = 0;
  std::uint32_t tbs_per_sm = 0;
  std::uint64_t descriptor = 0;  // address of the launch descriptor
  bool has_due = false;          // edf, np_edf: the kernel has a deadline,
  std::uint32_t due = 0;         // which is this time, in units of 1024 cycles, modulo 2^32
  std::uint32_t partition = 0;   // static_partition: the kernel's
};

// Control registers: one write per cycle, accepted while `control_ready` is 1. Undefined codes have no effect.
enum class ControlRegister : std::uint8_t {
  kPolicy,     // data: policy_register.h has the layout
  kPriority,   // of a context
  kTokens,     // of a context; ends equal sharing for it
  kPageTable,  // of a context
  kPartition,  // of an SM, both in the data: sm_partition_data()
  kSliceEnd,   // of a context, with a kept turn: the value of a spec::SliceEnd
};
struct ControlPins {
  bool valid = false;
  ControlRegister reg = ControlRegister::kPolicy;
  std::uint32_t context = 0;
  std::uint64_t data = 0;
};

// SM in 15:8, partition in 7:0.
constexpr std::uint64_t sm_partition_data(std::uint32_t sm, std::uint32_t partition) {
  return std::uint64_t{sm} << 8 | partition;
}

// SM event in, with back-pressure.
enum class SmEventKind : std::uint8_t {
  kTbDone,
  kSetupDone,
  kRestoreDone,
  kPreempted,  // the SM is empty, and its handles are in the PTBQ
};
struct SmEventPins {
  bool valid = false;
  std::uint32_t sm = 0;
  SmEventKind kind = SmEventKind::kTbDone;
  std::uint32_t tag = 0;  // kSetupDone: of the set-up that is answered; 0 in a core without tags
};

// Handle in: of a context being saved; always accepted.
struct HandlePins {
  bool valid = false;
  std::uint32_t sm = 0;
  std::uint32_t tb = 0;
  std::uint32_t stack_pointer = 0;
};

// SM control out: always accepted.
enum class SmControlKind : std::uint8_t {
  kSetup,  // context, page table, descriptor
  kTrap,   // save everything
  kFlush,  // drop TBs that can be restarted; the others as the SM is configured
};
struct SmControlPins {
  bool valid = false;
  std::uint32_t sm = 0;
  SmControlKind kind = SmControlKind::kSetup;
  std::uint32_t context = 0;
  std::uint64_t page_table = 0;
  std::uint64_t descriptor = 0;
  std::uint32_t tag = 0;  // kSetup; 0 in a core without tags
};

// Dispatch out: a thread block for an SM's lowest free slot; always accepted, never in the cycle of a control command
// to the same SM.
struct DispatchPins {
  bool valid = false;
  std::uint32_t sm = 0;
  bool is_restore = false;  // a preempted TB, whose context is at `stack_pointer`
  bool last = false;        // the contexts of TBs sent since the last restore are now restored
  std::uint32_t tb = 0;
  std::uint32_t stack_pointer = 0;
};

struct KernelDonePins {
  bool valid = false;
  std::uint64_t descriptor = 0;
};

// Change of the SMs that a context holds (as counted by its tokens): freed by the last edge's WRITE; -n: n more are
// held.
struct UsagePins {
  bool valid = false;
  std::uint32_t context = 0;
  std::int32_t freed = 0;
};

// What happened at the last edge, for performance counters and traces. Registered outputs.
enum class MoveKind : std::uint8_t { kAssign, kReserve, kRetarget };
// Why a kept turn passes.
enum class TurnCause : std::uint8_t { kDry, kSliceOver, kUnlisted };
// Only one job acts per cycle, so its fields are shared by all pulses except the policy's.
struct EventPins {
  bool policy_invoked = false;
  bool policy_decided = false;
  bool withheld = false;     // with policy_decided: an SM stays idle by rule although a kernel needs one
  bool activated = false;    // a kernel entered the active queue: buffer, ksr
  bool moved = false;        // the policy moves an SM: move, sm, ksr that gets it
  bool cancelled = false;    // with moved: a draining SM went back to its owner
  bool preempted = false;    // the preemption of an SM is over: sm; ksr: its new owner, unless released
  bool released = false;     // an SM became idle: sm
  bool evicted = false;      // an eviction has taken all SMs away from their kernels
  bool turn_passed = false;  // a kept turn is on its way to another context, by turn_cause
  bool turn_began = false;   // a kept turn has an owner, `turn`, whose commands may run
  std::uint32_t buffer = 0;
  MoveKind move = MoveKind::kAssign;
  std::uint32_t sm = 0;
  std::uint32_t ksr = 0;
  TurnCause turn_cause = TurnCause::kDry;

  bool any() const {
    return policy_invoked || policy_decided || activated || moved || cancelled || preempted || released || evicted ||
           turn_passed || turn_began;
  }
};

// Everything driven from outside.
struct SchedulerInputs {
  CommandPins command;
  ControlPins control;
  bool slice_tick = false;   // of the timer outside
  bool linger_over = false;  // of the timer outside
  bool sm_tick = true;       // the last core cycle of an SM cycle
  SmEventPins sm_event;
  HandlePins handle;
  // For a kept turn. By context: a launch is on its way; it is on the run list.
  SmSet waiting, listed;
  bool lists_change = false;  // no pin: `waiting` or `listed` is not what it was in the cycle before
  bool switch_over = false;   // of the timer outside

  // Every cycle, so that `lists_change` falls again.
  void set_lists(const SmSet& now_waiting, const SmSet& now_listed) {
    lists_change = waiting != now_waiting || listed != now_listed;
    waiting = now_waiting;
    listed = now_listed;
  }
  // Any input except sm_tick.
  bool any() const {
    return command.valid || control.valid || slice_tick || linger_over || sm_event.valid || handle.valid ||
           lists_change || switch_over;
  }
};

// Outputs; all are functions of registers only.
struct SchedulerOutputs {
  SmSet buffer_free;  // by command buffer
  bool control_ready = true;
  bool slice_timer_enable = false;
  bool linger_start = false;
  std::uint32_t turn = 0;     // whose kept turn it is, or is to be
  bool switch_start = false;  // a switch begins: nothing of the last owner is on the GPU any more
  bool switch_runs = false;   // with switch_start: something was running when the turn passed
  bool sm_event_ready = false;
  SmControlPins sm_control;
  DispatchPins dispatch;
  KernelDonePins kernel_done;
  UsagePins usage;
  EventPins events;
  bool idle = true;
};

}  // namespace tessera::rtl_model
