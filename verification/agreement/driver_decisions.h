// SPDX-License-Identifier: Apache-2.0
// Why may a driver that holds groups back decide otherwise in the other log? Because it was told otherwise: of arrivals
// and completions in another order or at another time, or of other charges. Each of its decisions is judged by itself
// (driver_audit.h), and so is what it was told (driver_inputs.h).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "verification/agreement/driver_story.h"

namespace tessera::verification {

struct DriverAgreement {
  std::uint64_t decisions = 0;   // the same in both logs before the first that differs
  bool differs = false;          // something was told, or decided, in another order
  bool is_explained = false;     // by what was told
  std::string first_difference;  // "process 1 group 3 is done in tlm at cycle 7, where ... in clocked"
  std::string explanation;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DriverAgreement, decisions, differs, is_explained, first_difference, explanation)

// Groups are paired by process and place.
DriverAgreement compare_drivers(const DriverStory& tlm, const DriverStory& clocked);

// Why has a process not come as far in the log that ends first, or holds it back? Empty: all its groups are done in
// both. What keeps the others is judged where it comes about.
std::string of_groups_left(const DriverStory& tlm, const DriverStory& clocked, std::uint16_t process);

}  // namespace tessera::verification
