// SPDX-License-Identifier: Apache-2.0
// The ports of the core, bundle by bundle (docs/timing_next.md 3). An output holds for the whole of its cycle; an input
// is sampled at the edge that ends the cycle.
#pragma once

#include <cstdint>

#include "rtl_model/interfaces/pins.h"
#include "rtl_model_next/params.h"

namespace tessera::rtl_model_next {

using rtl_model::CommandPins;
using rtl_model::ControlPins;
using rtl_model::ControlRegister;
using rtl_model::DispatchPins;
using rtl_model::HandlePins;
using rtl_model::KernelDonePins;
using rtl_model::MoveKind;
using rtl_model::SchedulerInputs;
using rtl_model::SmControlKind;
using rtl_model::SmControlPins;
using rtl_model::SmEventKind;
using rtl_model::SmEventPins;

// What happened at the last edge. One job acts in a cycle, so its fields serve all pulses but the policy's.
struct EventPins {
  bool policy_invoked = false;
  bool policy_decided = false;
  bool activated = false;    // buffer, ksr
  bool moved = false;        // move, sm, ksr
  bool cancelled = false;    // with moved: a draining SM went back to its owner
  bool preempted = false;    // sm; ksr, unless released
  bool released = false;     // sm
  std::uint32_t buffer = 0;  //
  MoveKind move = MoveKind::kAssign;
  std::uint32_t sm = 0;
  std::uint32_t ksr = 0;

  bool any() const {
    return policy_invoked || policy_decided || activated || moved || cancelled || preempted || released;
  }
};

struct SchedulerOutputs {
  RowSet buffer_free;  // by command buffer
  bool control_ready = false;
  bool slice_timer_enable = false;
  bool sm_event_ready = false;
  SmControlPins sm_control;
  DispatchPins dispatch;
  KernelDonePins kernel_done;
  EventPins events;
  bool idle = false;
};

}  // namespace tessera::rtl_model_next
