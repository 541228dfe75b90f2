// SPDX-License-Identifier: Apache-2.0
// Calls the provers: Yosys's SAT solver for induction, yosys-abc for covers, seeded bugs and what is only bounded.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "testbench/formal/property.h"

namespace tessera::testbench {

struct ProofRun {
  std::vector<std::string> names;  // of properties; none: all
  bool is_quick = false;           // the smallest parameters, no seeded bugs
  unsigned num_workers = 1;
  unsigned max_seconds = 600;  // for each call of a prover
  std::function<void(std::size_t done, std::size_t total)> on_progress = [](std::size_t, std::size_t) {};
};

// At one set of parameters.
struct ProofResult {
  ParameterSet parameters;
  bool holds = false;
  unsigned depth = 0;  // steps of induction, or frames that were looked at
  double seconds = 0;
};

struct PropertyResult {
  Property property;
  std::string proof;
  bool is_bounded = false;
  std::vector<ProofResult> proofs;      // shared with the properties proved together with it
  std::optional<unsigned> cover_frame;  // what it speaks of happens, in this cycle
  bool was_bug_tried = false;
  std::optional<unsigned> bug_frame;  // the seeded bug makes it fail, in this cycle
  bool is_as_claimed() const;
};

// In the order of the list. Throws cosim::BuildError where a tool is missing or refuses the sources.
std::vector<PropertyResult> run_proofs(const ProofRun& options);

}  // namespace tessera::testbench
