// SPDX-License-Identifier: Apache-2.0
// fcfs and npq ([T14] 2.3, 2.4): one context in the engine at a time, never preempted. They differ in which command
// goes first.
#pragma once

#include "rtl_model/policy/policy_ports.h"

namespace tessera::rtl_model {

class FcfsEngine final : public IPolicyEngine {
 public:
  explicit FcfsEngine(CommandOrder order) : order_(order) {}

  CommandOrder command_order() const override { return order_; }
  bool is_one_context_at_a_time() const override { return true; }

  // The first kernel with uncovered TBs gets an idle SM.
  void start_walk() override { kernel_d_ = kNone; }
  void show(const KernelRow& row) override {
    if (kernel_d_ == kNone && row.is_uncovered) kernel_d_ = row.ksr;
  }
  Candidate candidate() const override { return {kernel_d_, true, false}; }

  void seq() override { kernel_q_ = kernel_d_; }
  void list_signals(ISignalSink& signals) const override {
    signals.enter(order_ == CommandOrder::kArrival ? "u_fcfs" : "u_npq");
    signals.signal("kernel_q", 16, [this] { return kernel_q_ & 0xFFFF; });
    signals.leave();
  }

 private:
  CommandOrder order_;
  std::uint32_t kernel_d_ = kNone;
  std::uint32_t kernel_q_ = kNone;
};

}  // namespace tessera::rtl_model
