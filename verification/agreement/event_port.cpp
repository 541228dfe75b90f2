// SPDX-License-Identifier: Apache-2.0
// Counts what the event port takes, and what holds it back while events wait.
#include "verification/agreement/event_port.h"

#include "model/spec/core_cycles.h"

namespace tessera::verification {

using record::Kind;
using record::Record;

namespace {

constexpr Cycle kJobCycles = spec::kToWrite + 1;

}  // namespace

EventPort::EventPort(const spec::Spec& spec, CoreKind core)
    : is_one_job_(does_one_job(spec, core)),
      ratio_(spec.scheduler.tbs_per_cycle),
      set_up_cycles_(spec.gpu.framework.sm_setup_cycles) {}

// Each job that the log shows, as long as it may be.
void EventPort::consume(const Record& record) {
  if (!is_one_job_) return;
  const Cycle now = record.cycle;
  for (; !set_up_.empty() && set_up_.front() <= now; set_up_.pop_front()) take(set_up_.front());
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
    case Kind::kTbRestarted:
    case Kind::kRestoreStarted:
      return hold_back(now, kJobCycles + 1);
    default:
      return;
  }
}

void EventPort::take(Cycle due) { free_at_ = std::max(free_at_, due * ratio_) + kJobCycles + spec::kVisitCycles; }

void EventPort::hold_back(Cycle now, Cycle core_cycles) {
  if (free_at_ >= now * ratio_) free_at_ += core_cycles;
}

}  // namespace tessera::verification
