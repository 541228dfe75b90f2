// SPDX-License-Identifier: Apache-2.0
// Two views of one edge: the core's own, early, and the machine's.
#include "platform/clocked/verilated_scheduler.h"

#include <utility>

#include "cosim/core_library.h"
#include "rtl_model/interfaces/pin_signals.h"
#include "rtl_model/observe/snapshot_signals.h"
#include "rtl_model/scheduler/scheduler_module.h"

namespace tessera::platform {

VerilatedScheduler::VerilatedScheduler(const sc_core::sc_module_name& name, const rtl_model::Params& params,
                                       const rtl_model::SchedulerInputs& inputs,
                                       std::unique_ptr<cosim::IVerilatedCore> core)
    : ClockedModule(name), params_(params), in_(inputs), core_(std::move(core)), next_(core_->outputs()) {
  at_level(rtl_model::SchedulerModule::kOutputsLevel, [this] { comb_outputs(); });
  at_level(rtl_model::SchedulerModule::kInputsLevel, [this] { comb_inputs(); });
  core_->reset(cosim::straps_of(params));
}

void VerilatedScheduler::comb_inputs() {
  if (std::exchange(is_edge_taken_, false)) return;
  if (is_watched_) registers();
  if (on_clock_) on_clock_();
  core_->cycle(in_);
}

bool VerilatedScheduler::is_left_alone(bool event_waits) const {
  const bool is_for_timers = next_.switch_start || next_.slice_timer_enable != out_.slice_timer_enable;
  const bool has_pins = next_.sm_control.valid || next_.dispatch.valid || is_for_timers || has_events_d();
  return !has_pins && !next_.idle && !(event_waits && next_.sm_event_ready);
}

Cycle VerilatedScheduler::run_quietly(Cycle limit, bool event_waits) {
  // Waveforms have every cycle.
  if (is_watched_ || on_clock_) return 0;
  rtl_model::SchedulerInputs none;
  none.sm_tick = false;
  Cycle cycles = 0;
  while (cycles < limit && is_left_alone(event_waits)) {
    out_ = next_;
    core_->cycle(none);
    ++cycles;
  }
  is_edge_taken_ = cycles > 0 && has_events_d();
  return is_edge_taken_ ? cycles - 1 : cycles;
}

void VerilatedScheduler::show_last_cycle() {
  if (on_clock_) on_clock_();
  core_->close_wave();
}

void VerilatedScheduler::bind_clock(const sc_core::sc_signal_in_if<bool>& clock) {
  clk_i(const_cast<sc_core::sc_signal_in_if<bool>&>(clock));
}

const rtl_model::CoreSnapshot& VerilatedScheduler::registers() const {
  if (is_snapshot_old_) core_->read(snapshot_);
  is_snapshot_old_ = false;
  return snapshot_;
}

void VerilatedScheduler::list_signals(rtl_model::ISignalSink& signals) const {
  is_watched_ = true;
  signals.enter("u_tsr_scheduler");
  rtl_model::list_pins(signals, params_, in_, out_);
  rtl_model::list_registers(signals, params_, [this]() -> const rtl_model::CoreSnapshot& { return registers(); });
  signals.leave();
}

rtl_model::SchedulerFactory verilated_scheduler(bool has_wave) {
  return [has_wave](const rtl_model::Params& params, const rtl_model::SchedulerInputs& inputs,
                    const rtl_model::ClockCount&) {
    cosim::Variant variant;
    variant.has_wave = has_wave;
    return std::make_unique<VerilatedScheduler>(
        "u_tsr_scheduler", params, inputs, cosim::make_core(cosim::BuildRequest(cosim::Elaboration(params), variant)));
  };
}

}  // namespace tessera::platform
