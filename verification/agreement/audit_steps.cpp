// SPDX-License-Identifier: Apache-2.0
// Steps of decisions: what each one did, whether the policy decides so, in what time, and what it does to the tables.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/record/kind_info.h"
#include "model/record/numbers.h"
#include "verification/agreement/decision_audit.h"

namespace tessera::verification {

using record::Kind;
using record::Record;
using record::Technique;
namespace number = record::number;

void DecisionAudit::visit_step(const Record& record) {
  if (is_eviction(record)) return evict(record);
  switch (record.kind) {
    case Kind::kSmSetUp:
      if (is_hand_over(record)) return;
      [[fallthrough]];
    case Kind::kKernelActivated:
    case Kind::kPreemptionRequested:
    case Kind::kPreemptionRetargeted:
    case Kind::kPolicyDecided: {
      const Step step = step_of(record);
      judge(step);
      carry_out(step);
      assigned_ = step.decision.action == policy::Action::kAssign ? step.decision.kernel : kNoKsr;
      seen_.clear();
      span_begin_ = record.cycle;
      if (record.kind != Kind::kPolicyDecided || invocations_.empty()) return;
      invocations_.pop_front();
      if (has_passed_turn_) is_turn_in_doubt_ = has_passed_turn_ = false;
      if (!invocations_.empty()) span_begin_ = invocations_.front();
      return;
    }
    default:
      return;
  }
}

DecisionAudit::Step DecisionAudit::step_of(const Record& record) const {
  Step step{record, {}, kNoCommandBuffer};
  const SmId sm{record.sm};
  switch (record.kind) {
    case Kind::kSmSetUp:
      step.decision = {policy::Action::kAssign, sm, launches_[record.launch].ksr};
      break;
    case Kind::kPreemptionRequested:
      step.decision = {policy::Action::kReserve, sm, launches_[number::reserved_for(record)].ksr};
      break;
    case Kind::kPreemptionRetargeted:
      step.decision = {policy::Action::kRetarget, sm, launches_[number::reserved_for(record)].ksr};
      break;
    case Kind::kKernelActivated:
      step.activated = buffer_of(record.process);
      break;
    default:
      break;
  }
  return step;
}

void DecisionAudit::count_move(const Step& step) {
  std::string move(to_string(step.record.kind));
  if (step.record.kind == Kind::kPolicyDecided) return;
  move += fmt::format(" {}", launches_[step.record.launch].process);
  if (step.decision.takes_sm()) move += fmt::format(" for {}", launches_[number::reserved_for(step.record)].process);
  ++report_.moves[move];
}

void DecisionAudit::judge(const Step& step) {
  ++report_.steps;
  count_move(step);
  // An activation looks at the command buffers when it ends, or in the cycle before; where it is a job, ahead of that.
  const bool is_activation = step.record.kind == Kind::kKernelActivated && !is_one_job_;
  // All SMs of an assign are given by one decision: what excuses the first excuses the others.
  const bool goes_on = is_of_assign(step);
  if (!goes_on) decided_from_ = is_activation ? std::max(span_begin_, step.record.cycle - 2) : span_begin_;
  const bool is_of_excused = goes_on && is_assign_excused_;
  const bool is_disturbed = last_disturbance_ > decided_from_ || is_issuing(step.record.cycle) || is_of_excused;
  const bool is_right_now = is_right(step, tables_);
  is_assign_excused_ = (is_disturbed || !is_right_now) && step.decision.action == policy::Action::kAssign;
  if (is_disturbed) ++report_.disturbed;
  // 1. What was decided.
  if (is_right_now) {
    // Ticks of a kept turn, which make the policy search again, show only where the turn passes.
    if (!is_turn_kept_ && last_disturbance_ <= span_begin_ && has_arrivals_ && !is_turn_in_doubt_ &&
        !is_in_time(step)) {
      fault(step.record, fmt::format("{} cycles after the last step or the invocation at {}",
                                     step.record.cycle - span_begin_, span_begin_));
    }
    return;
  }
  // 2. An event fell in: perhaps the core did not see it yet, or passed the turn at another moment.
  const bool was_right =
      std::any_of(seen_.rbegin(), seen_.rend(), [&](const auto& seen) { return is_right(step, seen); });
  if (was_right || is_right_ahead(step)) return;
  if (is_turn_kept_ && is_right_for_another_owner(step)) return;
  if (is_right_in_another_turn(step) || is_disturbed) {
    ++report_.overtaken;
  } else {
    fault(step.record, "not what the policy decides");
  }
}

// Of the assign that the step before it began: it gives an SM a core cycle.
bool DecisionAudit::is_of_assign(const Step& step) const {
  return step.record.kind == Kind::kSmSetUp && assigned_ == step.decision.kernel &&
         step.record.cycle <= span_begin_ + 1;
}

bool DecisionAudit::is_in_time(const Step& step) const {
  StepTimes::Around around;
  around.num_kernels = tables_.active_queue().size();
  around.follows_assign = assigned_ != kNoKsr;
  around.may_be_of_it = around.follows_assign && assigned_ == step.decision.kernel;
  return times_.fits(step.record.kind, around, step.record.cycle - span_begin_);
}

bool DecisionAudit::is_right(const Step& step, const policy::SchedulingTables& tables) {
  const CommandBufferId command = tables.has_free_ksr() ? policy_->select_command(tables) : kNoCommandBuffer;
  if (step.record.kind == Kind::kKernelActivated) return command == step.activated;
  const std::vector<policy::Decision> steps = policy_->possible_steps(tables);
  if (step.record.kind == Kind::kPolicyDecided) {
    const auto finds_nothing = [](const policy::Decision& wanted) { return wanted.action == policy::Action::kNone; };
    return std::all_of(steps.begin(), steps.end(), finds_nothing) && command == kNoCommandBuffer;
  }
  return std::any_of(steps.begin(), steps.end(), [&](const policy::Decision& wanted) {
    return wanted.action == step.decision.action && wanted.sm == step.decision.sm &&
           wanted.kernel == step.decision.kernel;
  });
}

// Where the engine does one job at a time, breadth first, TBs of the jobs that are under way may be in the tables:
// those that start after the issue latency at the latest.
bool DecisionAudit::is_right_ahead(const Step& step) {
  if (!is_one_job_ || !is_breadth_first_) return false;
  std::multimap<Cycle, std::pair<SmId, const Coming*>> soon;
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    for (const Coming& coming : sms_[i].coming) {
      const Cycle latency =
          spec_.gpu.framework.tb_issue_cycles + coming.num_tbs + links_.down(static_cast<std::uint16_t>(i));
      if (coming.kind == Kind::kPreemptionDone || coming.cycle >= step.record.cycle + latency) break;
      if (!coming.is_counted) soon.emplace(coming.cycle, std::pair(SmId(i), &coming));
    }
  }
  policy::SchedulingTables ahead = tables_;
  return std::any_of(soon.begin(), soon.end(), [&](const auto& entry) {
    count_tbs(ahead, entry.second.first, *entry.second.second);
    return is_right(step, ahead);
  });
}

