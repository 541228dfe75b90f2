// SPDX-License-Identifier: Apache-2.0
// The timer of a linger (docs/timing.md 3.8). It stands outside the scheduler, so that the core can be idle while it
// runs.
#pragma once

#include "rtl_model/base/clocked_module.h"
#include "rtl_model/sm/sm.h"

namespace tessera::rtl_model {

class LingerTimer final : public ClockedModule {
 public:
  // `over` for a core cycle, `period` SM cycles after the last `start`.
  LingerTimer(const sc_core::sc_module_name& name, const Cycle& period, const ClockCount& clock, const bool& start,
              bool& over)
      : ClockedModule(name), period_(period), clock_(clock), start_(start), over_(over) {
    at_level(kOutputsLevel, [this] { comb(); });
  }

  void comb() {
    now_ = clock_.sm;
    over_ = due_q_ <= now_;
  }
  void seq() override {
    if (start_) {
      due_q_ = now_ + period_;
    } else if (over_) {
      due_q_ = kNever;
    }
  }
  // The SM cycle in which it is over. A start comes in a cycle that is evaluated anyhow.
  Cycle next_activity() const { return due_q_; }

  void list_signals(ISignalSink& signals) const override {
    signals.enter("u_linger_timer");
    signals.signal("over_o", 1, [this] { return over_; });
    signals.signal("due_q", 48, [this] { return due_q_; });
    signals.leave();
  }

  static constexpr unsigned kOutputsLevel = 0;

 private:
  const Cycle& period_;
  const ClockCount& clock_;
  const bool& start_;
  bool& over_;
  Cycle now_ = 0;
  Cycle due_q_ = kNever;
};

}  // namespace tessera::rtl_model
