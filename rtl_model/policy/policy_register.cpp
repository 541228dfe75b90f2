// SPDX-License-Identifier: Apache-2.0
// SchedulerSpec -> policy register.
#include "rtl_model/policy/policy_register.h"

#include <stdexcept>
#include <string>

namespace tessera::rtl_model {

std::uint32_t policy_register(const spec::SchedulerSpec& scheduler) {
  const spec::PolicyInfo& policy = spec::info(scheduler.policy);
  const spec::TechniqueInfo& technique = spec::info(scheduler.technique);
  if (!spec::exists(scheduler, spec::Cores::kClocked)) {
    throw std::invalid_argument("the clocked cores do not have policy " + std::string(policy.name) +
                                " with technique " + std::string(technique.name));
  }
  PolicyRegister written;
  written.code = policy.code;
  written.technique = technique.code;
  written.is_shared = scheduler.access == spec::Access::kShared;
  written.takes_all = scheduler.exclusive_scope == spec::ExclusiveScope::kAll;
  written.by_process = scheduler.token_scope == spec::TokenScope::kProcess;
  written.debt = static_cast<Debt>(scheduler.debt);
  written.gives_once = scheduler.remainder == spec::Remainder::kOnce;
  written.by_priority = scheduler.order == spec::PartitionOrder::kPriority;
  written.keeps_turn = spec::keeps_turn(scheduler);
  written.evicts = spec::switches_gpu(scheduler);
  return written.data();
}

}  // namespace tessera::rtl_model
