// SPDX-License-Identifier: Apache-2.0
// Replays the records of event-driven kernels and of the driver that passes their token on ([G16];
// docs/concepts/gloop.md), and reports what is impossible. Used by the full-log check and by the monitor of a run.
#pragma once

#include <vector>

#include "model/record/checks/gloop/loop_rules.h"
#include "model/record/checks/gloop/token_rules.h"

namespace tessera::record::gloop_check {

// The records of a cycle are checked together, causes before effects; the log sorts them by kind.
class Ledger {
 public:
  Ledger(const GloopFacts& facts, Complain complain);
  Ledger(const Ledger&) = delete;  // its parts refer to it
  Ledger& operator=(const Ledger&) = delete;

  // Other records are ignored.
  void visit(const Record& record);
  void finish() { settle(); }

 private:
  void settle();

  GloopFacts facts_;
  Complain complain_;
  TokenRules tokens_;
  LoopRules loops_;
  std::vector<Record> cycle_;
};

}  // namespace tessera::record::gloop_check
