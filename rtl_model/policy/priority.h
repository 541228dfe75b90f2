// SPDX-License-Identifier: Apache-2.0
// Preemptive priority queues ([T14] 4.2, 4.3): the most urgent kernel that needs an SM takes it from the lowest
// priority. `exclusive`: nobody below the highest active priority gets one; with scope `all` they even lose theirs.
// Named after tsr_priority, which serves ppq alone; npq takes nothing away and has the engine of fcfs.
#pragma once

#include "rtl_model/policy/policy_ports.h"

namespace tessera::rtl_model {

class PriorityEngine final : public IPolicyEngine {
 public:
  void select(const PolicyMode& mode) override { d_.mode = mode; }
  CommandOrder command_order() const override { return CommandOrder::kPriorityInTurn; }

  void start_walk() override { d_.top = d_.requester = {}; }
  void show(const KernelRow& row) override {
    // 1. The first kernel of the highest priority, whatever it needs.
    keep_most_urgent(d_.top, row);
    // 2. The same among those that need an SM.
    if (row.is_uncovered) keep_most_urgent(d_.requester, row);
  }
  Candidate candidate() const override {
    const bool may_have_one = d_.requester.valid && (!q_.mode.is_exclusive || d_.requester.priority == d_.top.priority);
    if (may_have_one) return {d_.requester.ksr, true, true};
    if (q_.mode.is_exclusive && q_.mode.empties_engine && d_.top.valid) return {d_.top.ksr, false, true};
    return {};
  }

  // SMs that count for a priority below that of the kernel they are for; the lowest first.
  bool is_victim(const VictimRow& row) const override { return row.priority < candidate_priority(); }
  std::uint32_t victim_rank(const VictimRow& row) const override { return row.priority; }

  void seq() override { q_ = d_; }
  void list_signals(ISignalSink& signals) const override {
    signals.enter("u_priority");
    const auto best = [&](const std::string& name, const Best& b) {
      signals.signal(name + "_valid_q", 1, [&b] { return b.valid; });
      signals.signal(name + "_ksr_q", 16, [&b] { return b.ksr; });
      signals.signal(name + "_priority_q", 4, [&b] { return b.priority; });
    };
    best("top", q_.top);
    best("requester", q_.requester);
    signals.leave();
  }

 private:
  struct Best {
    bool valid = false;
    std::uint32_t ksr = 0;
    std::uint32_t priority = 0;
  };
  struct Registers {
    PolicyMode mode;
    Best top, requester;
  };
  static void keep_most_urgent(Best& best, const KernelRow& row) {
    if (!best.valid || row.priority > best.priority) best = {true, row.ksr, row.priority};
  }
  // Of the kernel in candidate(): scope `all` may empty the engine for one that needs nothing itself.
  std::uint32_t candidate_priority() const {
    const bool is_requester = d_.requester.valid && (!q_.mode.is_exclusive || d_.requester.priority == d_.top.priority);
    return is_requester ? d_.requester.priority : d_.top.priority;
  }

  Registers d_, q_;
};

}  // namespace tessera::rtl_model
