// SPDX-License-Identifier: Apache-2.0
// What is sent to an execution engine.
#pragma once

#include <cstdint>

#include "model/base/sm_set.h"
#include "model/spec/scheduler_spec.h"
#include "tlm/execution_engine/kernel_launch.h"

namespace tessera::tlm_model {

// A message with time stamp c takes effect in cycle c + 1, after the completions of that cycle; messages of one time
// stamp in the order of their senders. So it does not matter in which order the sending processes ran.
struct EngineMessage {
  enum class Kind : std::uint8_t {
    kLaunch,
    kSetPriority,
    kSetTokens,
    kSetPolicy,
    kSetPageTable,
    kSetPartition,
    kSetMask,
    kYield,
    kIoDone,
    kKill
  };
  Kind kind = Kind::kLaunch;
  Cycle stamp = 0;
  std::uint32_t sender = 0;       // hardware queue, or num_hardware_queues for the registers
  KernelLaunch launch;            // kLaunch
  ContextId context{};            // kSet..., and whose loops: kYield, kIoDone, kKill
  SmId sm{};                      // kSetPartition
  std::uint64_t value = 0;        // priority, tokens, base page table, partition; kIoDone: the thread block
  SmSet mask;                     // kSetMask: of partition `value`
  spec::SchedulerSpec scheduler;  // kSetPolicy
};

}  // namespace tessera::tlm_model
