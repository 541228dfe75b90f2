// SPDX-License-Identifier: Apache-2.0
// The invariants of design.md section 6 that registers show: counters agree with a recount of the SMST, and a policy
// at rest has left nothing undone.
#pragma once

#include "model/record/invariant_monitor.h"
#include "rtl_model/params.h"
#include "rtl_model/policy/search.h"

namespace tessera::rtl_model {

class TableChecks {
 public:
  TableChecks(const Params& params, const Tables& tables, record::InvariantMonitor& monitor)
      : params_(params), tables_(tables), monitor_(monitor) {}

  // After every edge at which an SM or a kernel changed hands.
  void recount();
  // When the policy is at rest.
  void steady_state(const spec::SchedulerSpec& scheduler);

 private:
  void check_row(std::uint32_t ksr, std::uint32_t owned, std::uint32_t reserved, std::uint64_t covered);
  bool may_use_idle_sm(const spec::SchedulerSpec& scheduler, const KsrRow& row) const;
  void starvation();

  const Params& params_;
  const Tables& tables_;
  record::InvariantMonitor& monitor_;
};

}  // namespace tessera::rtl_model
