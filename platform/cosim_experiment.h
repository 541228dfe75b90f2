// SPDX-License-Identifier: Apache-2.0
// An experiment with both clocked cores in lockstep: do they show the same pins in every cycle?
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>

#include "model/record/metrics/metrics.h"
#include "model/spec/spec_fwd.h"
#include "platform/clocked/lockstep_scheduler.h"

namespace tessera::platform {

struct CosimExperimentOptions {
  std::uint64_t max_active_cycles = std::numeric_limits<std::uint64_t>::max();  // the run ends there
  std::function<bool()> is_interrupted;                                         // must not be empty
  // Called in the worker process from time to time with the number of active cycles so far. May be empty.
  std::function<void(std::uint64_t)> on_progress;
  std::filesystem::path waveform;  // of the cycles before a difference (FST); empty: none
};

struct CosimExperimentResult {
  LockstepRecord lockstep;
  record::RunResult run;  // valid without a mismatch; incomplete if the run ended early
};

// Simulates the experiment's shared machine, under its own scheduler, in a worker process. After a difference it is
// simulated again for the waveform of the last thousand core cycles. Throws std::runtime_error if that fails.
CosimExperimentResult cosim_experiment(const spec::Spec& spec, const CosimExperimentOptions& options);

}  // namespace tessera::platform
