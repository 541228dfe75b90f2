// SPDX-License-Identifier: Apache-2.0
// The hold-off timer (docs/hardware/timing.md 3.8). It is outside the scheduler so that the core can be idle while it
// runs.
#pragma once

#include "rtl_model/engine/due_register.h"

namespace tessera::rtl_model {

class LingerTimer final : public ClockedModule {
 public:
  // `over` is 1 for a core cycle, `period` SM cycles after the last `start`.
  LingerTimer(const sc_core::sc_module_name& name, const Cycle& period, const ClockCount& clock, const bool& start,
              bool& over)
      : ClockedModule(name), period_(period), start_(start), due_(clock, over) {
    at_level(kOutputsLevel, [this] { comb(); });
  }

  void comb() { due_.comb(); }
  void seq() override {
    if (start_) {
      due_.set(period_);
    } else if (due_.is_over()) {
      due_.clear();
    }
  }
  // The SM cycle in which it expires. Cycles with a start are evaluated anyway.
  Cycle next_activity() const { return due_.due(); }

  void list_signals(ISignalSink& signals) const override { due_.list_signals(signals, "u_linger_timer", "over_o"); }

  static constexpr unsigned kOutputsLevel = 0;

 private:
  const Cycle& period_;
  const bool& start_;
  DueRegister due_;
};

}  // namespace tessera::rtl_model
