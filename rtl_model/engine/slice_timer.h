// SPDX-License-Identifier: Apache-2.0
// The timer of the time_slice policy. It is outside the scheduler so that the core can be idle while it runs.
#pragma once

#include "rtl_model/engine/due_register.h"

namespace tessera::rtl_model {

class SliceTimer final : public ClockedModule {
 public:
  // Counts SM cycles while `enable` is 1; `tick` is 1 for one core cycle after every `period` of them.
  SliceTimer(const sc_core::sc_module_name& name, const Cycle& period, const ClockCount& clock, const bool& enable,
             bool& tick)
      : ClockedModule(name), enable_(enable), due_(period, clock, tick) {
    at_level(kOutputsLevel, [this] { comb(); });
  }

  void comb() { due_.comb(); }
  void seq() override {
    if (!enable_) {
      due_.clear();
    } else if (!due_.is_set()) {
      due_.set(1);  // it was enabled one cycle ago
    } else if (due_.is_over()) {
      due_.set();
    }
  }
  // The SM cycle of the next tick; 0 (at once) if enable has just changed.
  Cycle next_activity() const { return enable_ == due_.is_set() ? due_.due() : 0; }

  void list_signals(ISignalSink& signals) const override { due_.list_signals(signals, "u_slice_timer", "tick_o"); }

  static constexpr unsigned kOutputsLevel = 0;

 private:
  const bool& enable_;
  DueRegister due_;
};

}  // namespace tessera::rtl_model
