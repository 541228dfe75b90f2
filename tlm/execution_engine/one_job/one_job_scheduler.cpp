// SPDX-License-Identifier: Apache-2.0
// The states of the search.
#include "tlm/execution_engine/one_job/one_job_scheduler.h"

#include <algorithm>

#include "model/spec/core_cycles.h"
#include "model/spec/spec.h"

namespace tessera::tlm_model {

OneJobScheduler::OneJobScheduler(SmParts& parts, OneJobDriver& driver, TimerLeaves leaves)
    : Scheduler(parts, driver, leaves),
      engine_(driver),
      ratio_(parts.spec.scheduler.tbs_per_cycle),
      accepted_at_(parts.spec.gpu.framework.num_command_buffers, 0) {
  engine_.on_activation = [this](CommandBufferId buffer, Cycle now) { activate(buffer, now); };
  engine_.on_job_ended = [this](Cycle last, bool is_done) { job_ended(last, is_done); };
  engine_.on_write = [this](Cycle core) { look_at_turn_at(core + 1); };
}

// ---- invocation ----------------------------------------------------------------------------------------------

// One that comes before a search begins is that search's: BEGIN forgets it, but for those of its own cycle.
void OneJobScheduler::invoke_at(Cycle core, Cycle now) {
  if (state_ != State::kIdle) {
    is_pending_ = is_pending_ || core >= begin_;
    return;
  }
  step_ = Step::kSearch;
  note_invoked(core / ratio_, now);
  begin_at(core + 1);
}

// What was found is dropped; budgets are dealt first, a kernel after the other.
void OneJobScheduler::register_written(Deals deals, Cycle now) {
  const Cycle core = now * ratio_;
  if (state_ == State::kIdle) note_invoked(now, now);
  step_ = Step::kSearch;
  engine_.withdraw_offer();
  if (deals == Deals::kNone) return begin_at(core + 1);
  const Cycle dealt = core + 2 + spec::kDealCycles * tables_.active_queue().size();
  engine_.deals_until(dealt);
  begin_at(dealt);
}

void OneJobScheduler::begin_at(Cycle core) {
  is_pending_ = false;
  begin_ = core;
  enter(State::kBegin, core);
}

void OneJobScheduler::enter(State state, Cycle due) {
  state_ = state;
  due_ = due;
  if (due == kNever) return timers_.clear(leaves_.step);
  timers_.set(leaves_.step, std::max(due / ratio_, array_.now()));
}

void OneJobScheduler::offer(const KernelLaunch& launch, Cycle now) {
  queue_up(offered_[index(buffer_of(launch.context))], launch);
  look_at_turn_after(now);
}

void OneJobScheduler::messages_delivered(Cycle now) {
  Cycle num_accepted = 0;
  has_refill_pending_ = false;
  for (std::size_t i = 0; i < offered_.size(); ++i) {
    if (offered_[i].empty() || tables_.command(CommandBufferId(i)).is_valid) continue;
    has_refill_pending_ = num_accepted++ == ratio_;
    if (has_refill_pending_) return;
    accepted_at_[i] = now * ratio_ + num_accepted - 1;
    accept(CommandBufferId(i), offered_[i].front(), now);
    offered_[i].pop_front();
  }
}

// ---- states --------------------------------------------------------------------------------------------------

// Within an SM cycle search and engine take turns by the core's clock: each sees what the other has written before.
void OneJobScheduler::step_due(Cycle now) {
  if (engine_.acts_before(due_, now)) return engine_.engine_due(now);
  while (due_ / ratio_ <= now && turn_at_ > due_ && !engine_.acts_before(due_, now)) {
    const Cycle core = due_;
    switch (state_) {
      case State::kBegin:
        begin(core);
        break;
      case State::kScan:
        scanned(core);
        break;
      case State::kWalk:
        judge(core);
        break;
      case State::kIdle:
      case State::kJob:
        return;
    }
  }
}

void OneJobScheduler::begin(Cycle core) {
  if (has_waiting_tick_) policy_->on_timer(tables_);
  has_waiting_tick_ = false;
  if (turn_.evicts()) {
    if (is_any_sm_held()) {
      SearchJob job;
      job.eviction = turn_.eviction();
      return offer(job, core + 1);
    }
    turn_.evicted();
    look_at_turn_at(core + 1);
  }
  const bool scans = has_waiting_command(core) && tables_.has_free_ksr();
  if (!scans) return walk_from(core + 1);
  enter(State::kScan, core + spec_.gpu.framework.num_command_buffers + spec::kScanBeyond);
}

// One of this cycle is not seen yet.
bool OneJobScheduler::has_waiting_command(Cycle core) const {
  for (std::size_t i = 0; i < accepted_at_.size(); ++i) {
    if (tables_.command(CommandBufferId(i)).is_valid && accepted_at_[i] < core) return true;
  }
  return false;
}

void OneJobScheduler::scanned(Cycle core) {
  const CommandBufferId buffer = tables_.has_free_ksr() ? policy_->select_command(tables_) : kNoCommandBuffer;
  if (buffer == kNoCommandBuffer) return walk_from(core + 1);
  const Cycle latest = begin_ + activation_cycles_;
  const Cycle from = latest > spec::kOfferLead ? latest - spec::kOfferLead : 0;
  SearchJob job;
  job.activated = buffer;
  offer(job, std::max(core + 1, from));
}

void OneJobScheduler::walk_from(Cycle core) {
  policy_->begin_step(tables_);
  enter(State::kWalk, core + spec::walk_core_cycles(spec_, tables_.active_queue().size()) - 1);
}

void OneJobScheduler::judge(Cycle core) {
  const policy::Decision decision = policy_->step(tables_);
  if (decision.action == policy::Action::kPass) return begin_at(core + 1);
  if (decision.action == policy::Action::kNone) return end(core);
  SearchJob job;
  job.move = decision;
  offer(job, core + 1);
}

void OneJobScheduler::end(Cycle core) {
  if (is_pending_) return begin_at(core + 1);
  step_ = Step::kNone;
  enter(State::kIdle, kNever);
  note_decided(core / ratio_);
}

// ---- jobs ----------------------------------------------------------------------------------------------------

void OneJobScheduler::offer(const SearchJob& job, Cycle from) {
  enter(State::kJob, kNever);
  engine_.offer(job, from);
}

void OneJobScheduler::job_ended(Cycle last, bool is_done) {
  if (is_done && engine_.has_just_evicted()) turn_.evicted();
  if (state_ != State::kJob) return;  // a register was written meanwhile
  const Cycle moved_at = engine_.moved_at();
  if (moved_at != kNever && until_first_move_ == 0) until_first_move_ = moved_at / ratio_ - invoked_at_;
  begin_at(last + 1);
}

// ---- a kept turn ---------------------------------------------------------------------------------------------

void OneJobScheduler::look_at_turn_at(Cycle core) {
  if (!turn_.is_on()) return;
  turn_at_ = std::min(turn_at_, core);
  timers_.set(leaves_.turn, std::max(turn_at_ / ratio_, array_.now()));
}

// It is seen before anything else of its cycle, and what it finds in the next one.
void OneJobScheduler::turn_due(Cycle now) {
  const Cycle core = turn_at_;
  if (engine_.acts_before(core, now)) return engine_.engine_due(now);
  if (due_ < core && due_ / ratio_ <= now) return step_due(now);
  turn_at_ = kNever;
  timers_.clear(leaves_.turn);
  const policy::TurnEvents events = turn_.look(offered_, core);
  if (events.passed || events.began) invoke_at(core, now);
  if (turn_.has_more()) look_at_turn_at(core + 1);
}

bool OneJobScheduler::is_any_sm_held() const {
  const auto& queue = tables_.active_queue();
  return std::any_of(queue.begin(), queue.end(), [this](KsrId id) { return tables_.ksr(id).sms_held() > 0; });
}

}  // namespace tessera::tlm_model
