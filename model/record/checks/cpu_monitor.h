// SPDX-License-Identifier: Apache-2.0
// The invariants of a host with cores, checked while a model runs; the first violation of each is kept
// (docs/concepts/host_cores.md).
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "model/record/checks/cpu/cpu_ledger.h"

namespace tessera::record {

class CpuMonitor : public ISink {
 public:
  explicit CpuMonitor(const CpuFacts& facts);
  CpuMonitor(const CpuMonitor&) = delete;  // its ledger refers to it
  CpuMonitor& operator=(const CpuMonitor&) = delete;

  bool wants_per_tb() const override { return false; }
  void consume(const Record& record) override { ledger_.visit(record); }
  void finish(Cycle end) override { ledger_.finish(end); }

  // {"cpu_cores", "ok" or the first violation}, "cpu_priority". Valid after finish().
  std::vector<std::pair<std::string, std::string>> verdicts() const;

 private:
  std::array<std::string, 2> first_violation_;  // by rule
  cpu_check::Ledger ledger_;
};

}  // namespace tessera::record
