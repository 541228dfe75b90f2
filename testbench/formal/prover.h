// SPDX-License-Identifier: Apache-2.0
// Calls the provers: Yosys's SAT solver for induction, yosys-abc for covers, seeded bugs, what is only bounded, and a
// second opinion (pdr).
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "testbench/formal/property.h"

namespace tessera::testbench {

// How much of the proofs is asked.
enum class ProofScope {
  kAll,       // at all sizes; a second prover where there is one, and the seeded bugs
  kAllSizes,  // at all sizes
  kSmallest,  // at the smallest size
};

struct ProofRun {
  std::vector<std::string> names;  // of properties; none: all
  std::filesystem::path root;      // has rtl/ with formal/ in it; empty: the program's
  ProofScope scope = ProofScope::kAll;
  unsigned num_workers = 1;
  unsigned max_seconds = 1800;  // for each call of a prover
  std::function<void(std::size_t done, std::size_t total)> on_progress = [](std::size_t, std::size_t) {};
  std::function<void(const std::string& line)> on_result = [](const std::string&) {};  // as each comes, in any order
  // Asked in processes of their own as well; once true, provers are ended and run_proofs() throws Interrupted.
  std::function<bool()> is_interrupted = [] { return false; };
};

// At one set of parameters.
struct ProofResult {
  ParameterSet parameters;
  bool holds = false;
  unsigned depth = 0;  // steps of induction, or frames that were looked at
  double seconds = 0;
  struct Second {
    bool holds = false;
    double seconds = 0;
  };
  std::optional<Second> second;  // another prover's opinion, where it was asked
};

struct PropertyResult {
  Property property;
  std::string proof;
  bool is_bounded = false;
  std::vector<ProofResult> proofs;      // shared with the properties proved together with it
  std::optional<unsigned> cover_frame;  // what it speaks of happens, in this cycle
  bool was_bug_tried = false;
  std::optional<unsigned> bug_frame;  // the seeded bug makes it fail, in this cycle
  bool holds() const;
  bool is_as_claimed() const;
};

struct Interrupted : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// In the order of the list. Throws Interrupted, and cosim::BuildError where a tool is missing or refuses the sources.
std::vector<PropertyResult> run_proofs(const ProofRun& options);

}  // namespace tessera::testbench
