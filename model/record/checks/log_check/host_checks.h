// SPDX-License-Identifier: Apache-2.0
// Runs and transfers end as they began. Internal to the log checker.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "model/record/checks/log_check/complaints.h"
#include "model/record/checks/log_check/ledger.h"

namespace tessera::record::log_check {

class HostChecks {
 public:
  explicit HostChecks(Complaints& complaints) : complaints_(complaints) {}

  void visit(const Record& record);
  void finish();

 private:
  void run_ended(const Record& record);

  Complaints& complaints_;
  std::map<std::pair<std::uint16_t, std::uint32_t>, Cycle> open_runs_;                // (process, run) -> start
  std::map<std::uint16_t, std::uint32_t> num_runs_;                                   // [process]: runs started
  std::multiset<std::tuple<std::uint16_t, std::uint64_t, std::uint64_t>> transfers_;  // process, direction, bytes
};

}  // namespace tessera::record::log_check
