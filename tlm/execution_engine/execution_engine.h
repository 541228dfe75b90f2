// SPDX-License-Identifier: Apache-2.0
// The execution engine as a SystemC module. The usual one wakes its core when the next event is due, and lets it run
// ahead of SystemC time for as long as nothing else can happen (performance.md).
#pragma once

#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "tlm/base/cycle_time.h"
#include "tlm/execution_engine/i_execution_core.h"

namespace tessera::tlm_model {

// Who is told, at the SystemC time of its cycle, what the engine has done.
class IEngineListener {
 public:
  virtual void kernel_done(const KernelDone& kernel) = 0;
  // What loops of event-driven kernels ask the host for; before the kernels that are done in the same cycle.
  virtual void loop_requested(const LoopRequest& request) = 0;

 protected:
  ~IEngineListener() = default;
};

class IExecutionEngine {
 public:
  virtual ~IExecutionEngine() = default;

  // A message takes effect in the cycle after `message.stamp`, which is now or later.
  virtual void send(const EngineMessage& message) = 0;
  // Nothing from `end` on is simulated. Needed when the end of sc_start(T), which is no event, ends the simulation.
  virtual void set_end(Cycle end) = 0;
  // Catches up with everything before `end`, and reports what is open then.
  virtual void finish(Cycle end) = 0;

  virtual IExecutionCore& core() = 0;
};

class ExecutionEngine final : public sc_core::sc_module, public IExecutionEngine {
 public:
  enum class Pace {
    kRunAhead,  // one SystemC activation per interaction with others
    kStepwise,  // one per event: slow, and the oracle for the former
  };

  // `is_interrupted` is asked between stretches of a long run; true ends the simulation at once. It may be empty.
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
