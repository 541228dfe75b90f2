// SPDX-License-Identifier: Apache-2.0
// The execution engine without SystemC: an event loop over thread block completions, timers and messages. It may run
// ahead up to the earliest cycle in which input can arrive.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/base/event_tree.h"
#include "model/base/sm_usage.h"
#include "model/policy/scheduling_tables.h"
#include "model/record/checks/invariant_monitor.h"
#include "model/record/record_log.h"
#include "model/spec/spec_fwd.h"
#include "tlm/execution_engine/engine_message.h"
#include "tlm/execution_engine/i_execution_core.h"
#include "tlm/execution_engine/one_job/one_job_driver.h"
#include "tlm/execution_engine/scheduler.h"
#include "tlm/execution_engine/sm_control/i_sm_driver.h"
#include "tlm/execution_engine/sm_control/sm_parts.h"

namespace tessera::tlm_model {

class ExecutionCore final : public IExecutionCore {
 public:
  // `context_bytes` backs the context check; null when no bytes are moved.
  ExecutionCore(const spec::Spec& spec, record::RecordLog& log, PagedMemory* context_bytes);

  void send(const EngineMessage& message) override;
  Cycle next_event() const override;
  void run_until(Cycle limit) override;
  // The last processed cycle, whether its events were in the driver or only in the scheduler.
  Cycle now() const override { return monitor_.now(); }
  void finish(Cycle end) override;
  record::InvariantMonitor& monitor() override { return monitor_; }
  spec::Cores which() const override;
  std::uint64_t sm_cycles(ContextId context, Cycle now) const override { return usage_.sm_cycles(context, now); }

  record::MemoryResult memory() const override;

  const policy::SchedulingTables& tables() const { return tables_; }
  const SmArray& array() const { return array_; }
  const SmOwners& owners() const { return parts_.owners; }
  const Ptbq& ptbq(KsrId id) const { return parts_.supply.ptbq(id); }

 private:
  std::unique_ptr<ISmDriver> make_driver();
  std::unique_ptr<Scheduler> make_scheduler();
  void fire_timer(std::uint32_t leaf, Cycle now);
  void refill_later(Cycle now);
  void deliver_messages(Cycle now);
  void deliver(const EngineMessage& message, Cycle now);
  void take(const RegisterWrite& write, Cycle now);
  void take(const TurnInput& input, Cycle now);
  Cycle next_loop() const;
  void settle(Cycle now);
  bool is_giving() const;
  void count_usage();

  const spec::Spec& spec_;
  policy::SchedulingTables tables_;
  record::InvariantMonitor monitor_;
  // Leaves, in their order within a cycle: one per SM, then links if SMs have some, messages, policy timer, timer of a
  // switch, policy step, engine job; a look at a kept turn before messages, or before the step.
  EventTree timers_;
  SmParts parts_;
  SmArray& array_;                          // part of parts_
  OneJobDriver* one_job_driver_ = nullptr;  // driver_, if it has this type; else null
  std::unique_ptr<ISmDriver> driver_;
  std::unique_ptr<Scheduler> scheduler_;
  std::vector<EngineMessage> inbox_;  // sorted by (stamp, sender)
  SmUsage usage_;
  std::vector<std::int64_t> held_sms_;  // by context, as last counted
  std::uint64_t counted_moves_ = 0;
};

}  // namespace tessera::tlm_model
