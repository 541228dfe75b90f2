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

struct SimulationTiming {  // of the simulator itself
  std::string name;        // "shared", "baseline", "alone spmv"
  double seconds = 0;
  std::uint64_t tbs = 0;
};

struct ExperimentResult {
  nlohmann::ordered_json summary;        // docs/summary.schema.json
  std::vector<SimulationTiming> timing;  // not part of the summary: that is the same to the byte every time
  record::Timeline timeline;             // of the shared machine, from its first preemption on
  std::vector<TraceCut> trace_cuts;      // traces that stopped for their size
  bool was_interrupted = false;
  std::vector<std::string> violations;  // of invariants, in any of the simulations
};

// What applications alone came to in other experiments.
class IAloneResults {
 public:
  virtual ~IAloneResults() = default;
  // Of a machine with one process, as run_experiment() makes it of a Spec; nothing: it is not known.
  virtual std::optional<nlohmann::json> find(const spec::Spec& alone) = 0;
  virtual void keep(const spec::Spec& alone, const nlohmann::json& result) = 0;
};

// How, and who is told on the way.
struct ExperimentOptions {
  MachineOptions machine;
  TraceRequest traces;                     // of the shared machine
  unsigned num_workers = 1;                // worker processes at a time
  bool draws_timeline = true;              // of the shared machine, as text
  bool simulates_here = false;             // the shared machine in this process, which so cannot simulate again
  IAloneResults* alone_results = nullptr;  // may be null
  std::function<bool()> is_interrupted;    // asked by the simulations; must not be empty
  std::function<void(std::size_t done, std::size_t total)> on_progress;  // in simulations; may be empty
};

// The Verilog cores of all simulations of an experiment, built before they start: with a line on standard error for
// each that was not there. Throws cosim::BuildError.
void build_cores(const spec::Spec& spec, const TraceRequest& traces);

// Throws std::runtime_error when a simulation fails.
ExperimentResult run_experiment(const spec::Spec& spec, const ExperimentOptions& options);

}  // namespace tessera::platform
