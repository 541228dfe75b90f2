// SPDX-License-Identifier: Apache-2.0
// From the policy's invocation through request and save to done.
#include "model/record/trace/preemption.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/record/numbers.h"

namespace tessera::record {

PreemptionSplitter::PreemptionSplitter(std::uint32_t num_sms, double bytes_per_cycle)
    : bytes_per_cycle_(bytes_per_cycle), sms_(num_sms) {}

std::optional<Preemption> PreemptionSplitter::consume(const Record& record) {
  switch (record.kind) {
    case Kind::kPolicyInvoked:
      invoked_.push_back(record.cycle);
      break;
    case Kind::kPolicyDecided:
      policy_decided(record.cycle);
      break;
    case Kind::kPreemptionRequested:
      sms_.at(record.sm) = {decision_until(record.cycle), std::nullopt,
                            static_cast<std::uint32_t>(number::reserved_for(record))};
      break;
    case Kind::kSmReturned:
    case Kind::kPreemptionRetargeted:
      sms_.at(record.sm).beneficiary = static_cast<std::uint32_t>(number::reserved_for(record));
      break;
    case Kind::kSaveStarted:
      // The first: where victims are chosen there may be several.
      if (!sms_.at(record.sm).save_started) sms_[record.sm].save_started = record.cycle;
      break;
    case Kind::kPreemptionDone:
      return split(record, std::exchange(sms_.at(record.sm), {}));
    default:
      break;
  }
  return std::nullopt;
}

void PreemptionSplitter::policy_decided(Cycle cycle) {
  if (invoked_.empty()) return;
  last_decided_ = cycle;
  last_invoked_ = invoked_.front();
  invoked_.pop_front();
}

// Decisions follow each other in the order of their invocations. The last move of one may be of the cycle in which it
// is over, and comes behind that in the log.
std::optional<Cycle> PreemptionSplitter::decision_until(Cycle request) const {
  if (last_decided_ == request) return request - last_invoked_;
  if (invoked_.empty()) return std::nullopt;
  return request - invoked_.front();
}

Preemption PreemptionSplitter::split(const Record& done, const Open& open) const {
  Preemption preemption;
  const Cycle latency = std::min(done.cycles, done.cycle);
  preemption.requested = done.cycle - latency;
  preemption.sm = done.sm;
  preemption.technique = done.technique;
  preemption.victim = done.launch;
  preemption.beneficiary = open.beneficiary;
  preemption.decision = open.decision;
  preemption.bytes = done.bytes;
  const Cycle save = open.save_started ? std::min(done.cycle - *open.save_started, latency) : 0;
  preemption.wait = latency - save;
  preemption.movement =
      std::min(save, static_cast<Cycle>(std::ceil(static_cast<double>(done.bytes) / bytes_per_cycle_)));
  preemption.channel = save - preemption.movement;
  return preemption;
}

}  // namespace tessera::record
