// SPDX-License-Identifier: Apache-2.0
// The execution engine as a SystemC module. It wakes its core when the next event is due and lets the core run ahead of
// SystemC time for as long as nothing else can happen (performance.md).
#pragma once

#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "tlm/base/cycle_time.h"
#include "tlm/execution_engine/i_execution_core.h"

namespace tessera::tlm_model {

// Receives what the engine has done, at the SystemC time of the cycle in which it happened.
class IEngineListener {
 public:
  virtual void kernel_done(const KernelDone& kernel) = 0;
  // Requests of event-driven kernels' loops to the host; reported before the kernels that finish in the same cycle.
  virtual void loop_requested(const LoopRequest& request) = 0;

 protected:
  ~IEngineListener() = default;
};

class IExecutionEngine {
 public:
  virtual ~IExecutionEngine() = default;

  // A message takes effect in the cycle after `message.stamp`, which is now or later.
  virtual void send(const EngineMessage& message) = 0;
  // Nothing from `end` on is simulated. Required when sc_start(T) ends the simulation, since the end of T is not an
  // event.
  virtual void set_end(Cycle end) = 0;
  // Processes everything before `end` and reports what is still open then.
  virtual void finish(Cycle end) = 0;

  virtual IExecutionCore& core() = 0;
};

class ExecutionEngine final : public sc_core::sc_module, public IExecutionEngine {
 public:
  enum class Pace {
    kRunAhead,  // one SystemC activation per interaction with others
    kStepwise,  // one per event: slow; the reference for kRunAhead
  };

  // `is_interrupted`, which may be empty, is polled during a long run; true ends the simulation at once.
  ExecutionEngine(const sc_core::sc_module_name& name, std::uint64_t clock_hz, std::unique_ptr<IExecutionCore> core,
                  Pace pace, IEngineListener& listener, std::function<bool()> is_interrupted = {});

  void send(const EngineMessage& message) override;
  void set_end(Cycle end) override;
  void finish(Cycle end) override;
  IExecutionCore& core() override { return *core_; }

 private:
  void advance();
  Cycle bound() const;
  void schedule();
  void collect();
  void plan_report();
  void report_done();

  CycleTime time_;
  std::unique_ptr<IExecutionCore> core_;
  Pace pace_;
  IEngineListener& listener_;
  std::function<bool()> is_interrupted_;
  Cycle end_ = kNever;
  Cycle wake_at_ = kNever;                       // when advance_event_ is due
  std::vector<KernelDone> to_report_;            // in cycle order
  std::vector<LoopRequest> requests_to_report_;  // in cycle order
  sc_core::sc_event advance_event_;
  sc_core::sc_event done_event_;
};

}  // namespace tessera::tlm_model
