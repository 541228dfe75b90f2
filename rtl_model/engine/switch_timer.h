// SPDX-License-Identifier: Apache-2.0
// How long a switch of a kept turn takes (docs/hardware/timing.md 7.6). It is outside the scheduler so that the core
// can be idle while it runs.
#pragma once

#include "rtl_model/engine/due_register.h"
#include "rtl_model/params.h"

namespace tessera::rtl_model {

class SwitchTimer final : public ClockedModule {
 public:
  // `over` is 1 for a core cycle, the cost after `start`; which cost says `runs`, in that cycle.
  SwitchTimer(const sc_core::sc_module_name& name, const SwitchCycles& costs, const ClockCount& clock,
              const bool& start, const bool& runs, bool& over)
      : ClockedModule(name), costs_(costs), start_(start), runs_(runs), due_(clock, over) {
    at_level(kOutputsLevel, [this] { comb(); });
  }

  void comb() { due_.comb(); }
  void seq() override {
    if (start_) {
      due_.set(runs_ ? costs_.preempted : costs_.dry);
    } else if (due_.is_over()) {
      due_.clear();
    }
  }
  // The SM cycle in which it expires. Cycles with a start are evaluated anyway.
  Cycle next_activity() const { return due_.due(); }

  void list_signals(ISignalSink& signals) const override { due_.list_signals(signals, "u_switch_timer", "over_o"); }

  static constexpr unsigned kOutputsLevel = 0;

 private:
  const SwitchCycles& costs_;
  const bool& start_;
  const bool& runs_;
  DueRegister due_;
};

}  // namespace tessera::rtl_model
