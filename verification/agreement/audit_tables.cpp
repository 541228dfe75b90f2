// SPDX-License-Identifier: Apache-2.0
// What the records of a log do to the tables of the scheduling framework, and when the policy's timer ticks.
#include <algorithm>

#include "model/spec/core_cycles.h"
#include "verification/agreement/decision_audit.h"

namespace tessera::verification {

using record::Kind;
using record::Record;

void DecisionAudit::visit_event(const Record& record) {
  switch (record.kind) {
    case Kind::kTbFinished:
      return tables_.remove_resident(SmId(record.sm));
    case Kind::kTbSaved:
      ++tables_.ksr(launches_[record.launch].ksr).preempted_tbs;
      return tables_.remove_resident(SmId(record.sm));
    case Kind::kTbFlushed:
      ++sms_[record.sm].num_flushed;
      return;
    case Kind::kPreemptionDone:
      flushed_tbs_return(record);
      sms_[record.sm].preempted_at = record.cycle;
      sms_[record.sm].coming.pop_front();
      return;
    case Kind::kRestoreDone:
      sms_[record.sm].is_restoring = false;
      return;
    case Kind::kSmReleased:
      return release(record);
    case Kind::kKernelFinished:
      return kernel_finished(record);
    case Kind::kKernelArrived:
      has_arrivals_ = true;
      tables_.command(buffer_of(record.process)) = command_of(record);
      return;
    case Kind::kSmSetUp:
      if (is_hand_over(record)) hand_over(record);
      return;
    case Kind::kPolicyInvoked:
      if (invocations_.empty()) span_begin_ = record.cycle;
      invocations_.push_back(record.cycle);
      return;
    default:
      return;
  }
}

policy::CommandEntry DecisionAudit::command_of(const Record& arrived) const {
  const spec::ProcessSpec& process = spec_.processes[arrived.process];
  policy::CommandEntry command;
  command.is_valid = true;
  command.context = ContextId(arrived.process);
  command.priority = priorities_[arrived.process][arrived.kernel];
  command.arrival_order = arrived.launch;
  command.deadline_unit =
      policy::deadline_unit(arrived.cycle, spec::deadline_cycles(process, Clock(spec_.gpu.clock_hz)));
  command.partition = PartitionId(process.partition);
  return command;
}

// Their handles enter the PTBQ with those of what was saved.
void DecisionAudit::flushed_tbs_return(const Record& preempted) {
  std::uint32_t& num_flushed = sms_[preempted.sm].num_flushed;
  if (num_flushed == 0) return;
  tables_.ksr(launches_[preempted.launch].ksr).preempted_tbs += num_flushed;
  for (; num_flushed > 0; --num_flushed) tables_.remove_resident(SmId(preempted.sm));
}

void DecisionAudit::tbs_entered(const Record& record) {
  if (!is_entry(record.kind)) return;
  Sm& sm = sms_[record.sm];
  if (record.kind == Kind::kRestoreStarted) sm.is_restoring = true;
  const Coming entry = sm.coming.front();
  sm.coming.pop_front();
  if (!entry.is_counted) count_tbs(tables_, SmId(record.sm), entry);
}

// Breadth first, free slots do not count as TBs do: handles leave the PTBQ when they are read, one a cycle, and not
// when the last is there.
void DecisionAudit::read_handles(Cycle now) {
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    if (!starts_reading(sms_[i])) continue;
    Coming& restore = sms_[i].coming.front();
    if (restore.cycle >= now + restore.num_tbs + links_.down(static_cast<std::uint16_t>(i))) continue;
    count_tbs(tables_, SmId(i), restore);
    restore.is_counted = true;
    last_disturbance_ = std::max(last_disturbance_, now);
  }
}

void DecisionAudit::count_tbs(policy::SchedulingTables& tables, SmId sm, const Coming& entry) const {
  policy::KsrEntry& ksr = tables.ksr(launches_[entry.launch].ksr);
  if (entry.kind == Kind::kTbIssued) {
    ++ksr.tbs.next;
  } else {
    ksr.preempted_tbs -= entry.num_tbs;
  }
  for (std::uint32_t i = 0; i < entry.num_tbs; ++i) tables.add_resident(sm);
}

// Breadth first it counts when a TB was chosen and when a handle was read, which is before it runs; SMs that read at
// the same time wait for each other.
bool DecisionAudit::is_issuing(Cycle now) const {
  if (!is_breadth_first_) return false;
  Cycle handles = 0;
  for (const Sm& sm : sms_) {
    if (!sm.coming.empty() && sm.coming.front().kind == Kind::kRestoreStarted) handles += sm.coming.front().num_tbs;
  }
  return std::any_of(sms_.begin(), sms_.end(), [&](const Sm& sm) {
    if (sm.coming.empty() || sm.coming.front().kind == Kind::kPreemptionDone) return false;
    const Cycle ahead = (sm.coming.front().kind == Kind::kRestoreStarted ? handles : 1) + links_.longest_round_trip();
    return sm.coming.front().cycle < now + ahead + spec_.gpu.framework.tb_issue_cycles;
  });
}

