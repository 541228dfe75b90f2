// SPDX-License-Identifier: Apache-2.0
// What stands between an SM and the networks: the networks look at an SM's outputs, or at those of its link.
#pragma once

#include <cstdint>

#include "rtl_model/interfaces/pins.h"

namespace tessera::rtl_model {

// One event and one handle at a time, held until taken.
struct SmOutputs {
  bool event_valid = false;
  SmEventKind event = SmEventKind::kTbDone;
  std::uint32_t event_tag = 0;  // of a set-up done: the set-up's
  bool handle_valid = false;
  bool handle_last = false;
  std::uint32_t handle_tb = 0;
  std::uint32_t handle_stack_pointer = 0;

  bool any() const { return event_valid || handle_valid; }
};

// Signals in the other direction: whose event and handle are taken in this cycle.
struct SmGrants {
  std::uint32_t event_sm = kNone;
  std::uint32_t handle_sm = kNone;
};

}  // namespace tessera::rtl_model
