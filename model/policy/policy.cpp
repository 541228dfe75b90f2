// SPDX-License-Identifier: Apache-2.0
// The factory of the policy family.
#include "model/policy/policy.h"

#include <stdexcept>

#include "model/policy/dss.h"
#include "model/policy/one_context.h"
#include "model/policy/static_partition.h"
#include "model/policy/time_slice.h"
#include "model/policy/urgency.h"

namespace tessera::policy {

std::unique_ptr<IPolicy> make_policy(const PolicyConfig& config) {
  switch (config.scheduler.policy) {
    case spec::PolicyKind::kFcfs:
      return std::make_unique<OneContextPolicy>(OneContextPolicy::Order::kArrival);
    case spec::PolicyKind::kNpq:
      return std::make_unique<OneContextPolicy>(OneContextPolicy::Order::kPriority);
    case spec::PolicyKind::kPpq:
      return std::make_unique<PpqPolicy>(config);
    case spec::PolicyKind::kDss:
      return std::make_unique<DssPolicy>(config);
    case spec::PolicyKind::kTimeSlice:
      return std::make_unique<TimeSlicePolicy>(config);
    case spec::PolicyKind::kEdf:
      return std::make_unique<EdfPolicy>(config);
    case spec::PolicyKind::kStaticPartition:
      return make_static_partition_policy(config);
  }
  throw std::invalid_argument("unknown scheduling policy");
}

}  // namespace tessera::policy
