// SPDX-License-Identifier: Apache-2.0
// The policy's trackers: what a walk remembers of the kernels that it has read (docs/hardware/timing.md 5.4).
#pragma once

#include <cstdint>

#include "rtl_model/core_params.h"
#include "rtl_model/policy/nearness.h"
#include "rtl_model/policy/policy_table.h"
#include "rtl_model/policy/urgency.h"

namespace tessera::rtl_model {

// A kernel as read by the walk.
struct KernelView {
  std::uint32_t ksr = kNone;  // kNone: there is none
  std::uint32_t context = 0;
  std::uint32_t priority = 0;
  Urgency urgency;
  std::int32_t tokens_left = 0;
  std::uint32_t distance = 0;  // of its context from the one in turn
  bool is_uncovered = false;
  bool holds = false;

  bool exists() const { return ksr != kNone; }
};

struct Candidate {
  KernelView kernel;
  bool is_a = false;
  bool takes_idle = false;  // may take an idle SM
  bool takes_away = false;
};

class Trackers {
 public:
  explicit Trackers(const CoreParams& params) : num_contexts_(params.num_contexts) {}

  void start_walk() {
    a_ = b_ = v_ = runner_up_ = first_ = {};
    is_lone_ = true;
  }
  // Kernels, in their order in the queue.
  void show(const KernelView& kernel);

  // JUDGE.
  Candidate candidate() const;
  // A kernel from which the candidate may take SMs.
  bool is_victim(const KernelView& candidate) const { return v_.exists() && has_higher_key(candidate, v_); }
  // SMs that an assign to A may give; kNone: any number.
  std::uint32_t limit() const;
  // With budgets: the SM behind them is the runner-up's.
  bool is_runner_up_next() const;
  const KernelView& a() const { return a_; }
  const KernelView& b() const { return b_; }
  const KernelView& v() const { return v_; }
  const KernelView& runner_up() const { return runner_up_; }
  bool is_lone() const { return is_lone_; }
  // time_slice: the turn goes to the nearest context that has a kernel.
  void pass_turn_to_b() {
    if (b_.exists()) turn_ = b_.context;
  }

  std::uint32_t turn() const { return turn_; }
  void pass_turn() { turn_ = turn_ + 1 == num_contexts_ ? 0 : turn_ + 1; }
  void reset_turn() { turn_ = 0; }
  // A kept turn, in this cycle, and whether kernels of its context get SMs.
  void see_turn(std::uint32_t turn, bool gives_sms) {
    turn_ = turn;
    gives_sms_ = gives_sms;
  }
  std::uint32_t distance(std::uint32_t context) const { return distance_from_turn(context, turn_, num_contexts_); }

  void select(const PolicyRegister& policy) {
    policy_ = policy;
    row_ = policy_row(policy);
  }
  const PolicyRegister& policy() const { return policy_; }
  const PolicyRow& row() const { return row_; }

 private:
  bool has_higher_key(const KernelView& kernel, const KernelView& than) const;
  bool has_same_key(const KernelView& kernel, const KernelView& other) const;
  bool holds(Condition condition) const;
  bool may_go_into_debt() const;
  bool goes_on_into_debt() const;
  std::uint32_t own_limit() const;
  std::uint32_t lead() const;  // of A, against the runner-up
  void show_uncovered(const KernelView& kernel);
  // Of two kernels: whether their tokens left are one row's.
  bool share_tokens(const KernelView& kernel, const KernelView& other) const {
    return policy_.by_process ? kernel.context == other.context : kernel.ksr == other.ksr;
  }

  std::uint32_t num_contexts_;
  PolicyRegister policy_;
  PolicyRow row_ = policy_row({});  // of policy_
  std::uint32_t turn_ = 0;
  bool gives_sms_ = false;
  KernelView a_, b_, v_;
  KernelView runner_up_;      // the best uncovered kernel that has not A's tokens
  bool is_a_before_ = false;  // A is before the runner-up in the queue
  KernelView first_;          // the first kernel that counted
  bool is_lone_ = true;       // no kernel with another budget counted
};

}  // namespace tessera::rtl_model
