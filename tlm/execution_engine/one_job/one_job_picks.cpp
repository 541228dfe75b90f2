// SPDX-License-Identifier: Apache-2.0
// What the engine does next (docs/hardware/timing.md 6.3), and the jobs that issue thread blocks (6.5).
#include <algorithm>

#include "model/spec/core_cycles.h"
#include "model/spec/spec.h"
#include "tlm/execution_engine/one_job/one_job_driver.h"

namespace tessera::tlm_model {

// ---- PICK ----------------------------------------------------------------------------------------------------

void OneJobDriver::offer(const SearchJob& job, Cycle from) {
  offered_ = job;
  offered_from_ = from;
  schedule();
}

void OneJobDriver::withdraw_offer() {
  offered_.reset();
  schedule();
}

void OneJobDriver::engine_due(Cycle now) {
  array_.set_now(now);
  timers_.clear(engine_leaf_);
  if (job_ && sm_cycle(job_->write) <= now) {
    write(*job_);
  } else if (!job_ && sm_cycle(next_pick()) <= now) {
    pick(next_pick());
  }
  schedule();
}

void OneJobDriver::schedule() {
  const Cycle core = job_ ? job_->write : next_pick();
  const Cycle due = core == kNever ? kNever : std::max(sm_cycle(core), array_.now());
  if (timers_.time(engine_leaf_) != due) timers_.set(engine_leaf_, due);
}

bool OneJobDriver::acts_before(Cycle core, Cycle now) const {
  if (ratio_ == 1 || timers_.time(engine_leaf_) > now) return false;
  return std::max(job_ ? job_->write : next_pick(), core_cycle(now)) < core;
}

Cycle OneJobDriver::next_pick() const {
  Cycle ready = kNever;
  if (offered_) ready = offered_from_;
  if (has_event_.any()) ready = std::min(ready, std::max(event_since_, deals_until_));
  if (hungry_.any()) ready = std::min(ready, hungry_from(free_at_));
  if (traps_.any() || set_ups_.any() || (empty_.any() && leaving_sm() != kNone)) ready = 0;
  return ready == kNever ? kNever : std::max(free_at_, ready);
}

bool OneJobDriver::leaves(std::uint32_t sm) const {
  const auto id = SmId(sm);
  return is_running(id) ? !is_issuable(tables_.sm(id).ksr) : drains_.has(sm);
}

std::uint32_t OneJobDriver::leaving_sm() const {
  std::uint32_t sm = empty_.lowest();
  while (sm != kNone && !leaves(sm)) sm = empty_.lowest_from(sm + 1);
  return sm;
}

// The first behind the last one that was served, round.
std::uint32_t OneJobDriver::hungry_sm(Cycle core) const {
  KsrId has_none = kNoKsr;  // the kernel that was asked last: its SMs follow each other
  const auto wants = [&](std::uint32_t sm) {
    const KsrId ksr = tables_.sm(SmId(sm)).ksr;
    if (ksr == has_none) return false;
    if (!is_issuable(ksr)) {
      has_none = ksr;
      return false;
    }
    return !issues_in_rounds_ || served_at_[sm] != sm_cycle(core);
  };
  for (std::uint32_t sm = hungry_.lowest_from(last_issue_sm_ + 1); sm != kNone; sm = hungry_.lowest_from(sm + 1)) {
    if (wants(sm)) return sm;
  }
  for (std::uint32_t sm = hungry_.lowest(); sm != kNone && sm <= last_issue_sm_; sm = hungry_.lowest_from(sm + 1)) {
    if (wants(sm)) return sm;
  }
  return kNone;
}

// In rounds one that was served waits for the next SM cycle.
Cycle OneJobDriver::hungry_from(Cycle core) const {
  if (hungry_sm(core) != kNone) return core;
  const Cycle next_round = core_cycle(sm_cycle(core) + 1);
  return issues_in_rounds_ && hungry_sm(next_round) != kNone ? next_round : kNever;
}

void OneJobDriver::pick(Cycle core) {
  // 1. The policy's job.
  if (offered_ && offered_from_ <= core) return start_search_job(core);
  // 2. What SMs are to be told.
  const bool deals = core < deals_until_;
  if (const std::uint32_t sm = leaving_sm(); sm != kNone && !deals) {
    const auto id = SmId(sm);
    return start(JobKind::kLeave, id, core, owners_.is_reserved(id) && tables_.sm(id).next != kNoKsr);
  }
  if (traps_.any()) return start(JobKind::kTrap, SmId(traps_.lowest()), core, false);
  if (set_ups_.any()) return start(JobKind::kSetUp, SmId(set_ups_.lowest()), core, false);
  // 3. An event, and TBs, in turn.
  const std::uint32_t hungry = hungry_sm(core);
  const bool issues = hungry != kNone && (issues_first_ || issues_in_rounds_);
  if (has_event_.any() && event_since_ <= core && core != control_at_ && !deals && !issues) return start_event(core);
  if (hungry != kNone) return issue(SmId(hungry), core);
  free_at_ = core + 1;
}

void OneJobDriver::start(JobKind kind, SmId id, Cycle core, bool has_visit_b) {
  job_ = Job{kind, id, core + spec::kToWrite, has_visit_b};
  leaves_ = kind == JobKind::kLeave;
  issues_first_ = kind >= JobKind::kTbDone;
}

void OneJobDriver::start_search_job(Cycle core) {
  search_job_ = *offered_;
  offered_.reset();
  start(JobKind::kSearch, search_job_.move.sm, core,
        search_job_.is_move() && search_job_.move.action != policy::Action::kAssign);
  if (search_job_.is_activation()) job_->write -= spec::kNoSmCycles;
  if (search_job_.eviction) job_->write = core + eviction_cycles();
  job_->is_rejected = is_rejected(search_job_);
  if (job_->is_rejected) job_->write = core + spec::kToRejection;
}

// The SM shall be as it was seen, and the kernel still want it.
bool OneJobDriver::is_rejected(const SearchJob& job) const {
  if (!job.is_move()) return false;
  const policy::KsrEntry& ksr = tables_.ksr(job.move.kernel);
  const policy::SmEntry& sm = tables_.sm(job.move.sm);
  if (!ksr.is_valid) return true;
  switch (job.move.action) {
    case policy::Action::kAssign:
      return sm.status != policy::SmStatus::kIdle || ksr.uncovered_tbs() <= 0;
    case policy::Action::kReserve:
      return sm.status != policy::SmStatus::kRunning || sm.ksr != job.claimant;
    default:
      return sm.status != policy::SmStatus::kReserved || sm.next != job.claimant;
  }
}

// A visit to each kernel that holds an SM; all tables are written in the last one.
Cycle OneJobDriver::eviction_cycles() const {
  const auto& queue = tables_.active_queue();
  const auto holds = [this](KsrId id) { return tables_.ksr(id).sms_held() > 0; };
  const auto num_visits = static_cast<Cycle>(std::count_if(queue.begin(), queue.end(), holds));
  return spec::kEvictionVisitCycles * std::max<Cycle>(num_visits, 1);  // they may all have finished since
}

// What the SM's event network shows of it, and no longer shows.
SmLinks::Report OneJobDriver::take_report(SmId id, Cycle core) {
  if (is_linked(id)) return take_from_link(id, core);
  SmJobs& jobs = jobs_[index(id)];
  const auto event = static_cast<SmEvent>(jobs.events & -jobs.events);
  if (event == kTbDone) {
    array_.vacate(id, slot_bit(lowest(jobs.done_slots)), array_.now());
    jobs.done_slots &= jobs.done_slots - 1;
    if (jobs.done_slots != 0) return {event, 0};
  } else if (event == kSetUpDone && owners_.sm(id).phase == SmPhase::kSettingUp) {
    owners_.sm(id).phase = SmPhase::kRunning;
  }
  withdraw(id, event);
  return {event, tags_.last(id)};
}

void OneJobDriver::start_event(Cycle core) {
  const SmId id = take_event();
  const std::uint32_t sm = index_of(id);
  if (issues_in_rounds_) served_at_[sm] = sm_cycle(core);
  const SmLinks::Report report = take_report(id, core);
  switch (report.event) {
    case kTbDone:
      start_tb_done(id, core);
      break;
    case kSetUpDone:
      start_set_up_done(id, report.tag, core);
      break;
    case kRestoreDone:
      start(JobKind::kRestoreDone, id, core, false);
      break;
    case kPreempted:
      start(JobKind::kPreempted, id, core,
            owners_.is_reserved(id) && tables_.sm(id).next != kNoKsr && trapped_.has(sm));
      break;
  }
  event_since_ = has_event_.any() ? core + 1 : kNever;
  // The next batch is formed when this one is over.
  if (!batch_.any()) {
    batch_ = has_event_;
    batch_formed_at_ = core + 1;
  }
}

// The answer to a set-up that was superseded goes through all phases, and moves nothing.
void OneJobDriver::start_set_up_done(SmId id, std::uint32_t tag, Cycle core) {
  const bool hands_over = owners_.is_reserved(id) && tag == tags_.last(id);
  start(JobKind::kSetUpDone, id, core, hands_over && tables_.sm(id).next != kNoKsr);
  job_->tag = tag;
}

void OneJobDriver::start_tb_done(SmId id, Cycle core) {
  ++taken_tbs_[index(owners_.sm(id).ksr)];
  if (may_refill(id)) {
    issues_first_ = true;
    return refill(id, core);
  }
  if (!is_linked(id) && owners_.sm(id).is_stopping() && exits_.have_all_left(id)) give_back(id, core);
  const bool hands_over = owners_.is_reserved(id) && tables_.sm(id).running_tbs == 1 && !restoring_.has(index_of(id));
  start(JobKind::kTbDone, id, core, hands_over && tables_.sm(id).next != kNoKsr);
}

void OneJobDriver::refill(SmId id, Cycle core) {
  const KsrId owner = owners_.sm(id).ksr;
  const bool carry = carries(array_.kernel(owner).tbs);
  tables_.remove_resident(id);
  send_fresh(id, owner, core + spec::kToBurst);
  free_at_ = core + spec::kToWrite + 2 + (carry ? 1 : 0);
  update(id);
}

// ---- issue ---------------------------------------------------------------------------------------------------

// A carry into the upper bits of `next_tb` or `remaining` costs a cycle.
bool OneJobDriver::carries(const TbCounts& tbs) const {
  return has_carries_ && (tbs.next % 256 == 255 || tbs.fresh() % 256 == 0);
}

Cycle OneJobDriver::start_of(Cycle on_pins) const {
  const Cycle decided =
      issues_in_rounds_ && sm_cycle(on_pins) > 0 ? sm_cycle(on_pins) - 1 : sm_cycle(on_pins - spec::kToBurst);
  return std::max(sm_cycle(on_pins), decided + spec_.gpu.framework.tb_issue_cycles);
}

void OneJobDriver::issue(SmId id, Cycle core) {
  last_issue_sm_ = index_of(id);
  issues_first_ = false;
  if (issues_in_rounds_) served_at_[last_issue_sm_] = sm_cycle(core);
  const bool has_handles = tables_.ksr(owners_.sm(id).ksr).preempted_tbs > 0;
  const Cycle write = has_handles ? issue_handles(id, core) : issue_fresh_tbs(id, core);
  free_at_ = write + 1;
  update(id);
}

Cycle OneJobDriver::issue_fresh_tbs(SmId id, Cycle core) {
  const KsrId owner = owners_.sm(id).ksr;
  const KernelRun& kernel = array_.kernel(owner);
  Cycle burst = core + spec::kToBurst;
  do {
    const bool carry = carries(kernel.tbs);
    send_fresh(id, owner, burst);
    burst += carry ? 2 : 1;
  } while (!is_breadth_first_ && kernel.tbs.fresh() > 0 && tables_.sm(id).running_tbs < kernel.tbs_per_sm);
  return burst;
}

// With a kept turn and breadth first, TBs come back as spread as they were.
bool OneJobDriver::is_batch_over(SmId id, KsrId owner) const {
  const std::uint32_t limit =
      is_breadth_first_ && owners_.keeps_turn() ? saved_per_sm_[index(owner)] : tables_.ksr(owner).tbs_per_sm;
  return supply_.ptbq(owner).size() == 0 || tables_.sm(id).running_tbs >= limit;
}

Cycle OneJobDriver::issue_handles(SmId id, Cycle core) {
  const KsrId owner = owners_.sm(id).ksr;
  Cycle pins = core + spec::kToBurst;
  do {
    send_handle(id, owner, ++pins);
  } while (!is_batch_over(id, owner));
  if (!is_linked(id)) handles_were_sent(id, pins);
  restoring_.set(index_of(id));
  return pins;
}

// ---- on the pins ---------------------------------------------------------------------------------------------

// A TB that has a link before it takes its slot when it arrives.
void OneJobDriver::send_fresh(SmId id, KsrId owner, Cycle on_pins) {
  if (!is_linked(id)) return supply_.send_fresh(id, next_place(id), owner, start_of(on_pins));
  SmCommand command;
  command.kind = SmCommand::Kind::kFresh;
  command.ksr = owner;
  command.start = start_of(links_.arrival(id, on_pins));
  const TbSupply::FreshTb taken = supply_.take_fresh(id, owner, command.start);
  command.handle.tb = taken.tb;
  command.duration = taken.duration;
  send(id, command, on_pins);
}

void OneJobDriver::send_handle(SmId id, KsrId owner, Cycle on_pins) {
  if (!is_linked(id)) {
    supply_.send_handle(id, next_place(id), owner, handle_start(on_pins));
    return;
  }
  SmCommand command;
  command.kind = SmCommand::Kind::kHandle;
  command.ksr = owner;
  command.start = handle_start(links_.arrival(id, on_pins));
  command.handle = supply_.take_handle(id, owner);
  command.is_last = is_batch_over(id, owner);
  send(id, command, on_pins);
}

Cycle OneJobDriver::handle_start(Cycle core) const {
  const Cycle issue_cycles = spec_.gpu.framework.tb_issue_cycles;
  return sm_cycle(core) + (issue_cycles > spec::kHandleLead ? issue_cycles - spec::kHandleLead : 0);
}

// The last of them is at the SM in this cycle.
void OneJobDriver::handles_were_sent(SmId id, Cycle core) {
  const bool brings_in = array_.sm(id).coming() != 0;
  exits_.handles_were_sent(id, brings_in ? handle_start(core) : std::max(handle_start(core), sm_cycle(core + 1)));
}

}  // namespace tessera::tlm_model
