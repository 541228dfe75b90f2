// SPDX-License-Identifier: Apache-2.0
// The policy register, as written over the control pins: its layout, and its codes.
#pragma once

#include <cstdint>

#include "model/spec/policies.h"

namespace tessera::rtl_model {

inline constexpr std::uint32_t kPolicyCodeMask = 7;  // bits 2:0
// The cores' policies have the codes below this; a write of another one leaves the policy as it is.
inline constexpr std::uint32_t kNumPolicyCodes = spec::num_policies(spec::Cores::kClocked);
static_assert(kNumPolicyCodes <= kPolicyCodeMask + 1);
static_assert(spec::policy_mask(spec::Cores::kClocked) == (1U << kNumPolicyCodes) - 1, "a code of theirs is left out");

inline const spec::PolicyInfo& policy_with_code(std::uint32_t code) { return *spec::with_code(spec::kPolicies, code); }

// Policy 2:0, technique 3 and 10, access 4, exclusive scope 5, token scope 6, debt 8:7, remainder 9, order 11. Throws
// std::invalid_argument for what the clocked cores do not have: they would go on with another policy, and say nothing.
std::uint32_t policy_register(const spec::SchedulerSpec& scheduler);

}  // namespace tessera::rtl_model
