// SPDX-License-Identifier: Apache-2.0
// The search's states.
#include "rtl_model/policy/search.h"

namespace tessera::rtl_model {

Search::Search(const CoreParams& params, Tables& tables, const Turn& turn)
    : params_(params),
      tables_(tables),
      turn_(turn),
      trackers_(params),
      scan_(params, tables),
      walk_(params, tables, trackers_) {
  select_policy(PolicyRegister::of(params.policy));
}

// An activation is offered late enough to take its cycles: the WRITE is four cycles after its PICK.
bool Search::is_offered() const {
  switch (state_) {
    case State::kActivate:
      return cycles_since_begin_ + 5 >= params_.activation_cycles;
    case State::kMove:
    case State::kEvict:
      return true;
    case State::kDeal:
      return deal_state_ == DealState::kOffered;
    default:
      return false;
  }
}

// ---- a cycle: what looks at tables ---------------------------------------------------------------------------

void Search::look(bool engine_is_in_pick) {
  if (turn_.is_kept()) trackers_.see_turn(turn_.turn(), turn_.gives_sms());
  held_back_context_ = turn_.holds_commands_back() ? turn_.turn() : kNone;
  drops_eviction_ = false;
  switch (state_) {
    case State::kBegin:
      begins_with_eviction_ = turn_.evicts() && tables_.ksrt.holding().any();
      drops_eviction_ = turn_.evicts() && !begins_with_eviction_;
      begins_with_scan_ = tables_.command_buffers.num_waiting() > 0 && !tables_.active_queue.is_full();
      return;
    case State::kScan:
      has_ended_phase_ = scan_.is_last_cycle();
      if (!has_ended_phase_) scan_.step(trackers_.row(), trackers_.turn());
      return;
    case State::kWalk:
    case State::kDrain:
      has_ended_phase_ = walk_.step();
      if (has_ended_phase_) seen_ = SearchedSms(tables_, trackers_.row().has(kPartitions)).seen();
      return;
    case State::kJudge:
      linger_priority_ = tables_.linger.priority();
      return;
    case State::kDeal:
      return look_at_deal(engine_is_in_pick);
    default:
      return;
  }
}

// The entry is read when the engine is in PICK, its context in the next cycle, that context's budget in the next.
void Search::look_at_deal(bool engine_is_in_pick) {
  deals_no_more_ = false;
  if (deal_state_ == DealState::kEntry && engine_is_in_pick) {
    deals_no_more_ = deal_entry_ == tables_.active_queue.size();
    if (!deals_no_more_) job_ = {SearchJobKind::kDeal, 0, tables_.active_queue.at(deal_entry_)};
    deal_state_ = DealState::kContext;
  } else if (deal_state_ == DealState::kContext) {
    deal_context_ = tables_.ksrt.traits(job_.ksr).context;
    deal_state_ = DealState::kBudget;
  } else if (deal_state_ == DealState::kBudget) {
    const bool is_dealt_to = written_context_ == kNone || written_context_ == deal_context_;
    if (!is_dealt_to) ++deal_entry_;
    deal_state_ = is_dealt_to ? DealState::kOffered : DealState::kEntry;
  }
}

// ---- a cycle: the edge ---------------------------------------------------------------------------------------

void Search::seq(const Inputs& inputs, EventPins& events) {
  const bool invoked = inputs.invoked || inputs.write != nullptr;
  has_waiting_tick_ = has_waiting_tick_ || inputs.tick;
  if (state_ == State::kIdle && !invoked) return;
  const State next = inputs.write != nullptr ? restart(*inputs.write) : step(inputs);
  if (state_ == State::kIdle) {
    events.policy_invoked = true;
  } else {
    is_pending_ = invoked || (is_pending_ && state_ != State::kBegin);
  }
  events.policy_decided = state_ != State::kIdle && next == State::kIdle;
  events.withheld = events.policy_decided && is_withheld_;
  ++cycles_since_begin_;
  if (next != state_ || next == State::kBegin) enter(next);
}

Search::State Search::step(const Inputs& inputs) {
  switch (state_) {
    case State::kIdle:
      return State::kBegin;
    case State::kBegin:
      if (!begins_with_eviction_) return begins_with_scan_ ? State::kScan : State::kWalk;
      job_ = {SearchJobKind::kEvict};
      return State::kEvict;
    case State::kScan:
      return has_ended_phase_ ? end_of_scan() : State::kScan;
    case State::kMove:
      // Whoever else needs an SM of the partition; but V might be found again and again.
      if (trackers_.row().has(kPartitions) && inputs.job_ended && !inputs.job_found_no_sm) {
        tables_.partitions.touch_step();
      }
      [[fallthrough]];
    case State::kActivate:
    case State::kEvict:
      return inputs.job_ended ? State::kBegin : state_;
    case State::kWalk:
      return walk_.is_draining() ? State::kDrain : State::kWalk;
    case State::kDrain:
      return has_ended_phase_ ? State::kJudge : State::kDrain;
    case State::kJudge:
      return judge(inputs);
    case State::kDeal:
      return step_deal(inputs);
  }
  return state_;
}

// What every state begins with.
void Search::enter(State state) {
  state_ = state;
  if (state == State::kBegin) {
    cycles_since_begin_ = 0;
    // The turn passes between walks: within one, distances would change.
    if (has_waiting_tick_) trackers_.pass_turn();
    has_waiting_tick_ = false;
  }
  if (state == State::kScan) scan_.start();
  const bool walks_in_partitions = state == State::kWalk && trackers_.row().has(kPartitions);
  if (walks_in_partitions) tables_.partitions.choose();
  tables_.partitions.walk(walks_in_partitions);
  if (state == State::kWalk) walk_.start();
  if (state == State::kDeal) {
    deal_state_ = DealState::kEntry;
    deal_entry_ = 0;
  }
}

// ---- the OS --------------------------------------------------------------------------------------------------

Search::State Search::restart(const ControlPins& write) {
  if (write.reg == ControlRegister::kPriority || write.reg == ControlRegister::kPartition) return State::kBegin;
  if (write.reg == ControlRegister::kPolicy) select_policy(PolicyRegister::of(write.data));
  written_context_ = write.reg == ControlRegister::kTokens ? write.context : kNone;
  return State::kDeal;
}

// A code that is not there leaves the policy, or the technique, as it is.
void Search::select_policy(PolicyRegister written) {
  if ((params_.policies >> written.code & 1) == 0) written.code = policy().code;
  if (!written.has_technique()) written.technique = policy().technique;
  if (!params_.has_kept_turn) written.keeps_turn = written.evicts = false;
  trackers_.select(written);
  trackers_.reset_turn();
  has_waiting_tick_ = false;
}

// ---- activation and deals ------------------------------------------------------------------------------------

Search::State Search::end_of_scan() {
  const std::uint32_t buffer = scan_.outcome(trackers_.row());
  const bool is_found = buffer != kNone && tables_.command_buffers.row(buffer).context != held_back_context_;
  if (!is_found) return State::kWalk;
  job_ = {SearchJobKind::kActivate, buffer};
  return State::kActivate;
}

Search::State Search::step_deal(const Inputs& inputs) {
  if (deals_no_more_) return State::kBegin;
  if (inputs.job_ended) {
    ++deal_entry_;
    deal_state_ = DealState::kEntry;
  }
  return State::kDeal;
}

// ---- JUDGE ---------------------------------------------------------------------------------------------------

Search::State Search::judge(const Inputs& inputs) {
  const State next = outcome(inputs);
  if (passes_turns()) trackers_.pass_turn_to_b();
  return next;
}

Search::State Search::outcome(const Inputs& inputs) {
  const Candidate candidate = trackers_.candidate();
  is_withheld_ = false;
  if (!candidate.kernel.exists()) return ends(inputs);
  const std::uint32_t ksr = candidate.kernel.ksr;
  const bool has_idle = candidate.kernel.priority >= linger_priority_ ? seen_.is_any_idle : seen_.is_any_free;
  if (candidate.takes_idle && has_idle) return move({SearchJobKind::kAssign, 0, ksr, kNone, true, trackers_.limit()});
  is_withheld_ = candidate.is_a && !candidate.takes_idle && has_idle;
  if (!candidate.takes_away) return ends(inputs);
  if (seen_.is_any_foreign) return move({SearchJobKind::kTake, 0, ksr, kNone, candidate.is_a});
  if (!trackers_.is_victim(candidate.kernel)) return ends(inputs);
  return move({SearchJobKind::kTake, 0, ksr, trackers_.v().ksr, candidate.is_a});
}

Search::State Search::move(const SearchJob& job) {
  job_ = job;
  return State::kMove;
}

// Events since the walk began may have changed what has passed already.
Search::State Search::ends(const Inputs& inputs) const {
  const bool has_more = trackers_.row().has(kPartitions) && tables_.partitions.has_more();
  return is_pending_ || inputs.invoked || has_more ? State::kBegin : State::kIdle;
}

}  // namespace tessera::rtl_model
