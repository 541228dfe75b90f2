// SPDX-License-Identifier: Apache-2.0
// The Verilog core, Verilated, in the place of rtl_model::TsrScheduler: the same pins in the same cycles.
#pragma once

#include <functional>
#include <memory>

#include "cosim/i_verilated_core.h"
#include "rtl_model/base/clocked_module.h"
#include "rtl_model/interfaces/i_scheduler_core.h"

namespace tessera::platform {

// All outputs are functions of registers (docs/hardware/timing.md 1.3). So the core takes the inputs of a cycle, and
// its edge, as soon as they are known (comb_inputs); what it shows then is held back until the next cycle begins. In
// quiet cycles it is clocked alone. Only the edge tells that a cycle was no quiet one: that cycle is the machine's, and
// finds the edge taken.
class VerilatedScheduler final : public rtl_model::ClockedModule, public rtl_model::ISchedulerCore {
 public:
  VerilatedScheduler(const sc_core::sc_module_name& name, const rtl_model::Params& params,
                     const rtl_model::SchedulerInputs& inputs, std::unique_ptr<cosim::IVerilatedCore> core);

  const rtl_model::SchedulerOutputs& outputs() const override { return out_; }
  const rtl_model::KernelDonePins& kernel_done_d() const override { return next_.kernel_done; }
  const rtl_model::EventPins& events_d() const override { return next_.events; }
  bool has_events_d() const override { return next_.events.any() || next_.kernel_done.valid; }

  void comb_outputs() override {
    if (!is_edge_taken_) out_ = next_;
  }
  void comb_inputs() override;
  void seq_all() override { seq(); }
  bool is_idle() override { return next_.idle; }
  Cycle run_quietly(Cycle limit, bool event_waits) override;

  void seq() override { is_snapshot_old_ = true; }
  void bind_clock(const sc_core::sc_signal_in_if<bool>& clock) override;

  // After comb_inputs: the registers of the coming edge.
  void read(rtl_model::CoreSnapshot& snapshot) override { core_->read(snapshot); }
  // Pins and tables, under the names that TsrScheduler has for them.
  void list_signals(rtl_model::ISignalSink& signals) const override;

  cosim::IVerilatedCore& core() { return *core_; }
  // Called in every cycle in which the core is clocked, inputs known, before its edge.
  void on_clock(std::function<void()> listener) { on_clock_ = std::move(listener); }
  // The run is about to end for a fault in this cycle, which a waveform shall have too.
  void show_last_cycle();

 private:
  const rtl_model::CoreSnapshot& registers() const;
  bool is_left_alone(bool event_waits) const;

  const rtl_model::Params& params_;
  const rtl_model::SchedulerInputs& in_;
  std::unique_ptr<cosim::IVerilatedCore> core_;
  const rtl_model::SchedulerOutputs& next_;  // the core's
  rtl_model::SchedulerOutputs out_;
  bool is_edge_taken_ = false;  // of the cycle that out_ is of, or that the machine comes to next
  std::function<void()> on_clock_;
  // For those who look at signals: registers of this cycle, read before the edge.
  mutable bool is_watched_ = false;
  mutable bool is_snapshot_old_ = true;
  mutable rtl_model::CoreSnapshot snapshot_;
};

// Builds the core, or takes it from the cache, and loads it.
rtl_model::SchedulerFactory verilated_scheduler(bool has_wave);

}  // namespace tessera::platform
