// SPDX-License-Identifier: Apache-2.0
// The core wrapped as a module with pins, for the clocked machine.
#pragma once

#include "rtl_model/base/clocked_module.h"
#include "rtl_model/interfaces/i_scheduler_core.h"
#include "rtl_model/params.h"
#include "rtl_model/scheduler/tsr_scheduler.h"

namespace tessera::rtl_model {

// All outputs are functions of registers. So the core gets the inputs of a cycle and its clock edge as soon as they are
// known (comb_inputs), and its new outputs are delayed until the next cycle begins.
class SchedulerModule final : public ClockedModule, public ISchedulerCore {
 public:
  SchedulerModule(const sc_core::sc_module_name& name, const Params& params, const SchedulerInputs& inputs);

  const SchedulerOutputs& outputs() const override { return out_; }
  const KernelDonePins& kernel_done_d() const override { return core_.outputs().kernel_done; }
  const UsagePins& usage_d() const override { return core_.outputs().usage; }
  const EventPins& events_d() const override { return core_.outputs().events; }
  bool has_events_d() const override {
    return core_.outputs().events.any() || core_.outputs().kernel_done.valid || core_.outputs().usage.valid;
  }

  void comb_outputs() override;
  void comb_inputs() override;
  void seq_all() override {}
  bool is_idle() override { return core_.outputs().idle; }
  Cycle run_quietly(Cycle limit, bool event_waits) override { return core_.run_quietly(limit, event_waits); }

  void seq() override {}
  void bind_clock(const sc_core::sc_signal_in_if<bool>& clock) override;

  // After comb_inputs: the registers of the coming edge.
  void read(CoreSnapshot& snapshot) override;
  void read_tables(CoreSnapshot& snapshot) override;
  void list_signals(ISignalSink& signals) const override;
  const TsrScheduler& core() const { return core_; }
  void start_late(std::uint32_t ksr, std::uint32_t num_tbs) { core_.start_late(ksr, num_tbs); }

  // Levels of the combinational work, for a clock with one process per module.
  static constexpr unsigned kOutputsLevel = 1;
  static constexpr unsigned kInputsLevel = 3;

 private:
  const Params& params_;
  const SchedulerInputs& in_;
  TsrScheduler core_;
  SchedulerOutputs out_;
};

// A SchedulerFactory for it.
std::unique_ptr<ISchedulerCore> model_scheduler(const Params& params, const SchedulerInputs& inputs, const ClockCount&);

}  // namespace tessera::rtl_model
