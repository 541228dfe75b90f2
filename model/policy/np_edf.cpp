// SPDX-License-Identifier: Apache-2.0
// Non-preemptive earliest deadline first: npq with deadlines in the place of priorities.
#include "model/policy/one_context.h"
#include "model/policy/urgency_search.h"

namespace tessera::policy {

std::unique_ptr<IPolicy> make_np_edf(const PolicyConfig&) {
  return std::make_unique<OneContextPolicy>(is_ahead<ByDeadline>);
}

}  // namespace tessera::policy
