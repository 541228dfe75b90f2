// SPDX-License-Identifier: Apache-2.0
// The execution engine without SystemC: an event loop over thread block completions, timers and messages. It
// runs ahead of whoever drives it for as long as he can promise that nothing arrives.
#pragma once

#include <cstdint>
#include <vector>

#include "model/policy/scheduling_tables.h"
#include "model/record/invariant_monitor.h"
#include "model/record/record_log.h"
#include "model/spec/spec.h"
#include "tlm/execution_engine/event_tree.h"
#include "tlm/execution_engine/kernel_launch.h"
#include "tlm/execution_engine/scheduler.h"
#include "tlm/execution_engine/sm_driver.h"

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

class ExecutionCore {
 public:
  // `context_bytes` backs the context check; null when no bytes are moved.
  ExecutionCore(const spec::Spec& spec, record::RecordLog& log, PagedMemory* context_bytes);

  // Stamps are not before the last cycle that was processed.
  void send(const EngineMessage& message);

  // The next cycle in which something happens by itself; kNever: nothing until a message comes.
  Cycle next_event() const;
  // Processes everything before `limit`, except that it ends with the first cycle in which a kernel finished:
  // the answer may already come in the next. Those kernels are in `done`, which the caller clears.
  void run_until(Cycle limit);
  std::vector<KernelDone> done;

  // The last cycle in which something happened, in the driver or in the scheduler alone.
  Cycle now() const { return monitor_.now(); }
  // The simulation ends: nothing from `end` on has happened. After now().
  void finish(Cycle end);

  const policy::SchedulingTables& tables() const { return tables_; }
  const SmDriver& driver() const { return driver_; }
  record::InvariantMonitor& monitor() { return monitor_; }

 private:
  void fire_timer(std::uint32_t leaf, Cycle now);
  void deliver_messages(Cycle now);
  void deliver(const EngineMessage& message, Cycle now);
  void settle();

  const spec::Spec& spec_;
  policy::SchedulingTables tables_;
  record::InvariantMonitor monitor_;
  EventTree timers_;  // one per SM, then messages, the policy's timer, the policy's step: the order in a cycle
  SmDriver driver_;
  Scheduler scheduler_;
  std::vector<EngineMessage> inbox_;  // sorted by (stamp, sender)
};

}  // namespace tessera::tlm_model
