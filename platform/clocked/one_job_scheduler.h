// SPDX-License-Identifier: Apache-2.0
// The core as the clocked machine takes it: a module on its pins.
#pragma once

#include "rtl_model/base/clocked_module.h"
#include "rtl_model/interfaces/i_scheduler_core.h"
#include "rtl_model/params.h"
#include "rtl_model_next/scheduler/tsr_scheduler.h"

namespace tessera::platform {

rtl_model_next::Params params_of(const rtl_model::Params& params);

// All outputs are functions of registers. So the core takes the inputs of a cycle, and its edge, as soon as they are
// known (comb_inputs); what it shows then is held back until the next cycle begins.
class OneJobScheduler final : public rtl_model::ClockedModule, public rtl_model::ISchedulerCore {
 public:
  OneJobScheduler(const sc_core::sc_module_name& name, const rtl_model::Params& params,
                  const rtl_model::SchedulerInputs& inputs);

  const rtl_model::SchedulerOutputs& outputs() const override { return out_; }
  const rtl_model::KernelDonePins& kernel_done_d() const override { return core_.outputs().kernel_done; }
  const rtl_model::EventPins& events_d() const override { return events_d_; }
  bool has_events_d() const override { return core_.outputs().events.any() || core_.outputs().kernel_done.valid; }

  void comb_outputs() override;
  void comb_inputs() override;
  void seq_all() override {}
  bool is_idle() override { return core_.outputs().idle; }
  Cycle run_quietly(Cycle limit, bool event_waits) override { return core_.run_quietly(limit, event_waits); }

  void seq() override {}
  void bind_clock(const sc_core::sc_signal_in_if<bool>& clock) override;

  // After comb_inputs: the registers of the coming edge.
  void read(rtl_model::CoreSnapshot& snapshot) override;
  void read_tables(rtl_model::CoreSnapshot& snapshot) override;
  void list_signals(rtl_model::ISignalSink& signals) const override;
  const rtl_model_next::TsrScheduler& core() const { return core_; }

 private:
  const rtl_model::Params& params_;
  const rtl_model::SchedulerInputs& in_;
  rtl_model_next::TsrScheduler core_;
  rtl_model::SchedulerOutputs out_;
  rtl_model::EventPins events_d_;
};

}  // namespace tessera::platform
