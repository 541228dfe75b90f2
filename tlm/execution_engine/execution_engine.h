// SPDX-License-Identifier: Apache-2.0
// The execution engine as a SystemC module: wakes the core when its next event is due, and lets it run ahead of
// SystemC time for as long as nothing else can happen (performance.md).
#pragma once

#include <functional>
#include <systemc>
#include <vector>

#include "tlm/base/cycle_time.h"
#include "tlm/execution_engine/execution_core.h"

namespace tessera::tlm_model {

class ExecutionEngine : public sc_core::sc_module {
 public:
  enum class Pace {
    kRunAhead,  // one SystemC activation per interaction with others
    kStepwise,  // one per event: slow, and the oracle for the former
  };

  ExecutionEngine(const sc_core::sc_module_name& name, const spec::Spec& spec, record::RecordLog& log,
                  PagedMemory* context_bytes, Pace pace);

  // A message takes effect in the cycle after `message.stamp`, which is now or later.
  void send(const EngineMessage& message);
  // Called, at the SystemC time of its cycle, for every kernel that is done.
  std::function<void(QueueId)> on_kernel_done;

  // Nothing from `end` on is simulated. Needed when the end of sc_start(T), which is no event, ends the simulation.
  void set_end(Cycle end);
  // Catches up with everything before `end`, and reports what is open then.
  void finish(Cycle end);
  // Asked between stretches of a long run; true ends the simulation at once.
  std::function<bool()> is_interrupted;

  ExecutionCore& core() { return core_; }

 private:
  void advance();
  Cycle bound() const;
  void schedule();
  void report_done();

  CycleTime time_;
  ExecutionCore core_;
  Pace pace_;
  Cycle end_ = kNever;
  Cycle wake_at_ = kNever;             // when advance_event_ is due
  std::vector<KernelDone> to_report_;  // in cycle order
  sc_core::sc_event advance_event_;
  sc_core::sc_event done_event_;
};

}  // namespace tessera::tlm_model
