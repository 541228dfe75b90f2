// SPDX-License-Identifier: Apache-2.0
// The host's cores keep their rules. Internal to the log checker.
#pragma once

#include <optional>

#include "model/record/checks/cpu/cpu_ledger.h"
#include "verification/log_check/complaints.h"

namespace tessera::verification::log_check {

// A log does not say where the simulation ended, so the priorities of its last cycle with such records are not checked.
class CpuChecks {
 public:
  CpuChecks(const record::CpuFacts& facts, Complaints& complaints);

  void visit(const record::Record& record);

 private:
  Complaints& complaints_;
  std::optional<record::cpu_check::Ledger> cores_;  // none: the host has none
};

}  // namespace tessera::verification::log_check
