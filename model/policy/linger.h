// SPDX-License-Identifier: Apache-2.0
// Hold-off (docs/hardware/timing.md 3.8): SMs that a kernel leaves are kept for a while for launches of its priority or
// a higher one, so that successive launches do not preempt the same kernels repeatedly.
#pragma once

#include <cstdint>

#include "model/base/ids.h"
#include "model/base/sm_set.h"

namespace tessera::policy {

class Linger {
 public:
  // Ends the current hold-off; enables or disables later ones.
  void set_enabled(bool is_enabled) {
    is_enabled_ = is_enabled;
    is_on_ = false;
  }
  // The timer has expired.
  void end() { is_on_ = false; }

  // A kernel leaves an SM or, with kNoSm, finishes.
  void leave(std::uint32_t priority, SmId sm) {
    if (!is_enabled_ || (is_on_ && priority < priority_)) return;
    if (priority != priority_) kept_.clear();
    priority_ = priority;
    is_on_ = has_started_ = true;
    if (sm != kNoSm) kept_.set(number_of(sm));
  }
  // An SM reserved for a kernel that no longer needs it becomes idle.
  void hand_to_nobody(SmId sm) { kept_.set(number_of(sm), is_on_); }
  void take(SmId sm) { kept_.clear(number_of(sm)); }

  // Whether a kernel of this priority may have the idle SM.
  bool admits(std::uint32_t priority, SmId sm) const {
    return !is_on_ || priority >= priority_ || !kept_.has(number_of(sm));
  }
  // Whether the timer must be (re)started since the last call.
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
  SmSet kept_;  // valid while is_on_
};

}  // namespace tessera::policy
