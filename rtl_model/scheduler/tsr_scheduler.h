// SPDX-License-Identifier: Apache-2.0
// The scheduling framework ([T14] 3.3, Figure 4): command buffers, active queue, KSRT, SMST, PTBQ, context table,
// policy search and SM driver, behind the pins that the Verilog core has too.
#pragma once

#include "rtl_model/policy/search.h"
#include "rtl_model/scheduler/sm_driver.h"
#include "rtl_model/tables/ptbq.h"

namespace tessera::rtl_model {

class TsrScheduler final : public ClockedModule {
 public:
  TsrScheduler(const sc_core::sc_module_name& name, const Params& params, const SchedulerInputs& inputs);

  const SchedulerOutputs& outputs() const { return out_; }
  // What the edge at the end of this cycle will show on kernel_done and events.
  const KernelDonePins& kernel_done_d() const { return kernel_done_d_; }
  const EventPins& events_d() const { return events_d_; }
  bool has_events_d() const { return has_events_d_; }  // in comb_inputs() of this cycle

  // For one process that calls all parts in turn. `comb_outputs` looks at registers, `comb_inputs` at inputs too.
  void comb_outputs();
  void comb_inputs();
  void seq_all();
  // Cycles in which nothing but the policy's walk moves, if no input comes; and that many at once.
  Cycle cycles_of_mere_walk() const;
  void walk_on(Cycle cycles) { u_search_.walk_on(cycles); }
  bool is_idle();  // as idle_o will be in the next cycle

  void seq() override;
  void list_signals(ISignalSink& signals) const override;
  // clk_i of this module and of all its parts.
  void bind_clock(const sc_core::sc_signal_in_if<bool>& clock);

  const Tables& tables() const { return tables_; }
  bool is_policy_at_rest() const { return u_search_.is_idle(); }

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
