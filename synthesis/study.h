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
  std::optional<Ice40Core> ice40;              // if asked for

  double kge() const;  // thousands of NAND2X1
  double fmax_mhz() const;
  // That with the longest mean decision.
  const std::string& slowest_policy() const;
  // Of the slowest policy, until nothing is left to do, in the mean.
  double decision_ns() const;
};

struct StudyOptions {
  unsigned num_workers = 1;
  bool with_ice40 = false;
  std::function<bool()> is_interrupted = [] { return false; };
  std::function<void(std::size_t done, std::size_t total)> on_progress = [](std::size_t, std::size_t) {};
};

// A result for each core, in their order. Throws std::runtime_error with what a tool said; empty if interrupted.
std::vector<CoreResult> run_study(const spec::SynthesisSpec& synthesis, const StudyOptions& options);

// Those that no other beats in gates and in decision time at once, by rising gates. Only cores of as many SMs compete.
std::vector<const CoreResult*> pareto_front(const std::vector<CoreResult>& results, std::uint32_t num_sms);

}  // namespace tessera::synthesis
