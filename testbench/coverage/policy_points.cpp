// SPDX-License-Identifier: Apache-2.0
// Policies: every setting of the policy register in a decision, every kind of move by each, and ties.
#include <array>

#include "rtl_model/policy_register.h"
#include "testbench/coverage/core_coverage.h"

namespace tessera::testbench {
namespace {

using namespace rtl_model;  // NOLINT(google-build-using-namespace): every second word here

using spec::PolicyOrder;

constexpr std::array<const char*, 3> kMoves = {"assign", "reserve", "retarget"};

class PolicyPoints final : public ICoverGroup {
 public:
  explicit PolicyPoints(Coverage& coverage) : coverage_(coverage) {
    for (std::uint32_t bits = 0; bits < kNumSettings; ++bits) settings_[bits] = coverage_.add(name(bits), "decides");
    for (std::uint32_t code = 0; code < kNumPolicyCodes; ++code) {
      const spec::PolicyInfo& policy = policy_with_code(code);
      for (std::size_t move = 0; move < kMoves.size(); ++move) {
        if (!policy.preempts && move != 0) continue;  // it takes nothing away
        moves_[code][move] = coverage_.add(prefix(policy) + kMoves[move], "its move");
      }
    }
  }

  void sample(const CycleView& now) override {
    const EventPins& events = now.out.events;
    if (events.policy_decided) coverage_.hit(settings_[setting(now.policy)]);
    if (events.moved) {
      const std::uint32_t code = now.policy & kPolicyCodeMask;
      const auto move = static_cast<std::size_t>(events.move);
      // A policy write of the move's cycle would have dropped it: the policy is the one that moved.
      if (policy_with_code(code).preempts || move == 0) coverage_.hit(moves_[code][move]);
      sample_who(now);
    }
    if (now.search.state == SearchState::kBegin) sample_ties(now);
    if (now.out.slice_timer_enable != now.before.out.slice_timer_enable) {
      coverage_.hit(now.out.slice_timer_enable ? timer_on_ : timer_off_);
    }
  }

 private:
  static constexpr std::uint32_t kNumSettings = kNumPolicyCodes * 16;

  static std::string prefix(const spec::PolicyInfo& policy) { return "policy." + std::string(policy.name) + "."; }
  // policy 2:0, then technique, access, exclusive scope and token scope.
  static std::uint32_t setting(std::uint32_t policy) {
    return (policy >> 3) * kNumPolicyCodes + (policy & kPolicyCodeMask);
  }
  static std::string name(std::uint32_t setting) {
    const std::uint32_t bits = setting / kNumPolicyCodes;
    return prefix(policy_with_code(setting % kNumPolicyCodes)) + ((bits & 1) != 0 ? "drain" : "context_switch") +
           ((bits & 2) != 0 ? ".shared" : ".exclusive") + ((bits & 4) != 0 ? ".all" : ".needed") +
           ((bits & 8) != 0 ? ".process" : ".kernel");
  }

  void sample_who(const CycleView& now) {
    const EventPins& events = now.out.events;
    if (events.move == MoveKind::kAssign) return;
    const SmRow& row = now.tables.smst.row(events.moved_sm);
    if (!now.tables.smst.has_owner(row)) return coverage_.hit(from_finished_);
    const KsrRow& owner = now.tables.ksrt.row(row.ksr);
    const KsrRow& winner = now.tables.ksrt.row(events.moved_ksr);
    coverage_.hit_if(same_context_, row.ksr != events.moved_ksr && owner.context == winner.context);
    coverage_.hit_if(for_nothing_, !winner.is_issuable());
  }
  // Kernels that are equal in what the policy compares; the earlier one wins.
  void sample_ties(const CycleView& now) {
    const spec::PolicyInfo& policy = policy_with_code(now.policy & kPolicyCodeMask);
    const ActiveQueue& queue = now.tables.active_queue;
    for (std::uint32_t a = 0; a + 1 < queue.size(); ++a) {
      const KsrRow& first = now.tables.ksrt.row(queue.at(a));
      if (!now.tables.ksrt.is_uncovered(first)) continue;
      for (std::uint32_t b = a + 1; b < queue.size(); ++b) {
        const KsrRow& second = now.tables.ksrt.row(queue.at(b));
        if (now.tables.ksrt.is_uncovered(second)) sample_tie(policy, first, second);
      }
    }
  }
  void sample_tie(const spec::PolicyInfo& policy, const KsrRow& first, const KsrRow& second) {
    const auto left = [](const KsrRow& row) {
      return static_cast<std::int32_t>(std::uint32_t{row.tokens}) - static_cast<std::int32_t>(row.held());
    };
    if (!policy.preempts) return coverage_.hit(tie_arrival_);
    const PolicyOrder order = policy.order;
    coverage_.hit_if(tie_priority_, order == PolicyOrder::kPriority && first.priority == second.priority);
    coverage_.hit_if(tie_tokens_, order == PolicyOrder::kTokens && left(first) == left(second));
    coverage_.hit_if(negative_tokens_, order == PolicyOrder::kTokens && left(first) < 0 && left(second) < 0);
    coverage_.hit_if(tie_context_, order == PolicyOrder::kTurn && first.context == second.context);
  }

  Coverage& coverage_;
  std::array<Coverage::Id, kNumSettings> settings_{};
  std::array<std::array<Coverage::Id, 3>, kNumPolicyCodes> moves_{};
  const Coverage::Id tie_arrival_ = coverage_.add("tie.arrival", "fcfs, npq: two kernels want an SM");
  const Coverage::Id tie_priority_ = coverage_.add("tie.priority", "ppq: two kernels of one priority want an SM");
  const Coverage::Id tie_tokens_ = coverage_.add("tie.tokens", "dss: two kernels with as many tokens left want an SM");
  const Coverage::Id negative_tokens_ = coverage_.add("tie.negative_tokens", "dss: two kernels in debt want an SM");
  const Coverage::Id tie_context_ = coverage_.add("tie.context", "time_slice: two kernels of one context want an SM");
  const Coverage::Id from_finished_ =
      coverage_.add("move.owner_finished", "an SM is retargeted whose owner has finished");
  const Coverage::Id same_context_ =
      coverage_.add("move.within_context", "an SM goes from one kernel of a context to another");
  const Coverage::Id for_nothing_ =
      coverage_.add("move.for_no_work", "an SM is reserved for a kernel that has nothing to issue");
  const Coverage::Id timer_on_ = coverage_.add("slice_timer.enabled", "a second context becomes active");
  const Coverage::Id timer_off_ = coverage_.add("slice_timer.disabled", "only one context is left, or another policy");
};

}  // namespace

std::unique_ptr<ICoverGroup> policy_points(Coverage& coverage) { return std::make_unique<PolicyPoints>(coverage); }

}  // namespace tessera::testbench
