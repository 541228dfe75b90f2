// SPDX-License-Identifier: Apache-2.0
// Follows each SM's preemption through the record log.
#include "campaign/latency_sink.h"

#include <algorithm>

#include "model/record/numbers.h"
#include "model/spec/spec.h"

namespace tessera::campaign {

using record::Kind;
using record::Record;

void LatencyResult::merge(const LatencyResult& other) {
  total.merge(other.total);
  parts.decision += other.parts.decision;
  parts.restore += other.parts.restore;
  parts.trap += other.parts.trap;
  parts.movement += other.parts.movement;
  parts.channel += other.parts.channel;
  parts.drain += other.parts.drain;
  requested += other.requested;
}

void to_json(nlohmann::json& json, const LatencyResult& result) {
  json = {{"total", result.total}, {"parts", result.parts}, {"requested", result.requested}};
}

void from_json(const nlohmann::json& json, LatencyResult& result) {
  json.at("total").get_to(result.total);
  json.at("parts").get_to(result.parts);
  json.at("requested").get_to(result.requested);
}

LatencySink::LatencySink(const spec::Spec& spec, std::uint16_t process)
    : clock_(spec.gpu.clock_hz),
      bytes_per_second_(spec.gpu.memory_bandwidth_bytes_per_s),
      process_(process),
      by_sm_(spec.gpu.num_sms) {}

void LatencySink::consume(const Record& record) {
  switch (record.kind) {
    case Kind::kKernelArrived:
      if (record.process == process_) launches_.insert(record.launch);
      return;
    case Kind::kKernelFinished:
      launches_.erase(record.launch);
      return;
    case Kind::kPolicyInvoked:
      invoked_ = record.cycle;
      return;
    case Kind::kPreemptionRequested:
      by_sm_[record.sm] = {0, invoked_, record.cycle, record.cycle, kNever, false};
      return reserved(by_sm_[record.sm], record::number::reserved_for(record));
    case Kind::kPreemptionRetargeted:
      return reserved(by_sm_[record.sm], record::number::reserved_for(record));
    case Kind::kRestoreDone:
      by_sm_[record.sm].restored = record.cycle;
      return;
    case Kind::kSaveStarted:
      by_sm_[record.sm].save_started = record.cycle;
      return;
    case Kind::kPreemptionDone:
      return done(record);
    default:
      return;
  }
}

void LatencySink::reserved(Preemption& preemption, std::uint64_t launch) {
  preemption.reserved_for = launch;
  if (preemption.is_counted || launches_.count(launch) == 0) return;
  preemption.is_counted = true;
  ++result_.requested;
}

void LatencySink::done(const Record& record) {
  const Preemption& preemption = by_sm_[record.sm];
  if (launches_.count(preemption.reserved_for) == 0) return;
  LatencyParts& parts = result_.parts;
  result_.total.add(record.cycle - preemption.invoked);
  parts.decision += preemption.requested - preemption.invoked;
  if (record.technique == record::Technique::kDrain) {
    parts.drain += record.cycle - preemption.requested;
    return;
  }
  parts.restore += preemption.restored - preemption.requested;
  const Cycle save_started = std::min(preemption.save_started, record.cycle);  // nothing to save: no transfer
  parts.trap += save_started - preemption.restored;
  const Cycle transfer = record.cycle - save_started;
  const Cycle movement = std::min(transfer, mul_div_ceil(record.bytes, clock_.hertz(), bytes_per_second_));
  parts.movement += movement;
  parts.channel += transfer - movement;
}

}  // namespace tessera::campaign
