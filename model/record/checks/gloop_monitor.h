// SPDX-License-Identifier: Apache-2.0
// The invariants of event-driven kernels, checked while a model runs; the first violation of each is kept
// (docs/concepts/gloop.md).
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "model/record/checks/gloop/gloop_ledger.h"

namespace tessera::record {

class GloopMonitor : public ISink {
 public:
  explicit GloopMonitor(const spec::Spec& spec);
  GloopMonitor(const GloopMonitor&) = delete;  // its ledger refers to it
  GloopMonitor& operator=(const GloopMonitor&) = delete;

  bool wants_per_tb() const override { return false; }
  void consume(const Record& record) override { ledger_.visit(record); }
  void finish(Cycle) override { ledger_.finish(); }

  // {"gloop_token", "ok" or the first violation}, "gloop_callbacks", "gloop_state", "gloop_kills". Valid after
  // finish().
  std::vector<std::pair<std::string, std::string>> verdicts() const;
  // Whether any process has event-driven kernels.
  static bool is_wanted(const spec::Spec& spec);

 private:
  std::array<std::string, 4> first_violation_;  // by rule
  gloop_check::Ledger ledger_;
};

}  // namespace tessera::record
