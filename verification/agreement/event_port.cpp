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

Cycle LinkDelays::longest_round_trip() const {
  Cycle longest = 0;
  for (std::size_t sm = 0; sm < links_.up.size(); ++sm) {
    longest = std::max(longest, round_trip(static_cast<std::uint16_t>(sm)));
  }
  return longest;
}

Record LinkDelays::at_core(const Record& record) const {
  Record heard = record;
  if (record.kind == Kind::kTbFinished || record.kind == Kind::kRestoreDone) heard.cycle += up(record.sm);
  return heard;
}

EventPort::EventPort(const spec::Spec& spec, CoreKind core)
    : is_one_job_(does_one_job(spec, core)),
      ratio_(spec.scheduler.tbs_per_cycle),
      set_up_cycles_(spec.gpu.framework.sm_setup_cycles),
      links_(spec) {}

// Each job that the log shows, as long as it may be.
void EventPort::consume(const Record& record) {
  if (!is_one_job_) return;
  const Cycle now = record.cycle;
  for (; !set_up_.empty() && *set_up_.begin() <= now; set_up_.erase(set_up_.begin())) take(*set_up_.begin());
  switch (record.kind) {
    case Kind::kTbFinished:
    case Kind::kRestoreDone:
    case Kind::kPreemptionDone:
      return take(now);
    case Kind::kSmSetUp:  // the move, and what the SM is told
      set_up_.insert(now + set_up_cycles_ + links_.round_trip(record.sm));
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
