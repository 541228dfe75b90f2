// SPDX-License-Identifier: Apache-2.0
// Several cores: what each costs, how fast it is, and how long its decisions take.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/spec/synthesis_spec.h"
#include "synthesis/core_experiment.h"
#include "synthesis/flow.h"
#include "synthesis/ice40.h"

namespace tessera::synthesis {

struct CoreResult {
  spec::CoreSpec core;
  MappedCore mapped;
  std::vector<MappedModule> modules;
  std::map<std::string, Decisions> decisions;  // by policy
  std::optional<MappedCore> front_end;         // if asked for: the IP's registers before it
  std::optional<Ice40Core> ice40;              // if asked for

  double kge() const { return mapped.kge(); }
  double period_ns() const { return mapped.period_ns(); }
  double fmax_mhz() const { return mapped.fmax_mhz(); }
  // That with the longest mean decision.
  const std::string& slowest_policy() const;
  // Of the slowest policy, until nothing is left to do, in the mean.
  double decision_ns() const;
};

struct StudyOptions {
  unsigned num_workers = 1;
  bool with_front_end = false;
  bool with_ice40 = false;
  std::function<bool()> is_interrupted = [] { return false; };
  std::function<void(std::size_t done, std::size_t total)> on_progress = [](std::size_t, std::size_t) {};
};

// A result for each core, in their order. Throws std::runtime_error with what a tool said; empty if interrupted.
std::vector<CoreResult> run_study(const spec::SynthesisSpec& synthesis, const StudyOptions& options);

// For as many SMs, and no size is smaller, no policy missing.
bool does_all_of(const spec::CoreSpec& core, const spec::CoreSpec& other);

// No core that does all of it has fewer gates without longer decisions, or shorter ones without more gates.
bool is_on_front(const CoreResult& result, const std::vector<CoreResult>& results);

// Those on the front, by rising gates: a list for all cores that do the same.
std::vector<std::vector<const CoreResult*>> pareto_fronts(const std::vector<CoreResult>& results);

}  // namespace tessera::synthesis
