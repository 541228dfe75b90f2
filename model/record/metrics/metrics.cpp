// SPDX-License-Identifier: Apache-2.0
// Counting records; distributions are condensed when the run ends.
#include "model/record/metrics/metrics.h"

#include <algorithm>
#include <utility>

#include "model/record/numbers.h"
#include "model/record/technique.h"

namespace tessera::record {
MetricsSink::MetricsSink(std::size_t num_processes, std::vector<Cycle> deadlines, Cycle latency_limit,
                         const std::vector<RunStart>& starts, const DriverFacts& driver, PartitionFacts partitions)
    : deadlines_(std::move(deadlines)),
      victims_(latency_limit),
      driver_(driver),
      tasks_(driver.stops),
      partitions_(std::move(partitions)),
      turns_(num_processes) {
  result_.processes.resize(num_processes);
  deadlines_.resize(num_processes);
  for (const Technique technique : kTechniques) {
    of(technique);
    latencies_[technique];
  }
  for (std::size_t i = 0; i < starts.size(); ++i) {
    if (starts[i] == RunStart::kBackToBack) continue;
    frames_.emplace(static_cast<std::uint16_t>(i), FrameCounter(starts[i] == RunStart::kReleasedOrSkipped));
  }
}

void MetricsSink::consume(const Record& record) {
  victims_.consume(record);
  driver_.consume(record);
  tasks_.consume(record);
  partitions_.consume(record);
  gloop_.consume(record);
  cpu_.consume(record);
  turns_.consume(record);
  switch (record.kind) {
    case Kind::kPreemptionRequested:
      preemption_requested(record);
      break;
    case Kind::kVictimLeft:
      if (record.bytes > 0) of(mover_).bytes_saved += record.bytes;
      break;
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
    case Kind::kSmSetUp:
      slots_counted_until_[record.sm] = record.cycle;
      break;
    case Kind::kSmSlots:
      sm_slots(record);
      break;
    case Kind::kKernelArrived:
      kernel_arrived(record);
      break;
    case Kind::kKernelFinished:
      kernel_finished(record);
      break;
    case Kind::kKernelLeft:
      result_.tbs_completed += number::tbs(record);
      result_.open_saves += record.bytes;
      break;
    case Kind::kPolicyInvoked:
      ++result_.policy_invocations;
      break;
    case Kind::kPolicyDecided:
      decisions_.add(record.cycles);
      if (number::until_first_move(record) != 0) first_decisions_.add(number::until_first_move(record));
      break;
    case Kind::kRunReleased:
    case Kind::kRunStarted:
      run_changed(record, false);
      break;
    case Kind::kRunEnded:
      run_ended(record);
      break;
    case Kind::kSmsWithheld:
      sms_withheld(number::withheld_sms(record), record.cycle);
      break;
    default:
      break;
  }
}

void MetricsSink::sm_slots(const Record& record) {
  Cycle& counted_until = slots_counted_until_[record.sm];
  result_.slots.all += record.slot * (record.cycle - counted_until);
  result_.slots.run += number::slots_ran(record);
  result_.slots.preempted += number::slots_preempted(record);
  result_.slots.without_demand += number::slots_without_demand(record);
  counted_until = record.cycle;
}

void MetricsSink::kernel_arrived(const Record& record) {
  if (deadlines_.at(record.process) != 0) open_[record.launch] = {record.process, record.cycle};
}

void MetricsSink::kernel_finished(const Record& record) {
  result_.tbs_completed += number::tbs(record);
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

PreemptionResult& MetricsSink::of(Technique technique) {
  return result_.preemptions[std::string(to_string(technique))];
}

// Where flushing, or choosing, saves some, they are its own.
void MetricsSink::preemption_requested(const Record& record) {
  if (record.technique == Technique::kFlush || chooses_victims(record.technique)) mover_ = record.technique;
}

void MetricsSink::preemption_done(const Record& record) {
  latencies_[record.technique].add(record.cycles);
  PreemptionResult& preemption = of(record.technique);
  // Victims of a request that was cancelled leave without it.
  if (!chooses_victims(record.technique)) preemption.bytes_saved += record.bytes;
}

void MetricsSink::restore_done(const Record& record) { of(mover_).bytes_restored += record.bytes; }

void MetricsSink::sm_flushed(const Record& record) {
  PreemptionResult& flush = of(mover_ == Technique::kContextSwitch ? Technique::kFlush : mover_);
  flush.tbs_flushed += number::tbs(record);
  flush.cycles_flushed += number::lost_cycles(record);
}

void MetricsSink::run_changed(const Record& record, bool is_killed) {
  const auto frames = frames_.find(record.process);
  if (frames == frames_.end()) return;
  if (record.kind == Kind::kRunReleased) frames->second.run_released(record);
  if (record.kind == Kind::kRunStarted) frames->second.run_started(record);
  if (record.kind == Kind::kRunEnded) frames->second.run_ended(record, is_killed);
}

void MetricsSink::run_ended(const Record& record) {
  const bool is_killed = gloop_.take_killed_run(record.process);
  run_changed(record, is_killed);
  ProcessResult& process = result_.processes.at(record.process);
  ++(is_killed ? process.killed_runs : process.runs);
  if (!is_killed) process.turnaround_cycles += record.cycles;
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
    of(technique).latency = stats_of(latency);
  }
  result_.victims = victims_.result();
  for (auto& [process, frames] : frames_) {
    frames.finish(end);
    result_.processes.at(process).frames = frames.result();
  }
  result_.driver = driver_.result();
  result_.tasks = tasks_.result(end);
  result_.partitions = partitions_.result();
  result_.gloop = gloop_.result(result_.processes.size());
  result_.cpu = cpu_.result(result_.processes.size(), end);
  turns_.finish(end);
  result_.turns = turns_.result();
}

}  // namespace tessera::record
