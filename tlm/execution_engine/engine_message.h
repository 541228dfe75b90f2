// SPDX-License-Identifier: Apache-2.0
// What is sent to an execution engine: by the dispatcher, by the OS, and by the host to loops.
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

// Of the context's launches, those that are in the engine as well.
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
using RegisterWrite = std::variant<SetPriority, SetTokens, SetPageTable, SetPolicy, SetPartition, SetMask>;

// ---- words of the host to the loops of an event-driven kernel ------------------------------------------------

// A launch has a number, so that a word that comes too late finds nobody.
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

// ---- messages ------------------------------------------------------------------------------------------------

// A message with time stamp c takes effect in cycle c + 1, after the completions of that cycle; messages of one time
// stamp in the order of their senders. So it does not matter in which order the sending processes ran.
struct EngineMessage {
  Cycle stamp = 0;
  std::uint32_t sender = 0;  // hardware queue; num_hardware_queues: the registers; above: the host of loops
  std::variant<KernelLaunch, RegisterWrite, LoopWord> what;
};

}  // namespace tessera::tlm_model
