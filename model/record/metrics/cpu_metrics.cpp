// SPDX-License-Identifier: Apache-2.0
// Counting, and cycles as microseconds.
#include "model/record/metrics/cpu_metrics.h"

#include <algorithm>

#include "model/record/numbers.h"

namespace tessera::record {

void CpuCounter::consume(const Record& record) {
  if (!is_of_cpu(record.kind)) return;
  if (record.process >= processes_.size()) processes_.resize(record.process + std::size_t{1});
  Process& process = processes_[record.process];
  switch (record.kind) {
    case Kind::kCpuStopped:
      if (process.ready != kNever) return end_wait(process, record.cycle - process.ready);
      process.result.used += record.cycles;
      process.result.spun += number::spun_cycles(record);
      process.stopped = record.cycle;
      return;
    case Kind::kCpuReady:
      process.ready = record.cycle;
      process.result.preemptions += process.stopped == record.cycle ? 1 : 0;
      return;
    default:
      return end_wait(process, record.cycles);
  }
}

void CpuCounter::end_wait(Process& process, Cycle cycles) {
  process.ready = kNever;
  process.result.waited += cycles;
  process.result.longest_wait = std::max(process.result.longest_wait, cycles);
}

std::vector<CpuProcessResult> CpuCounter::result(std::size_t num_processes, Cycle end) {
  std::vector<CpuProcessResult> results;
  if (processes_.empty()) return results;
  processes_.resize(num_processes);
  for (Process& process : processes_) {
    if (process.ready < end) end_wait(process, end - process.ready);
    results.push_back(process.result);
  }
  return results;
}

nlohmann::ordered_json cpu_json(const CpuProcessResult& result, std::uint64_t clock_hz) {
  const auto microseconds = [clock_hz](std::uint64_t cycles) {
    return static_cast<double>(cycles) * 1e6 / static_cast<double>(clock_hz);
  };
  return {{"used_us", microseconds(result.used)},
          {"spun_us", microseconds(result.spun)},
          {"waited_us", microseconds(result.waited)},
          {"longest_wait_us", microseconds(result.longest_wait)},
          {"preemptions", result.preemptions}};
}

}  // namespace tessera::record
