// SPDX-License-Identifier: Apache-2.0
// All SMs, and the networks that bring one of their events and one of their handles to the core in a cycle. The order
// is any that docs/hardware/timing.md 3.3 and 3.4 allow.
#pragma once

#include <vector>

#include "model/base/sm_set.h"
#include "testbench/agents/sm_port.h"

namespace tessera::testbench {

class SmPorts {
 public:
  SmPorts(const Profile& profile, std::uint64_t seed);

  // The SMs' inputs to the core in cycle `now`.
  void drive(Cycle now, rtl_model::SchedulerInputs& in);
  // At the end of cycle `now`: what the core took, and what it sent.
  void settle(Cycle now, const rtl_model::SchedulerInputs& in, const rtl_model::SchedulerOutputs& out);
  Cycle next_activity() const;
  void hurry(Cycle now, std::uint32_t sm) { sms_[sm].hurry(now); }

 private:
  void drive_event(Cycle now, rtl_model::SmEventPins& event);
  void drive_handle(Cycle now, rtl_model::HandlePins& handle);
  bool is_held_back(rtl_model::SmEventKind kind);
  std::uint32_t choose(const rtl_model::SmSet& with_event);
  std::uint32_t any_of(const rtl_model::SmSet& sms) {
    return sms.next_in_turn(random_.in32(0, static_cast<std::uint32_t>(sms_.size()) - 1));
  }

  SmProfile profile_;
  Random random_;
  std::vector<SmPort> sms_;
  rtl_model::SmSet batch_;                      // still to be served before others are
  std::uint32_t stuck_to_ = rtl_model::kNone;   // whose event is shown until it is taken
  std::uint32_t handle_sm_ = rtl_model::kNone;  // whose the handle port is
  bool is_last_handle_ = false;
};

}  // namespace tessera::testbench
