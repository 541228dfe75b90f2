// SPDX-License-Identifier: Apache-2.0
// SchedulerSpec -> policy register.
#include "rtl_model/policy_register.h"

#include <fmt/format.h>

#include <stdexcept>

namespace tessera::rtl_model {

std::uint32_t policy_register(const spec::SchedulerSpec& scheduler) {
  const spec::PolicyInfo& policy = spec::info(scheduler.policy);
  const spec::TechniqueInfo& technique = spec::info(scheduler.technique);
  if (!spec::exists(scheduler, spec::Cores::kClocked)) {
    throw std::invalid_argument(
        fmt::format("the clocked cores do not have policy {} with technique {}", policy.name, technique.name));
  }
  const auto field = [](auto value, unsigned shift) { return static_cast<std::uint32_t>(value) << shift; };
  return field(policy.code, 0) | field(technique.code & 1, 3) | field(scheduler.access, 4) |
         field(scheduler.exclusive_scope, 5) | field(scheduler.token_scope, 6) | field(scheduler.debt, 7) |
         field(scheduler.remainder, 9) | field(technique.code >> 1, 10) | field(scheduler.order, 11);
}

}  // namespace tessera::rtl_model
