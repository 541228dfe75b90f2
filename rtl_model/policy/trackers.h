// SPDX-License-Identifier: Apache-2.0
// The policy's two trackers, the idle SM and the victim: what a walk remembers of the rows it has read
// (docs/hardware/timing.md 5.4).
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
  bool is_foreign = false;  // second walk: of another partition than the SM's

  bool exists() const { return ksr != kNone; }
};

struct Candidate {
  KernelView kernel;
  bool is_a = false;
  bool takes_idle = false;  // may take an idle SM that is not kept for others
  bool takes_away = false;
};

struct Victim {
  std::uint32_t sm = kNone;
  bool is_running = false;  // else reserved
  KernelView counts_against;

  bool exists() const { return sm != kNone; }
};

class Trackers {
 public:
  explicit Trackers(const CoreParams& params) : num_contexts_(params.num_contexts) {}

  void start_first_walk() {
    a_ = b_ = first_ = {};
    is_lone_ = true;
    idle_sm_ = free_sm_ = kNone;
  }
  void start_second_walk() {
    candidate_ = candidate();
    victim_ = {};
  }

  // Rows, in order of index.
  void show_kernel(const KernelView& kernel);
  void show_idle_sm(std::uint32_t sm, bool is_free) {
    if (idle_sm_ == kNone) idle_sm_ = sm;
    if (is_free && free_sm_ == kNone) free_sm_ = sm;
  }
  void show_owned_sm(std::uint32_t sm, bool is_running, const KernelView& counts_against);

  // JUDGE.
  Candidate candidate() const;
  const Candidate& candidate_of_second_walk() const { return candidate_; }
  // The idle SM that a kernel of this priority may have; kernels below the hold-off's priority do not get a kept SM.
  std::uint32_t idle_sm(std::uint32_t priority, std::uint32_t linger_priority) const {
    return priority >= linger_priority ? idle_sm_ : free_sm_;
  }
  const Victim& victim() const { return victim_; }
  const KernelView& b() const { return b_; }
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
  bool is_ranked_below(const KernelView& kernel, const KernelView& other) const;
  bool is_victim(const KernelView& kernel) const;

  std::uint32_t num_contexts_;
  PolicyRegister policy_;
  PolicyRow row_ = policy_row({});  // of policy_
  std::uint32_t turn_ = 0;
  bool gives_sms_ = false;
  KernelView a_, b_;
  KernelView first_;     // the first kernel that counted
  bool is_lone_ = true;  // no kernel with another budget counted
  std::uint32_t idle_sm_ = kNone, free_sm_ = kNone;
  Candidate candidate_;  // of the second walk
  Victim victim_;
};

}  // namespace tessera::rtl_model
