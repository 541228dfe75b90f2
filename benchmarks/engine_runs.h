// SPDX-License-Identifier: Apache-2.0
// One workload on three drivers of the execution core: the whole machine, a SystemC host as small as can be,
// and a bare loop that is fed the launches that were recorded from one of these.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "model/spec/spec_fwd.h"
#include "tlm/execution_engine/execution_engine.h"

namespace tessera::bench {

using Pace = tlm_model::ExecutionEngine::Pace;

// A kernel launch as it reached the engine.
struct Arrival {
  Cycle cycle = 0;
  std::uint16_t process = 0;
  std::uint32_t run = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Arrival, cycle, process, run)

// What a run did, so that two can be compared, and how long it took.
struct RunReport {
  double seconds = 0;  // CPU time from the first event to the last, without construction
  std::uint64_t tbs = 0;
  std::uint64_t kernels = 0;
  std::uint64_t preemptions = 0;
  Cycle end = 0;
  std::uint64_t digest = 0;  // of the ends of kernels and preemptions
  std::vector<Arrival> arrivals;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RunReport, seconds, tbs, kernels, preemptions, end, digest, arrivals)

// Each of the first two elaborates SystemC: once in the life of a process.
RunReport run_machine(const spec::Spec& spec, Pace pace);
// A process for each of the Spec's, which sends its next launch `dispatch_cycles` after the last has finished;
// nothing else. Ends when the batch processes have had `kernels_per_process` kernels each.
RunReport run_engine_alone(const spec::Spec& spec, Pace pace, std::uint64_t kernels_per_process);
// No SystemC. `recorded` is the report of one of the above.
RunReport run_bare(const spec::Spec& spec, const RunReport& recorded);

}  // namespace tessera::bench
