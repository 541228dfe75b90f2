// SPDX-License-Identifier: Apache-2.0
// Counting records; distributions are condensed when the run ends.
#include "model/record/metrics/metrics.h"

namespace tessera::record {
namespace {

CycleStats stats_of(const Histogram& histogram) {
  return {histogram.count(), histogram.sum(), histogram.min(), histogram.percentile(99), histogram.max()};
}

}  // namespace

MetricsSink::MetricsSink(std::size_t num_processes) {
  result_.processes.resize(num_processes);
  for (const Technique technique : kTechniques) {
    result_.preemptions[std::string(to_string(technique))];
    latencies_[technique];
  }
}

void MetricsSink::consume(const Record& record) {
  switch (record.kind) {
    case Kind::kPreemptionDone:
      preemption_done(record);
      break;
    case Kind::kRestoreDone:
      result_.preemptions[std::string(to_string(Technique::kContextSwitch))].bytes_restored += record.bytes;
      break;
    case Kind::kSmBusy:
      result_.busy_sm_cycles += record.cycles;
      break;
    case Kind::kKernelFinished:
      result_.tbs_completed += record.value;
      break;
    case Kind::kKernelLeft:
      result_.tbs_completed += record.value;
      result_.open_saves += record.bytes;
      break;
    case Kind::kPolicyInvoked:
      ++result_.policy_invocations;
      break;
    case Kind::kPolicyDecided:
      decisions_.add(record.cycles);
      if (record.value != 0) first_decisions_.add(record.value);
      break;
    case Kind::kRunEnded:
      run_ended(record);
      break;
    default:
      break;
  }
}

void MetricsSink::preemption_done(const Record& record) {
  latencies_[record.technique].add(record.cycles);
  result_.preemptions[std::string(to_string(record.technique))].bytes_saved += record.bytes;
}

void MetricsSink::run_ended(const Record& record) {
  ProcessResult& process = result_.processes.at(record.process);
  ++process.runs;
  process.turnaround_cycles += record.cycles;
}

void MetricsSink::finish(Cycle end) {
  result_.cycles = end;
  result_.decisions = stats_of(decisions_);
  result_.first_decisions = stats_of(first_decisions_);
  result_.decision_histogram = decisions_.ranges();
  result_.first_decision_histogram = first_decisions_.ranges();
  for (const auto& [technique, latency] : latencies_) {
    result_.preemptions[std::string(to_string(technique))].latency = stats_of(latency);
  }
}

}  // namespace tessera::record
