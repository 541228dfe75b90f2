// SPDX-License-Identifier: Apache-2.0
// An experiment: the shared machine, the same under the baseline scheduler, and every application alone.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "model/record/metrics/metrics.h"
#include "model/record/trace/timeline.h"
#include "model/spec/spec_fwd.h"
#include "platform/machine_options.h"
#include "platform/trace_files.h"

namespace tessera::platform {

struct SimulationTiming {  // speed of the simulator itself
  std::string name;        // "shared", "baseline", "alone spmv"
  double seconds = 0;
  std::uint64_t tbs = 0;
};

struct ExperimentResult {
  nlohmann::ordered_json summary;        // docs/summary.schema.json
  std::vector<SimulationTiming> timing;  // not part of the summary, which is byte-for-byte reproducible
  record::Timeline timeline;             // of the shared machine, from its first preemption on
  std::vector<TraceCut> trace_cuts;      // traces that stopped at their size limit
  bool was_interrupted = false;
  std::vector<std::string> violations;  // of invariants, in any of the simulations
};

// Cache of the results of applications alone, from other experiments.
class IAloneResults {
 public:
  virtual ~IAloneResults() = default;
  // `alone`: a machine with one process, as run_experiment() derives it from a Spec. Empty: not known.
  virtual std::optional<nlohmann::json> find(const spec::Spec& alone) = 0;
  virtual void keep(const spec::Spec& alone, const nlohmann::json& result) = 0;
};

// How to run an experiment, and callbacks for its progress.
struct ExperimentOptions {
  MachineOptions machine;
  TraceRequest traces;                     // of the shared machine
  unsigned num_workers = 1;                // worker processes at a time
  bool draws_timeline = true;              // of the shared machine, as text
  bool simulates_here = false;             // simulates the shared machine in this process, which then cannot simulate
                                           // again
  IAloneResults* alone_results = nullptr;  // may be null
  std::function<bool()> is_interrupted;    // polled by the simulations; must not be empty
  std::function<void(std::size_t done, std::size_t total)> on_progress;  // numbers of simulations; may be empty
};

// Builds the Verilog cores for all simulations of an experiment before they start; prints a line on standard error for
// each core that was missing. Throws cosim::BuildError.
void build_cores(const spec::Spec& spec, const TraceRequest& traces);

// Throws std::runtime_error when a simulation fails.
ExperimentResult run_experiment(const spec::Spec& spec, const ExperimentOptions& options);

}  // namespace tessera::platform
