// SPDX-License-Identifier: Apache-2.0
// Beginning and end of a waveform.
#include "rtl_model/observe/wave_window.h"

#include "rtl_model/params.h"

namespace tessera::rtl_model {

// Once it is known which, the cycle of the first command is the window's first.
bool WaveWindow::takes(const ClockCount& clock) {
  if (is_over(clock)) {
    settles_at_ = kNever;  // the last cycle's registers are nobody's business any more
    return false;
  }
  if (bounds_.from == kNever && engine_.inputs().command.valid) bounds_.from = clock.sm;
  return bounds_.from <= clock.sm;
}

void WaveWindow::kept(const ClockCount& clock, bool is_full) {
  has_begun_ = true;
  // A cycle that is there for the waveform alone changes no register.
  const bool was_due = engine_.next_cycle() <= clock.core;
  settles_at_ = was_due ? clock.core + 1 : kNever;
  if (is_full) cut_ = clock.sm;
}

bool WaveWindow::is_over(const ClockCount& clock) const {
  if (cut_) return true;
  return bounds_.from <= clock.sm && clock.sm - bounds_.from >= bounds_.length;
}

Cycle WaveWindow::next_sample() const {
  if (cut_) return kNever;
  if (has_begun_) return settles_at_;
  return bounds_.from == kNever ? kNever : bounds_.from * engine_.params().clock_ratio;
}

}  // namespace tessera::rtl_model
