// SPDX-License-Identifier: Apache-2.0
// Who goes first.
#include "model/policy/dispatch_line.h"

#include <algorithm>

#include "model/policy/urgency_search.h"
#include "model/spec/policies.h"

namespace tessera::policy {

DispatchLine::DispatchLine(const spec::SchedulerSpec& scheduler, const SchedulingTables& tables)
    : tables_(tables), by_(order_of(scheduler)), number_(tables.ksrt().size()) {}

// Within its slice a context's streams go by priority.
DispatchLine::By DispatchLine::order_of(const spec::SchedulerSpec& scheduler) {
  if (spec::orders_by(scheduler, spec::PolicyOrder::kDeadline)) return By::kDeadline;
  const bool has_none = spec::info(scheduler.policy).order == spec::PolicyOrder::kNone;
  return has_none ? By::kArrival : By::kPriority;
}

void DispatchLine::enter(KsrId kernel) {
  number_[index(kernel)] = next_number_++;
  const auto place =
      std::upper_bound(kernels_.begin(), kernels_.end(), kernel, [this](KsrId a, KsrId b) { return is_ahead(a, b); });
  kernels_.insert(place, kernel);
}

void DispatchLine::leave(KsrId kernel) {
  kernels_.erase(std::remove(kernels_.begin(), kernels_.end(), kernel), kernels_.end());
}

void DispatchLine::sort() {
  std::sort(kernels_.begin(), kernels_.end(), [this](KsrId a, KsrId b) { return is_ahead(a, b); });
}

void DispatchLine::set_scheduler(const spec::SchedulerSpec& scheduler) {
  by_ = order_of(scheduler);
  sort();
}

std::uint64_t DispatchLine::urgency(KsrId kernel) const {
  switch (by_) {
    case By::kPriority:
      return ByPriority::urgency(tables_.ksr(kernel));
    case By::kDeadline:
      return ByDeadline::urgency(tables_.ksr(kernel));
    case By::kArrival:
      break;
  }
  return 0;
}

bool DispatchLine::is_ahead(KsrId a, KsrId b) const {
  const std::uint64_t of_a = urgency(a), of_b = urgency(b);
  return of_a != of_b ? of_a > of_b : number_[index(a)] < number_[index(b)];
}

}  // namespace tessera::policy
