// SPDX-License-Identifier: Apache-2.0
// Metrics of a host with cores: what processes use of them, and how long they wait for one.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "model/record/record.h"

namespace tessera::record {

struct CpuProcessResult {
  std::uint64_t used = 0;          // cycles in which it had a core
  std::uint64_t spun = 0;          // of these, it waited for the GPU
  std::uint64_t waited = 0;        // cycles in which it wanted a core and had none
  std::uint64_t longest_wait = 0;  // cycles
  std::uint64_t preemptions = 0;   // it lost its core to another
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CpuProcessResult, used, spun, waited, longest_wait, preemptions)

// Computes these metrics from a log, by process.
class CpuCounter {
 public:
  void consume(const Record& record);
  // In the order of Spec::processes; empty without cores. Call once, at the end.
  std::vector<CpuProcessResult> result(std::size_t num_processes, Cycle end);

 private:
  struct Process {
    CpuProcessResult result;
    Cycle ready = kNever;    // since when it waits; kNever: it does not
    Cycle stopped = kNever;  // when it last gave up a core, or lost it
  };
  static void end_wait(Process& process, Cycle cycles);

  std::vector<Process> processes_;
};

// `processes[].cpu` of summary.json.
nlohmann::ordered_json cpu_json(const CpuProcessResult& result, std::uint64_t clock_hz);

}  // namespace tessera::record
