// SPDX-License-Identifier: Apache-2.0
// Time slicing: contexts take turns on the whole engine, in the order of their ids; an owner without active kernels
// passes its turn on. `shared` lends the SMs that the owner cannot use.
#pragma once

#include "rtl_model/policy/policy_ports.h"

namespace tessera::rtl_model {

class TimeSliceEngine final : public IPolicyEngine {
 public:
  explicit TimeSliceEngine(std::uint32_t num_contexts) : num_contexts_(num_contexts) {}

  void select(const PolicyMode& mode) override {
    d_.mode = mode;
    d_.owner = 0;
  }
  CommandOrder command_order() const override { return CommandOrder::kInTurn; }

  void start_walk() override { d_.nearest = d_.requester = {}; }
  void show(const KernelRow& row) override {
    keep_nearest(d_.nearest, row);
    if (row.is_uncovered) keep_nearest(d_.requester, row);
  }
  Candidate candidate() const override {
    if (!d_.requester.valid) return {};
    const bool is_in_turn = d_.requester.context == d_.nearest.context;
    if (q_.mode.is_exclusive && !is_in_turn) return {};
    return {d_.requester.ksr, true, is_in_turn};
  }
  // The turn is with the nearest context that has a kernel.
  void end_walk() override {
    if (d_.nearest.valid) d_.owner = d_.nearest.context;
  }
  bool is_victim(const VictimRow& row) const override { return row.context != d_.nearest.context; }

  void tick() override { d_.owner = d_.owner + 1 >= num_contexts_ ? 0 : d_.owner + 1; }
  bool wants_timer() const override { return true; }

  void seq() override { q_ = d_; }
  void list_signals(ISignalSink& signals) const override {
    signals.enter("u_time_slice");
    signals.signal("owner_q", 8, [this] { return q_.owner; });
    signals.signal("nearest_valid_q", 1, [this] { return q_.nearest.valid; });
    signals.signal("nearest_ksr_q", 16, [this] { return q_.nearest.ksr; });
    signals.signal("requester_valid_q", 1, [this] { return q_.requester.valid; });
    signals.signal("requester_ksr_q", 16, [this] { return q_.requester.ksr; });
    signals.leave();
  }

 private:
  struct Best {
    bool valid = false;
    std::uint32_t ksr = 0;
    std::uint32_t context = 0;
    std::uint32_t distance = 0;
  };
  struct Registers {
    PolicyMode mode;
    std::uint32_t owner = 0;
    Best nearest, requester;
  };
  void keep_nearest(Best& best, const KernelRow& row) const {
    // From its turn, in contexts.
    const std::uint32_t distance =
        row.context >= q_.owner ? row.context - q_.owner : row.context + num_contexts_ - q_.owner;
    if (!best.valid || distance < best.distance) best = {true, row.ksr, row.context, distance};
  }

  std::uint32_t num_contexts_;
  Registers d_, q_;
};

}  // namespace tessera::rtl_model
