// SPDX-License-Identifier: Apache-2.0
// The invariants of a driver that stops tasks, checked while a model runs; the first violation of each is kept.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "model/record/checks/driver/task_ledger.h"

namespace tessera::record {

class TaskMonitor : public ISink {
 public:
  explicit TaskMonitor(const TaskFacts& facts);
  TaskMonitor(const TaskMonitor&) = delete;  // its ledger refers to it
  TaskMonitor& operator=(const TaskMonitor&) = delete;

  bool wants_per_tb() const override { return false; }
  void consume(const Record& record) override { ledger_.visit(record); }
  void finish(Cycle) override { ledger_.finish(); }

  // {"driver_launches", "ok" or the first violation}, "driver_stops", "driver_choice". Valid after finish().
  std::vector<std::pair<std::string, std::string>> verdicts() const;

 private:
  std::array<std::string, 3> first_violation_;  // by rule
  task_check::Ledger ledger_;
};

}  // namespace tessera::record
