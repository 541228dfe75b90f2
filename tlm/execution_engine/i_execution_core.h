// SPDX-License-Identifier: Apache-2.0
// What an execution engine is to the rest of the GPU, whatever is inside: messages go in, kernels get done, and time
// is a number of GPU cycles. Transaction-level, clocked and Verilated engines stand behind it.
#pragma once

#include <cstdint>
#include <vector>

#include "model/record/checks/invariant_monitor.h"
#include "model/spec/policies.h"
#include "model/spec/spec.h"
#include "tlm/execution_engine/kernel_launch.h"

namespace tessera::tlm_model {

// What is sent to the engine. A message with time stamp c takes effect in cycle c + 1, after the completions of
// that cycle; messages of one time stamp in the order of their senders. So it does not matter in which order
// the sending processes ran.
struct EngineMessage {
  enum class Kind : std::uint8_t { kLaunch, kSetPriority, kSetTokens, kSetPolicy, kSetPageTable };
  Kind kind = Kind::kLaunch;
  Cycle stamp = 0;
  std::uint32_t sender = 0;       // hardware queue, or num_hardware_queues for the registers
  KernelLaunch launch;            // kLaunch
  ContextId context{};            // kSet...
  std::uint64_t value = 0;        // priority, tokens, base page table
  spec::SchedulerSpec scheduler;  // kSetPolicy
};

// What the engine sends: a kernel of that hardware queue is done.
struct KernelDone {
  QueueId queue{};
  Cycle cycle = 0;
};

class IExecutionCore {
 public:
  virtual ~IExecutionCore() = default;

  // Stamps are not before the last cycle that was processed.
  virtual void send(const EngineMessage& message) = 0;

  // The next cycle in which something happens by itself; kNever: nothing until a message comes.
  virtual Cycle next_event() const = 0;
  // Processes everything before `limit`, except that it ends with the first cycle in which a kernel finished:
  // the answer may already come in the next. Those kernels are in `done`, which the caller clears.
  virtual void run_until(Cycle limit) = 0;
  std::vector<KernelDone> done;

  // The last cycle in which something happened.
  virtual Cycle now() const = 0;
  // The simulation ends: nothing from `end` on has happened. After now().
  virtual void finish(Cycle end) = 0;

  virtual record::InvariantMonitor& monitor() = 0;
  // Of the table of policies: it is sent none that this core does not have.
  virtual spec::Cores which() const = 0;
};

}  // namespace tessera::tlm_model
