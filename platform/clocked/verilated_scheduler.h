// SPDX-License-Identifier: Apache-2.0
// The Verilated Verilog core as a replacement for rtl_model::TsrScheduler: the same pins in the same cycles.
#pragma once

#include <functional>
#include <memory>

#include "cosim/i_verilated_core.h"
#include "rtl_model/base/clocked_module.h"
#include "rtl_model/interfaces/i_scheduler_core.h"

namespace tessera::platform {

// All outputs are functions of registers (docs/hardware/timing.md 1.3). So the core gets the inputs of a cycle and its
// clock edge as soon as they are known (comb_inputs), and its new outputs are delayed until the next cycle begins. In
// quiet cycles only the core is clocked. Whether a cycle was quiet is known only after the edge; if it was not, the
// whole machine processes that cycle and the edge is not repeated.
class VerilatedScheduler final : public rtl_model::ClockedModule, public rtl_model::ISchedulerCore {
 public:
  VerilatedScheduler(const sc_core::sc_module_name& name, const rtl_model::Params& params,
                     const rtl_model::SchedulerInputs& inputs, std::unique_ptr<cosim::IVerilatedCore> core);

  const rtl_model::SchedulerOutputs& outputs() const override { return out_; }
  const rtl_model::KernelDonePins& kernel_done_d() const override { return next_.kernel_done; }
  const rtl_model::UsagePins& usage_d() const override { return next_.usage; }
  const rtl_model::EventPins& events_d() const override { return next_.events; }
  bool has_events_d() const override { return next_.events.any() || next_.kernel_done.valid || next_.usage.valid; }

  void comb_outputs() override {
    if (!is_edge_taken_) out_ = next_;
  }
  void comb_inputs() override;
  void seq_all() override { seq(); }
  bool is_idle() override { return next_.idle; }
  Cycle run_quietly(Cycle limit, bool event_waits) override;

  void seq() override { is_snapshot_old_ = true; }
  void bind_clock(const sc_core::sc_signal_in_if<bool>& clock) override;

  // After comb_inputs: the registers as of the coming edge.
  void read(rtl_model::CoreSnapshot& snapshot) override { core_->read(snapshot); }
  // Pins and tables, under the names that TsrScheduler has for them.
  void list_signals(rtl_model::ISignalSink& signals) const override;

  cosim::IVerilatedCore& core() { return *core_; }
  // Called in every cycle in which the core is clocked, before its edge, when the inputs are known.
  void on_clock(std::function<void()> listener) { on_clock_ = std::move(listener); }
  // Adds this cycle to the waveform when a fault in it is about to end the run.
  void show_last_cycle();

 private:
  const rtl_model::CoreSnapshot& registers() const;
  bool is_left_alone(bool event_waits) const;

  const rtl_model::Params& params_;
  const rtl_model::SchedulerInputs& in_;
  std::unique_ptr<cosim::IVerilatedCore> core_;
  const rtl_model::SchedulerOutputs& next_;  // the core's
  rtl_model::SchedulerOutputs out_;
  bool is_edge_taken_ = false;  // of the cycle of out_, or of the machine's next cycle
  std::function<void()> on_clock_;
  // For readers of signals: registers of this cycle, read before the edge.
  mutable bool is_watched_ = false;
  mutable bool is_snapshot_old_ = true;
  mutable rtl_model::CoreSnapshot snapshot_;
};

// Builds the core, or takes it from the cache, and loads it.
rtl_model::SchedulerFactory verilated_scheduler(bool has_wave);

}  // namespace tessera::platform