// The turn is no record. It is in doubt since a timer ticked, or a kernel finished while the policy searched, until it
// shows in a move: that nothing is to be done is right in many a turn. If in none, the turn comes round.
bool DecisionAudit::is_right_in_another_turn(const Step& step) {
  if (!is_turn_in_doubt_) return false;
  std::set<ContextId> contexts;
  for (const KsrId id : tables_.active_queue()) contexts.insert(tables_.ksr(id).context);
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    policy_->on_timer(tables_);
    if (!is_right(step, tables_)) continue;
    has_passed_turn_ = step.record.kind != Kind::kPolicyDecided;
    return true;
  }
  return false;
}

// While a kept turn is on its way a log does not say when it counts as the next context's, whose commands then come
// first.
bool DecisionAudit::is_right_for_another_owner(const Step& step) {
  if (!is_turn_on_its_way_) return false;
  const policy::SeenTurn turn = turn_;
  turn_.gives_sms = false;
  turn_.activates_owner = true;
  bool is_found = false;
  for (std::size_t i = 0; i < spec_.processes.size() && !is_found; ++i) {
    turn_.owner = ContextId(i);
    is_found = is_right(step, tables_);
  }
  turn_ = turn;
  return is_found;
}

void DecisionAudit::carry_out(const Step& step) {
  const SmId sm{step.record.sm};
  switch (step.record.kind) {
    case Kind::kKernelActivated:
      return activate(step);
    case Kind::kSmSetUp:
      tables_.assign(sm, step.decision.kernel);
      set_up(step.record);
      return;
    case Kind::kPreemptionRequested:
      return reserve(step);
    case Kind::kPreemptionRetargeted: {
      tables_.retarget(sm, step.decision.kernel);
      // A drain can be cancelled for the owner, a trap cannot (docs/concepts/readings.md, DSS 7).
      const bool is_for_owner = number::reserved_for(step.record) == step.record.launch;
      if (is_for_owner && step.record.technique == Technique::kDrain) tables_.unreserve(sm);
      return;
    }
    default:
      return;
  }
}

void DecisionAudit::activate(const Step& step) {
  activations_.pop_front();
  has_searched_ = false;
  Launch& launch = launches_[step.record.launch];
  const KernelFacts& facts = facts_of(launch);
  const policy::CommandEntry& command = tables_.command(step.activated);
  policy::KsrEntry entry;
  entry.context = command.context;
  entry.priority = command.priority;
  entry.deadline_unit = command.deadline_unit;
  entry.partition = command.partition;
  entry.tokens = policy_->take_tokens(command.context);
  entry.tbs_per_sm = facts.tbs_per_sm;
  entry.is_spread = is_breadth_first_;
  entry.tbs.total = facts.num_tbs;
  launch.ksr = tables_.lowest_free_ksr();
  if (launch.ksr == kNoKsr) {
    is_lost_ = true;
    return fault(step.record, "no KSR is free");
  }
  tables_.activate(launch.ksr, step.activated, entry);
  update_timer(step.record.cycle);
}

void DecisionAudit::reserve(const Step& step) {
  const SmId sm{step.record.sm};
  count_coming(sm);
  tables_.reserve(sm, step.decision.kernel);
}

// TBs that were sent to the SM before count as its own, though they start later.
void DecisionAudit::count_coming(SmId sm) {
  for (Coming& coming : sms_[index(sm)].coming) {
    if (coming.kind == Kind::kPreemptionDone) break;
    if (!coming.is_counted) count_tbs(tables_, sm, coming);
    coming.is_counted = true;
  }
}

}  // namespace tessera::verification
