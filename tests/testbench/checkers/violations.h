// SPDX-License-Identifier: Apache-2.0
// Inputs that break one rule of rtl/tsr_input_assumptions.sv and no other.
#pragma once

#include <string>
#include <vector>

#include "Vtsr_scheduler.h"
#include "driven_sm.h"

struct Violation {
  std::string assumption;
  std::string how;
  // Changes the inputs of this cycle, which were legal; false if there is no occasion for it.
  bool (*put)(Vtsr_scheduler& top, const std::vector<Sm>& sms);
  // What breaks the rule in the cycle after, if `put` alone does not.
  void (*then)(Vtsr_scheduler& top, const std::vector<Sm>& sms) = nullptr;
};

// Wrong from reset on, and in the midst of traffic.
const std::vector<Violation>& strap_violations();
const std::vector<Violation>& traffic_violations();
