// SPDX-License-Identifier: Apache-2.0
// Common part of the engine's timers: the SM cycle in which a timer expires.
#pragma once

#include "rtl_model/base/clocked_module.h"
#include "rtl_model/sm/sm.h"

namespace tessera::rtl_model {

class DueRegister {
 public:
  DueRegister(const ClockCount& clock, bool& is_over) : clock_(clock), is_over_(is_over) {}

  void comb() {
    now_ = clock_.sm;
    is_over_ = due_q_ <= now_;
  }
  bool is_over() const { return is_over_; }
  bool is_set() const { return due_q_ != kNever; }
  Cycle due() const { return due_q_; }
  // So many cycles after comb()'s SM cycle.
  void set(Cycle cycles) { due_q_ = now_ + cycles; }
  void clear() { due_q_ = kNever; }

  // Lists the signals as those of `module`, with its output.
  void list_signals(ISignalSink& signals, const char* module, const char* output) const {
    signals.enter(module);
    signals.signal(output, 1, [this] { return is_over_; });
    signals.signal("due_q", 48, [this] { return due_q_; });
    signals.leave();
  }

 private:
  const ClockCount& clock_;
  bool& is_over_;
  Cycle now_ = 0;
  Cycle due_q_ = kNever;
};

}  // namespace tessera::rtl_model
