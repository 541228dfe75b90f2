// SPDX-License-Identifier: Apache-2.0
// The scheduling framework ([T14] 3.3, Figure 4): command buffers, active queue, KSRT, SMST, PTBQ, context table,
// policy search and SM driver, behind the pins that the Verilog core has too.
#pragma once

#include "rtl_model/interfaces/i_scheduler_core.h"
#include "rtl_model/policy/search.h"
#include "rtl_model/scheduler/sm_driver.h"
#include "rtl_model/tables/ptbq.h"

namespace tessera::rtl_model {

class TsrScheduler final : public ClockedModule, public ISchedulerCore {
 public:
  TsrScheduler(const sc_core::sc_module_name& name, const Params& params, const SchedulerInputs& inputs);

  const SchedulerOutputs& outputs() const override { return out_; }
  const KernelDonePins& kernel_done_d() const override { return kernel_done_d_; }
  const EventPins& events_d() const override { return events_d_; }
  bool has_events_d() const override { return has_events_d_; }

  void comb_outputs() override;
  void comb_inputs() override;
  void seq_all() override;
  bool is_idle() override;
  Cycle run_quietly(Cycle limit, bool event_waits) override;

  void seq() override;
  void list_signals(ISignalSink& signals) const override;
  // clk_i of this module and of all its parts.
  void bind_clock(const sc_core::sc_signal_in_if<bool>& clock) override;

  void read(CoreSnapshot& snapshot) override;
  void read_tables(CoreSnapshot& snapshot) override;
  const Tables& tables() const { return tables_; }

  // Levels of the combinational work, for a clock with a process per module.
  static constexpr unsigned kOutputsLevel = 1;
  static constexpr unsigned kInputsLevel = 3;

 private:
  void write_control(bool& invokes);
  std::int32_t tokens_returned(std::uint32_t finished_ksr);
  std::int32_t tokens_replaced(std::uint32_t context, std::uint32_t finished_ksr) const;

  const Params& params_;
  const SchedulerInputs& in_;
  SchedulerOutputs out_;
  KernelDonePins kernel_done_d_;
  EventPins events_d_;
  bool has_events_d_ = false;  // something happens in this cycle
  bool has_events_ = false;    // something is shown on events or kernel_done

  Tables tables_;
  Ptbq u_ptbq_;
  Search u_search_;
  SmDriver u_sm_driver_;
};

}  // namespace tessera::rtl_model
