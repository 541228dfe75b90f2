// SPDX-License-Identifier: Apache-2.0
// The timer of the time_slice policy. It stands outside the scheduler, so that the core can be idle while it runs.
#pragma once

#include "rtl_model/base/clocked_module.h"
#include "rtl_model/sm/sm.h"

namespace tessera::rtl_model {

class SliceTimer final : public ClockedModule {
 public:
  // Counts SM cycles while `enable`; ticks for a core cycle whenever `period` of them are over.
  SliceTimer(const sc_core::sc_module_name& name, const Cycle& period, const ClockCount& clock, const bool& enable,
             bool& tick)
      : ClockedModule(name), period_(period), clock_(clock), enable_(enable), tick_(tick) {
    at_level(kOutputsLevel, [this] { comb(); });
  }

  void comb() {
    now_ = clock_.sm;
    tick_ = due_q_ <= now_;
  }
  void seq() override {
    if (!enable_) {
      due_q_ = kNever;
    } else if (due_q_ == kNever) {
      due_q_ = now_ + period_ - 1;  // the enabling edge was a cycle ago
    } else if (tick_) {
      due_q_ = now_ + period_;
    }
  }
  // The SM cycle of the next tick; one that has begun: the enable has just changed.
  Cycle next_activity() const { return enable_ == (due_q_ != kNever) ? due_q_ : 0; }

  void list_signals(ISignalSink& signals) const override {
    signals.enter("u_slice_timer");
    signals.signal("tick_o", 1, [this] { return tick_; });
    signals.signal("due_q", 48, [this] { return due_q_; });
    signals.leave();
  }

  static constexpr unsigned kOutputsLevel = 0;

 private:
  const Cycle& period_;
  const ClockCount& clock_;
  const bool& enable_;
  bool& tick_;
  Cycle now_ = 0;
  Cycle due_q_ = kNever;
};

}  // namespace tessera::rtl_model
