// SPDX-License-Identifier: Apache-2.0
// Replays what event-driven kernels and the driver that hands their token on say that they did ([G16];
// docs/concepts/gloop.md), and names what cannot be. For the full-log check and for the monitor of a run.
#pragma once

#include <vector>

#include "model/record/checks/gloop/loop_rules.h"
#include "model/record/checks/gloop/token_rules.h"

namespace tessera::record::gloop_check {

// The records of a cycle are judged together, causes before what they cause; the log sorts them by kind.
class Ledger {
 public:
  Ledger(const GloopFacts& facts, Complain complain);
  Ledger(const Ledger&) = delete;  // its parts refer to it
  Ledger& operator=(const Ledger&) = delete;

  // Records of others are ignored.
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
