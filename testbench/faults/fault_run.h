// SPDX-License-Identifier: Apache-2.0
// Which planted faults does the default run of random lockstep find, and which a proof?
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "testbench/faults/planted_fault.h"

namespace tessera::testbench {

enum class FoundBy { kNobody, kLockstep, kProof };

struct FaultResult {
  PlantedFault fault;
  FoundBy found_by = FoundBy::kNobody;
  std::string where;  // configuration and cycle, and what differs; or the property that fails
};

struct FaultRun {
  std::vector<std::string> names;  // none: all
  unsigned num_workers = 1;        // simulations, or provers, at a time
  std::function<bool()> is_interrupted = [] { return false; };
  std::function<void(const FaultResult& result)> on_result = [](const FaultResult&) {};  // as each comes
  std::function<void(std::size_t done, std::size_t total)> on_progress = [](std::size_t, std::size_t) {};
};

// In the order of the list; ends early when interrupted. Throws cosim::BuildError where a tool is missing, or where a
// faulty core cannot be built.
std::vector<FaultResult> run_faults(const FaultRun& options);

}  // namespace tessera::testbench
