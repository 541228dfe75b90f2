// SPDX-License-Identifier: Apache-2.0
// Counting records; distributions are condensed when the run ends.
#include "model/record/metrics/metrics.h"

#include <algorithm>
#include <utility>

namespace tessera::record {
namespace {

CycleStats stats_of(const Histogram& histogram) {
  return {histogram.count(), histogram.sum(), histogram.min(), histogram.percentile(99), histogram.max()};
}

}  // namespace

MetricsSink::MetricsSink(std::size_t num_processes, std::vector<Cycle> deadlines) : deadlines_(std::move(deadlines)) {
  result_.processes.resize(num_processes);
  deadlines_.resize(num_processes);
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
      restore_done(record);
      break;
    case Kind::kSmFlushed:
      sm_flushed(record);
      break;
    case Kind::kSmBusy:
      result_.busy_sm_cycles += record.cycles;
      break;
    case Kind::kKernelArrived:
      kernel_arrived(record);
      break;
    case Kind::kKernelFinished:
      kernel_finished(record);
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
    case Kind::kSmsWithheld:
      sms_withheld(record.value, record.cycle);
      break;
    default:
      break;
  }
}

void MetricsSink::kernel_arrived(const Record& record) {
  if (deadlines_.at(record.process) != 0) open_[record.launch] = {record.process, record.cycle};
}

void MetricsSink::kernel_finished(const Record& record) {
  result_.tbs_completed += record.value;
  const auto open = open_.find(record.launch);
  if (open == open_.end()) return;
  judge(open->second.process, record.cycle - open->second.arrived);
  open_.erase(open);
}

void MetricsSink::judge(std::uint16_t process, Cycle response) {
  ProcessResult& result = result_.processes[process];
  ++result.deadline_kernels;
  result.deadline_misses += response > deadlines_[process] ? 1 : 0;
  result.worst_response_cycles = std::max(result.worst_response_cycles, response);
}

void MetricsSink::preemption_done(const Record& record) {
  latencies_[record.technique].add(record.cycles);
  result_.preemptions[std::string(to_string(record.technique))].bytes_saved += record.bytes;
}

// Where flushing saves those that it may not drop, they are its own.
void MetricsSink::restore_done(const Record& record) {
  const bool is_flushing = latencies_.count(Technique::kFlush) > 0;
  const Technique technique = is_flushing ? Technique::kFlush : Technique::kContextSwitch;
  result_.preemptions[std::string(to_string(technique))].bytes_restored += record.bytes;
}

void MetricsSink::sm_flushed(const Record& record) {
  PreemptionResult& flush = result_.preemptions[std::string(to_string(Technique::kFlush))];
  flush.tbs_flushed += record.value;
  flush.cycles_flushed += record.cycles;
}

void MetricsSink::run_ended(const Record& record) {
  ProcessResult& process = result_.processes.at(record.process);
  ++process.runs;
  process.turnaround_cycles += record.cycles;
}

void MetricsSink::sms_withheld(std::uint64_t count, Cycle now) {
  result_.withheld_sm_cycles += num_withheld_ * (now - withheld_since_);
  num_withheld_ = count;
  withheld_since_ = now;
}

void MetricsSink::finish(Cycle end) {
  sms_withheld(0, end);
  result_.cycles = end;
  for (const auto& [launch, kernel] : open_) {
    if (end - kernel.arrived > deadlines_[kernel.process]) judge(kernel.process, end - kernel.arrived);
  }
  result_.decisions = stats_of(decisions_);
  result_.first_decisions = stats_of(first_decisions_);
  result_.decision_histogram = decisions_.ranges();
  result_.first_decision_histogram = first_decisions_.ranges();
  for (const auto& [technique, latency] : latencies_) {
    result_.preemptions[std::string(to_string(technique))].latency = stats_of(latency);
  }
}

}  // namespace tessera::record
