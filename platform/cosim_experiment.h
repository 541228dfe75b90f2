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
  std::uint64_t max_active_cycles = std::numeric_limits<std::uint64_t>::max();  // there it ends
  std::function<bool()> is_interrupted;                                         // must not be empty
  // Told the active cycles so far, once in a while; in the worker process. May be empty.
  std::function<void(std::uint64_t)> on_progress;
  std::filesystem::path waveform;  // of the cycles before a difference (FST); empty: none
};

struct CosimExperimentResult {
  LockstepRecord lockstep;
  record::RunResult run;  // without a mismatch: of the machine. Not complete where it ended early
};

// The shared machine of the experiment, under its own scheduler, in a worker process. After a difference it is
// simulated once more, for the waveform of the last thousand core cycles. Throws std::runtime_error when that fails.
CosimExperimentResult cosim_experiment(const spec::Spec& spec, const CosimExperimentOptions& options);

}  // namespace tessera::platform
