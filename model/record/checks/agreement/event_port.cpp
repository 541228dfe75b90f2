// SPDX-License-Identifier: Apache-2.0
// Counts what the event port takes, and what holds it back while events wait.
#include "model/record/checks/agreement/event_port.h"

#include "model/spec/core_cycles.h"
#include "model/spec/search_cycles.h"

namespace tessera::record {
namespace {

constexpr Cycle kJobCycles = spec::kToWrite + 1;

}  // namespace

EventPort::EventPort(const spec::Spec& spec, CoreKind core)
    : is_one_job_(does_one_job(spec, core)),
      has_port_(core == CoreKind::kClocked || is_one_job_),
      is_pipelined_(!is_one_job_ && spec.gpu.framework.pipelined_search),
      ratio_(spec.scheduler.tbs_per_cycle),
      event_cycles_(is_one_job_ ? kJobCycles + spec::kVisitCycles : 1),
      search_cycles_(spec::search_core_cycles(spec)),
      set_up_cycles_(spec.gpu.framework.sm_setup_cycles) {}

void EventPort::consume(const Record& record) {
  if (!has_port_) return;
  const Cycle now = record.cycle;
  for (; !set_up_.empty() && set_up_.front() <= now; set_up_.pop_front()) take(set_up_.front());
  if (is_one_job_) return consume_jobs(record);
  switch (record.kind) {
    case Kind::kTbFinished:
    case Kind::kRestoreDone:
    case Kind::kPreemptionDone:
      return take(now);
    case Kind::kSmReleased:
      return hold_back(now, 1);
    case Kind::kPolicyInvoked:
      if (!is_deciding_) last_step_ = now;
      is_deciding_ = true;
      return;
    case Kind::kSmSetUp:
      set_up_.push_back(now + set_up_cycles_);
      return step(now, 1);
    case Kind::kPreemptionRequested:
    case Kind::kPreemptionRetargeted:
      return step(now, 1);
    case Kind::kKernelActivated:
      return step(now, 0);
    case Kind::kPolicyDecided:
      is_deciding_ = false;
      return step(now, 0);
    default:
      return;
  }
}

// Each job that the log shows, as long as it may be.
void EventPort::consume_jobs(const Record& record) {
  const Cycle now = record.cycle;
  switch (record.kind) {
    case Kind::kTbFinished:
    case Kind::kRestoreDone:
    case Kind::kPreemptionDone:
      return take(now);
    case Kind::kSmSetUp:  // the move, and what the SM is told
      set_up_.push_back(now + set_up_cycles_);
      return hold_back(now, 2 * kJobCycles);
    case Kind::kPreemptionRequested:
    case Kind::kPreemptionRetargeted:
      return hold_back(now, 2 * kJobCycles + spec::kVisitCycles);
    case Kind::kKernelActivated:
    case Kind::kSmReleased:
    case Kind::kTbIssued:
    case Kind::kRestoreStarted:
      return hold_back(now, kJobCycles + 1);
    default:
      return;
  }
}

// Walks that an event made in vain have no record, but check.
void EventPort::step(Cycle now, Cycle moves) {
  const Cycle walks = ((now - last_step_) * ratio_ + search_cycles_ - 1) / search_cycles_;
  hold_back(now, moves + (is_pipelined_ ? walks : 0));
  last_step_ = now;
}

void EventPort::hold_back(Cycle now, Cycle core_cycles) {
  if (free_at_ >= now * ratio_) free_at_ += core_cycles;
}

}  // namespace tessera::record
