// SPDX-License-Identifier: Apache-2.0
// Hold-off (docs/hardware/timing.md 3.8): SMs that a kernel has left are kept for a while for launches of its priority
// or above.
#pragma once

#include "rtl_model/core_params.h"

namespace tessera::rtl_model {

class Linger {
 public:
  explicit Linger(const CoreParams& params) : is_there_(params.lingers) {}

  // Functions of registers.
  bool is_on() const { return is_on_q_; }
  std::uint32_t priority() const { return priority_q_; }
  bool is_kept(std::uint32_t sm) const { return is_on_q_ && kept_q_.has(sm); }
  const SmSet& kept() const { return kept_q_; }  // valid during a hold-off
  bool shows_start() const { return start_q_; }  // the pin

  // Changes in a job's WRITE: a kernel leaves SMs (or none, at its end); an SM becomes idle because its next kernel no
  // longer needs it; a kernel gets an SM.
  void leave(std::uint32_t priority, const SmSet& sms);
  void hand_to_nobody(std::uint32_t sm) { kept_q_.set(sm, is_on_q_); }
  void take(std::uint32_t sm) { kept_q_.clear(sm); }

  // The edge, after all other changes.
  void seq(bool is_over, bool is_policy_written);

 private:
  bool is_there_;  // strap
  bool is_on_q_ = false;
  std::uint32_t priority_q_ = 0;
  SmSet kept_q_;
  bool start_d_ = false, start_q_ = false;
};

}  // namespace tessera::rtl_model
