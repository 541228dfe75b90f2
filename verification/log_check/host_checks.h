// SPDX-License-Identifier: Apache-2.0
// Runs and transfers end as they began, and runs that are released begin then. Internal to the log checker.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "model/record/run_start.h"
#include "verification/log_check/complaints.h"
#include "verification/log_check/ledger.h"

namespace tessera::verification::log_check {

class HostChecks {
 public:
  // `starts`: of processes; those that it leaves out run back to back.
  HostChecks(const std::vector<record::RunStart>& starts, Complaints& complaints)
      : starts_(starts), complaints_(complaints) {}

  void visit(const record::Record& record);
  void finish();

 private:
  struct Process {
    std::uint32_t num_released = 0;
    std::uint32_t num_ended = 0;
    std::uint32_t next_run = 0;  // the least that may start
    std::map<std::uint32_t, record::Record>
        unreleased;  // started, in the cycle in which, it is hoped, they are released
  };

  record::RunStart start_of(const record::Record& record) const {
    return record.process < starts_.size() ? starts_[record.process] : record::RunStart::kBackToBack;
  }
  void run_released(const record::Record& record);
  void run_started(const record::Record& record);
  void run_ended(const record::Record& record);

  const std::vector<record::RunStart>& starts_;
  Complaints& complaints_;
  std::map<std::uint16_t, Process> processes_;
  std::map<std::pair<std::uint16_t, std::uint32_t>, Cycle> open_runs_;                // (process, run) -> start
  std::multiset<std::tuple<std::uint16_t, std::uint64_t, std::uint64_t>> transfers_;  // process, direction, bytes
};

}  // namespace tessera::verification::log_check
