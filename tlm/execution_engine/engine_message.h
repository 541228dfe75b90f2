// SPDX-License-Identifier: Apache-2.0
// Messages to the execution engine: from the dispatcher, from the OS, and from the host to device event loops.
#pragma once

#include <cstdint>
#include <variant>

#include "model/base/ids.h"
#include "model/base/sm_set.h"
#include "model/base/time.h"
#include "model/spec/scheduler_spec.h"
#include "tlm/execution_engine/kernel_launch.h"

namespace tessera::tlm_model {

// ---- registers that the OS writes ----------------------------------------------------------------------------

// Applies to the context's launches, including those already in the engine.
struct SetPriority {
  ContextId context{};
  std::uint32_t priority = 0;
};
struct SetTokens {
  ContextId context{};
  std::uint32_t tokens = 0;
};
struct SetPageTable {
  ContextId context{};
  std::uint64_t base = 0;  // address in device memory
};
struct SetPolicy {
  spec::SchedulerSpec scheduler;
};
struct SetPartition {
  SmId sm{};
  PartitionId partition{};
};
struct SetMask {
  PartitionId partition{};
  SmSet sms;
};
// What becomes of the context's SMs when its slice ends, under a kept turn.
struct SetSliceEnd {
  ContextId context{};
  spec::SliceEnd slice_end = spec::SliceEnd::kTechnique;
};
using RegisterWrite = std::variant<SetPriority, SetTokens, SetPageTable, SetPolicy, SetPartition, SetMask, SetSliceEnd>;

// ---- what a kept turn knows of contexts (docs/hardware/timing.md 3.12, 7.6) ------------------------------------

// A launch of the context is on its way to the engine; at first none is.
struct SetWaiting {
  ContextId context{};
  bool is_waiting = false;
};
// The context is on the run list; at first all are.
struct SetListed {
  ContextId context{};
  bool is_listed = true;
};
using TurnInput = std::variant<SetWaiting, SetListed>;

// ---- words of the host to the loops of an event-driven kernel ------------------------------------------------

// Words carry the launch's number, so that one which arrives too late does not affect a later launch.
struct Yield {
  ContextId context{};
  std::uint64_t launch_number = 0;
};
struct IoDone {
  ContextId context{};
  std::uint32_t tb = 0;
};
struct Kill {
  ContextId context{};
  std::uint64_t launch_number = 0;
};
using LoopWord = std::variant<Yield, IoDone, Kill>;

// ---- other traffic of memory that answers later under load -----------------------------------------------------

// A copy between host and device begins to move its bytes, or has moved them.
struct CopyTraffic {
  bool starts = false;
};

// ---- messages ------------------------------------------------------------------------------------------------

// A message with time stamp c takes effect in cycle c + 1, after that cycle's completions. Messages with the same stamp
// are ordered by sender, so the result does not depend on the order in which SystemC ran the sending processes.
struct EngineMessage {
  Cycle stamp = 0;
  std::uint32_t sender =
      0;  // hardware queue; num_hardware_queues: registers, a turn's inputs, copies; above: the loops' host
  std::variant<KernelLaunch, RegisterWrite, LoopWord, TurnInput, CopyTraffic> what;
};

}  // namespace tessera::tlm_model
