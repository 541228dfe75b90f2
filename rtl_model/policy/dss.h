// SPDX-License-Identifier: Apache-2.0
// Dynamic spatial sharing ([T14] 3.4, Algorithm 1; docs/readings.md, DSS 1 to 9): the kernel with most tokens left
// that needs an SM gets an idle one, else one of the kernel with fewest tokens left, while that brings the two closer.
#pragma once

#include "rtl_model/policy/policy_ports.h"

namespace tessera::rtl_model {

class DssEngine final : public IPolicyEngine {
 public:
  CommandOrder command_order() const override { return CommandOrder::kInTurn; }

  void start_walk() override { d_ = {}; }
  void show(const KernelRow& row) override {
    if (row.is_uncovered && (!d_.max.valid || row.tokens_left > d_.max.tokens_left)) {
      d_.max = {true, row.ksr, row.tokens_left};
    }
    if (row.holds_sm && (!d_.min.valid || row.tokens_left < d_.min.tokens_left)) {
      d_.min = {true, row.ksr, row.tokens_left};
    }
  }
  Candidate candidate() const override {
    if (!d_.max.valid) return {};
    return {d_.max.ksr, true, d_.min.valid && d_.max.tokens_left > d_.min.tokens_left + 1};
  }
  bool is_victim(const VictimRow& row) const override { return row.ksr == d_.min.ksr; }

  void seq() override { q_ = d_; }
  void list_signals(ISignalSink& signals) const override {
    signals.enter("u_dss");
    const auto best = [&](const std::string& name, const Best& b) {
      signals.signal(name + "_valid_q", 1, [&b] { return b.valid; });
      signals.signal(name + "_ksr_q", 16, [&b] { return b.ksr; });
      signals.signal(name + "_tokens_left_q", 16, [&b] { return static_cast<std::uint64_t>(b.tokens_left) & 0xFFFF; });
    };
    best("max", q_.max);
    best("min", q_.min);
    signals.leave();
  }

 private:
  struct Best {
    bool valid = false;
    std::uint32_t ksr = 0;
    std::int32_t tokens_left = 0;  // signed: debt is allowed
  };
  struct Registers {
    Best max, min;
  };
  Registers d_, q_;
};

}  // namespace tessera::rtl_model
