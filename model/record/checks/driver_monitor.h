// SPDX-License-Identifier: Apache-2.0
// The invariants of a driver that holds groups back, checked while a model runs; the first violation of each is kept.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "model/record/checks/driver/driver_ledger.h"

namespace tessera::record {

class DriverMonitor : public ISink {
 public:
  explicit DriverMonitor(const DriverFacts& facts);
  DriverMonitor(const DriverMonitor&) = delete;  // its ledger refers to it
  DriverMonitor& operator=(const DriverMonitor&) = delete;

  bool wants_per_tb() const override { return false; }
  void consume(const Record& record) override { ledger_.visit(record); }
  void finish(Cycle) override { ledger_.finish(); }

  // {"driver_groups", "ok" or the first violation}, "driver_budgets", "driver_order". Valid after finish().
  std::vector<std::pair<std::string, std::string>> verdicts() const;

 private:
  std::array<std::string, 3> first_violation_;  // by rule
  driver_check::Ledger ledger_;
};

}  // namespace tessera::record
