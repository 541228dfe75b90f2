// SPDX-License-Identifier: Apache-2.0
// Layout of the policy register, as written over the control pins.
#pragma once

#include <cstdint>

#include "model/spec/spec.h"

namespace tessera::rtl_model {

// Policy 2:0, technique 3, access 4, exclusive scope 5, token scope 6.
inline std::uint32_t policy_register(const spec::SchedulerSpec& scheduler) {
  const auto field = [](auto value, unsigned shift) { return static_cast<std::uint32_t>(value) << shift; };
  return field(scheduler.policy, 0) | field(scheduler.technique, 3) | field(scheduler.access, 4) |
         field(scheduler.exclusive_scope, 5) | field(scheduler.token_scope, 6);
}

}  // namespace tessera::rtl_model
