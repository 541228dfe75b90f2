// SPDX-License-Identifier: Apache-2.0
// The timer of the time_slice policy. It is outside the scheduler so that the core can be idle while it runs.
#pragma once

#include <functional>
#include <utility>

#include "rtl_model/engine/due_register.h"

namespace tessera::rtl_model {

class SliceTimer final : public ClockedModule {
 public:
  struct Wires {
    std::function<Cycle()> period;  // in SM cycles, of the context in turn
    Cycle in_slice;                 // how much of a switch counts for the slice after it
    const bool& switch_over;
    const bool& enable;
    bool& tick;
  };
  // Counts SM cycles while `enable` is 1; `tick` is 1 for one core cycle after every period of them.
  SliceTimer(const sc_core::sc_module_name& name, const ClockCount& clock, Wires wires)
      : ClockedModule(name), wires_(std::move(wires)), due_(clock, wires_.tick) {
    at_level(kOutputsLevel, [this] { comb(); });
  }

  void comb() { due_.comb(); }
  void seq() override {
    if (!wires_.enable) {
      due_.clear();
    } else if (!due_.is_set()) {
      start();
    } else if (due_.is_over()) {
      due_.set(wires_.period());
    }
    was_switch_over_q_ = wires_.switch_over;
  }
  // The SM cycle of the next tick; 0 (at once) if enable has just changed.
  Cycle next_activity() const { return wires_.enable == due_.is_set() ? due_.due() : 0; }

  void list_signals(ISignalSink& signals) const override { due_.list_signals(signals, "u_slice_timer", "tick_o"); }

  static constexpr unsigned kOutputsLevel = 0;

 private:
  // It was enabled one cycle ago.
  void start() { due_.set(wires_.period() - 1 - (was_switch_over_q_ ? wires_.in_slice : 0)); }

  Wires wires_;
  DueRegister due_;
  bool was_switch_over_q_ = false;
};

}  // namespace tessera::rtl_model
