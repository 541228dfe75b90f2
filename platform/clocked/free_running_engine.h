// SPDX-License-Identifier: Apache-2.0
// The clocked part of the machine driven by a real clock, with one process per module: for waveforms, and to see the
// cycles that gating skips. Slow; registers and pins are the same in every cycle.
#pragma once

#include <memory>
#include <systemc>

#include "platform/clocked/clocked_core.h"
#include "tlm/base/cycle_time.h"
#include "tlm/execution_engine/execution_engine.h"

namespace tessera::platform {

class FreeRunningEngine final : public sc_core::sc_module,
                                public tlm_model::IExecutionEngine,
                                private rtl_model::IWatcher {
 public:
  FreeRunningEngine(const sc_core::sc_module_name& name, const spec::Spec& spec, record::RecordLog& log,
                    tlm_model::IEngineListener& listener, Waveform* waveform,
                    const rtl_model::SchedulerFactory& make_scheduler = {});

  void send(const tlm_model::EngineMessage& message) override { core_.send(message); }
  void set_end(Cycle end) override { end_ = end; }
  void finish(Cycle end) override { core_.finish(end); }
  tlm_model::IExecutionCore& core() override { return core_; }

 private:
  void drive_clock();
  bool wants_every_cycle() const override { return true; }
  void watch(const rtl_model::ClockCount& clock) override;

  // Core cycles. Each begins on a computed picosecond; a clock with a fixed period would drift.
  tlm_model::CycleTime time_;
  std::uint32_t clock_ratio_;
  tlm_model::IEngineListener& listener_;
  Cycle end_ = kNever;
  Cycle next_edge_ = 1;
  sc_core::sc_signal<bool> clk_;
  ClockedCore core_;
};

}  // namespace tessera::platform
