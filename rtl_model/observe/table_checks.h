// SPDX-License-Identifier: Apache-2.0
// The invariants (docs/concepts/readings.md) on registers: counters agree with a recount of the SMST, and a policy at
// rest has left nothing undone. They hold at every edge, for every core.
#pragma once

#include "model/record/checks/invariant_monitor.h"
#include "rtl_model/interfaces/core_snapshot.h"
#include "rtl_model/params.h"

namespace tessera::rtl_model {

class TableChecks {
 public:
  TableChecks(const Params& params, record::InvariantMonitor& monitor);

  // Call after every edge at which an SM or a kernel changed hands.
  void recount(const CoreSnapshot& core);
  // Call when the policy is at rest.
  void steady_state(const CoreSnapshot& core, const spec::SchedulerSpec& scheduler);

 private:
  // Counts of a kernel according to the SMST.
  struct Count {
    std::uint32_t owned = 0;
    std::uint32_t reserved = 0;
    std::uint64_t covered = 0;
  };
  void count_sm(const CoreSnapshot& core, std::uint32_t sm);
  void check_row(const CoreSnapshot& core, std::uint32_t ksr);
  bool is_uncovered(const KsrSnapshot& row) const;
  bool can_be_set_up(const SmSnapshot& row) const;
  bool may_use_idle_sm(const CoreSnapshot& core, const spec::SchedulerSpec& scheduler, std::uint32_t ksr) const;
  static bool has_turn(const CoreSnapshot& core, std::uint32_t context);
  bool may_go_into_debt(const CoreSnapshot& core, const spec::SchedulerSpec& scheduler, std::uint32_t ksr) const;
  void starvation(const CoreSnapshot& core);

  const Params& params_;
  record::InvariantMonitor& monitor_;
  std::vector<Count> counts_;  // by KSR
};

}  // namespace tessera::rtl_model
