// SPDX-License-Identifier: Apache-2.0
// The clocked part of the machine behind the interface of an execution core: driven by one SystemC process that skips
// idle cycles and runs ahead.
#pragma once

#include "platform/clocked/command_adapter.h"
#include "platform/clocked/waveform.h"
#include "rtl_model/observe/recorder.h"
#include "rtl_model/observe/table_checks.h"
#include "tlm/execution_engine/i_execution_core.h"

namespace tessera::platform {

// Checks the tables whenever something has changed hands.
class InvariantWatcher final : public rtl_model::IWatcher {
 public:
  InvariantWatcher(const spec::Spec& spec, const rtl_model::ClockedEngine& engine, const rtl_model::Recorder& recorder,
                   record::InvariantMonitor& monitor);
  bool wants_every_cycle() const override { return false; }
  void watch(const rtl_model::ClockCount& clock) override;
  void set_scheduler(const spec::SchedulerSpec& scheduler) { scheduler_ = scheduler; }

 private:
  const rtl_model::ClockedEngine& engine_;
  const rtl_model::Recorder& recorder_;
  spec::SchedulerSpec scheduler_;
  rtl_model::TableChecks checks_;
  rtl_model::CoreSnapshot core_;
  bool is_recount_due_ = false;
  bool is_steady_check_due_ = false;
};

class ClockedCore final : public tlm_model::IExecutionCore {
 public:
  // Modules become children of the module under construction.
  // `waveform` may be null; `make_scheduler` supplies a core other than TsrScheduler.
  ClockedCore(const spec::Spec& spec, record::RecordLog& log, Waveform* waveform,
              const rtl_model::SchedulerFactory& make_scheduler = {});

  void send(const tlm_model::EngineMessage& message) override;
  Cycle next_event() const override;
  void run_until(Cycle limit) override;
  Cycle now() const override { return engine_.clock().sm; }
  void finish(Cycle end) override;
  record::InvariantMonitor& monitor() override { return monitor_; }
  spec::Cores which() const override;
  std::uint64_t sm_cycles(ContextId context, Cycle now) const override { return engine_.sm_cycles(context, now); }

  rtl_model::ClockedEngine& engine() { return engine_; }
  // Call after a cycle: puts finished kernels into done() and requests of loops into loop_requests().
  void collect_done();

 private:
  Cycle next_core_cycle() const;

  record::InvariantMonitor monitor_;
  rtl_model::Params params_;
  rtl_model::Recorder recorder_;
  rtl_model::LaunchTable launches_;
  rtl_model::LoopMemory loops_;
  CommandAdapter adapter_;
  rtl_model::ClockedEngine engine_;
  InvariantWatcher invariants_;
  Waveform* waveform_;
};

}  // namespace tessera::platform
