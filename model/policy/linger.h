// SPDX-License-Identifier: Apache-2.0
// Linger (docs/hardware/timing.md 3.8): SMs that a kernel leaves are kept for a while for launches of its priority or a
// higher one, so that launches in a row do not preempt the same kernels again and again.
#pragma once

#include <cstdint>

#include "model/base/ids.h"
#include "model/base/sm_set.h"

namespace tessera::policy {

class Linger {
 public:
  // Lingers end, and start from now on or do not.
  void set_enabled(bool is_enabled) {
    is_enabled_ = is_enabled;
    is_on_ = false;
  }
  // The timer is over.
  void end() { is_on_ = false; }

  // A kernel leaves an SM, or (kNoSm) is over.
  void leave(std::uint32_t priority, SmId sm) {
    if (!is_enabled_ || (is_on_ && priority < priority_)) return;
    if (priority != priority_) kept_.clear();
    priority_ = priority;
    is_on_ = has_started_ = true;
    if (sm != kNoSm) kept_.set(number_of(sm));
  }
  // An SM that was on its way to a kernel which needs it no more.
  void hand_to_nobody(SmId sm) { kept_.set(number_of(sm), is_on_); }
  void take(SmId sm) { kept_.clear(number_of(sm)); }

  // May a kernel of this priority have the idle SM?
  bool admits(std::uint32_t priority, SmId sm) const {
    return !is_on_ || priority >= priority_ || !kept_.has(number_of(sm));
  }
  // Whether the timer is to be started since the last call.
  bool take_start() {
    const bool has_started = has_started_;
    has_started_ = false;
    return has_started;
  }

 private:
  static std::uint32_t number_of(SmId sm) { return static_cast<std::uint32_t>(index(sm)); }

  bool is_enabled_ = false;
  bool is_on_ = false;
  bool has_started_ = false;
  std::uint32_t priority_ = 0;
  SmSet kept_;  // they count while it is on
};

}  // namespace tessera::policy
