// SPDX-License-Identifier: Apache-2.0
// The factory of the policy family: what the rows of policies.def name.
#include "model/policy/policy.h"

#include <stdexcept>

#include "model/spec/policies.h"

namespace tessera::policy {

#define TESSERA_POLICY(kind, name, ...) std::unique_ptr<IPolicy> make_##name(const PolicyConfig& config);
#include "model/spec/policies.def"
#undef TESSERA_POLICY

std::unique_ptr<IPolicy> make_policy(const PolicyConfig& config) {
  switch (config.scheduler.policy) {
#define TESSERA_POLICY(kind, name, ...) \
  case spec::PolicyKind::kind:          \
    return make_##name(config);
#include "model/spec/policies.def"
#undef TESSERA_POLICY
  }
  throw std::invalid_argument("unknown scheduling policy");
}

}  // namespace tessera::policy
