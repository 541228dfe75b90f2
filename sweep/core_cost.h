// SPDX-License-Identifier: Apache-2.0
// The scheduler core of a point: what it costs in gates, how fast it is, how long its decisions take; and the point
// with the decisions that its core would take.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/spec/spec.h"
#include "model/spec/sweep/sweep_spec.h"
#include "model/spec/synthesis_spec.h"

namespace tessera::sweep {

struct Core {
  spec::CoreSpec sizes;
  spec::PolicyKind policy = spec::PolicyKind::kFcfs;  // whose decisions are measured

  bool operator==(const Core& other) const { return sizes == other.sizes && policy == other.policy; }
};

struct CoreCost {
  double gates_kge = 0;
  double fmax_mhz = 0;
  double decision_cycles = 0;  // of the core, until nothing is left to do, in the mean
  double decision_ns = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CoreCost, gates_kge, fmax_mhz, decision_cycles, decision_ns)

Core core_of(const spec::Spec& spec, const spec::SweepSpec& sweep);

// Everything of it, in a line.
std::string text_of(const Core& core);

// Where it stands in `cores`; added at the end if it is new.
std::size_t index_of_core(const Core& core, std::vector<Core>& cores);

struct CoreOptions {
  unsigned num_workers = 1;
  std::uint32_t target_mhz = 250;
  std::function<bool()> is_interrupted;
  std::function<void(std::size_t done, std::size_t total)> on_progress;
};

// Of each core. Netlists are made once for cores that differ in the policy only, and kept in the cache of Verilated
// cores for later sweeps. Empty if interrupted. Throws std::runtime_error with what a tool said.
std::vector<CoreCost> measure_cores(const std::vector<Core>& cores, const CoreOptions& options);

// The Spec with searches and activations as long as that core takes for one at its Fmax, in cycles of the GPU, rounded
// up: of a search one step over all entries, as long as the core's steps and outcome together. A core that is faster
// than the GPU runs at its clock. Thread blocks are issued as the Spec says: a core slower than the SMs is not
// modelled.
spec::Spec with_measured_decisions(spec::Spec spec, const CoreCost& cost);

// Bits of the core's tables and registers as `tessera storage` counts them; columns kSweepStorageCosts.
nlohmann::ordered_json storage_cost(const spec::Spec& spec);

}  // namespace tessera::sweep