bool DecisionAudit::starts_reading(const Sm& sm) {
  return !sm.coming.empty() && sm.coming.front().kind == Kind::kRestoreStarted && !sm.coming.front().is_counted;
}

void DecisionAudit::set_up(const Record& record) {
  Sm& sm = sms_[record.sm];
  sm.set_up_until = record.cycle + spec_.gpu.framework.sm_setup_cycles + links_.round_trip(record.sm);
  if (spec_.gpu.framework.setup_tag_bits == 0) return;
  // Its job and its answer's wait for others.
  for (; !sm.answers.empty() && sm.answers.front() < record.cycle; sm.answers.pop_front()) {
  }
  sm.answers.push_back(std::max(sm.set_up_until, port_.free_at()) + spec::longest_job_core_cycles(spec_) * 8);
}

// One whose set-ups may not be answered yet is idle, but perhaps not for the core, until answers come.
void DecisionAudit::note_missing_answers(const Record& released) {
  const Sm& sm = sms_[released.sm];
  if (spec_.gpu.framework.setup_tag_bits == 0 || sm.answers.empty()) return;
  const auto is_missing = [&](Cycle answer) { return answer >= released.cycle; };
  const auto missing = std::count_if(sm.answers.begin(), sm.answers.end(), is_missing);
  if (missing >= 1 << spec_.gpu.framework.setup_tag_bits)
    last_disturbance_ = std::max(last_disturbance_, sm.answers.back());
}

void DecisionAudit::release(const Record& record) {
  note_missing_answers(record);
  sms_[record.sm].set_up_until = 0;
  sms_[record.sm].preempted_at = kNever;  // what sets it up now is the policy
  tables_.release(SmId(record.sm));
}

void DecisionAudit::hand_over(const Record& record) {
  const SmId sm{record.sm};
  const KsrId next = launches_[record.launch].ksr;
  if (tables_.sm(sm).next != next) {
    fault(record, "it was reserved for another kernel");
    tables_.retarget(sm, next);
  }
  tables_.hand_over(sm);
  set_up(record);
}

void DecisionAudit::kernel_finished(const Record& record) {
  Launch& launch = launches_[record.launch];
  if (!invocations_.empty()) is_turn_in_doubt_ = true;
  policy_->return_tokens(tables_, launch.ksr);
  tables_.deactivate(launch.ksr);
  launch.ksr = kNoKsr;
  update_timer(record.cycle);
}

// ---- the policy's timer ----------------------------------------------------------------------------------------

void DecisionAudit::run_timer(Cycle until) {
  while (timer_ < until) {
    const Cycle now = timer_;
    if (!is_any_sm_changing_hands(now)) policy_->on_timer(tables_);
    last_disturbance_ = std::max(last_disturbance_, now);
    is_turn_in_doubt_ = true;
    if (!invocations_.empty()) inner_ticks_.push_back(now);
    timer_ = kNever;
    update_timer(now);
  }
}

void DecisionAudit::update_timer(Cycle now) {
  const bool is_wanted = policy_->wants_timer(tables_);
  if (is_wanted && timer_ == kNever)
    timer_ = now + std::max<Cycle>(1, Clock(spec_.gpu.clock_hz).cycles_in(spec_.scheduler.time_slice));
  if (!is_wanted) timer_ = kNever;
}

// Where the engine does one job at a time the timer starts a cycle later, when the core's pins tell.
void DecisionAudit::update_linger(Cycle now) {
  if (tables_.linger().take_start()) linger_over_ = now + (is_one_job_ ? 1 : 0) + spec::linger_cycles(spec_);
}

// A walk that is under way may have seen SMs as they were.
void DecisionAudit::run_linger(Cycle until) {
  if (linger_over_ >= until) return;
  if (!invocations_.empty()) seen_.push_back(tables_);
  last_disturbance_ = std::max(last_disturbance_, linger_over_);
  linger_over_ = kNever;
  tables_.linger().end();
}

// Its handles are read, one a cycle.
bool DecisionAudit::starts_restore(const Sm& sm, Cycle now) const {
  if (sm.coming.empty() || sm.coming.front().kind != Kind::kRestoreStarted) return false;
  const Coming& restore = sm.coming.front();
  return restore.cycle < now + spec_.gpu.framework.tb_issue_cycles + restore.num_tbs + links_.longest_round_trip();
}

bool DecisionAudit::is_any_sm_changing_hands(Cycle now) const {
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    const policy::SmStatus status = tables_.smst()[i].status;
    if (status == policy::SmStatus::kIdle) continue;
    const Sm& sm = sms_[i];
    if (status == policy::SmStatus::kReserved || sm.set_up_until > now || sm.is_restoring || starts_restore(sm, now))
      return true;
  }
  return false;
}

}  // namespace tessera::verification
