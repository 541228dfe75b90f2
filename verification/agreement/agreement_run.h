// SPDX-License-Identifier: Apache-2.0
// One experiment on two abstractions, and how far they agree (docs/concepts/readings.md, Agreement of the models).
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/spec/spec_fwd.h"
#include "verification/agreement/agreement.h"

namespace tessera::verification {

struct AgreementResult {
  std::string name;
  nlohmann::json spec;
  Agreement agreement;
  // Mean normalised turnaround of the processes, clocked over transaction-level; 0 where none completed a run.
  double antt_ratio = 0;
  std::vector<std::string> faults;  // of either log: invariants, and what check_log finds
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AgreementResult, name, spec, agreement, antt_ratio, faults)

// Per-TB records: all of them, checked from end to end; or those inside decisions only, for long experiments.
enum class LogDepth { kWhole, kDecisions };

// Simulates each experiment on both, in worker processes. `on_done` is told how many are through. `clocked_as` changes
// the machine that the clocked model simulates, so that a test can see whether it is told from the one that was asked
// for.
std::vector<AgreementResult> compare_abstractions(const std::vector<spec::Spec>& specs, LogDepth depth,
                                                  unsigned num_workers, const std::function<bool()>& is_interrupted,
                                                  const std::function<void(std::size_t)>& on_done = {},
                                                  const std::function<void(spec::Spec&)>& clocked_as = {});

}  // namespace tessera::verification
