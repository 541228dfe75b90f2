// SPDX-License-Identifier: Apache-2.0
// What is claimed of the Verilog and how it is shown: formal/properties.json beside it, read.
#pragma once

#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace tessera::testbench {

// A textual edit of one file of that folder: `from`, which occurs once behind `where`, becomes `to`.
struct SeededBug {
  std::string file, where, from, to;
};

struct Property {
  std::string name;  // of the assertion; its cover is named cover_<name>
  std::string words;
  SeededBug bug;  // none yet: without a file
  bool has_bug() const { return !bug.file.empty(); }
};

using ParameterSet = std::map<std::string, std::string>;

// Properties that are proved together, of one module in the world around it.
struct Proof {
  std::string name;
  std::string top;                 // formal/<top>.v
  std::vector<std::string> files;  // of the core's folder, without .v; none: all of its rtl.f
  std::vector<ParameterSet> sets;  // the first is the smallest
  unsigned max_steps = 1;          // of induction
  unsigned frames = 30;            // within which covers are reached and bugs found
  ParameterSet scenario;           // not empty: they are, where the world is the one of SCENARIO, at these parameters
  bool is_bounded = false;         // not proved: no counterexample within so many frames
  bool has_second_prover = false;  // at the smallest size another prover is asked as well
  std::vector<Property> properties;
};

// The list of the tree that has that folder. Throws std::runtime_error where it is wrong.
std::vector<Proof> listed_proofs(const std::filesystem::path& root);

struct UnknownProperty : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};
// Those that have a property with one of these names, and of them only these; no names: all. Throws UnknownProperty.
std::vector<Proof> selected(std::vector<Proof> proofs, const std::vector<std::string>& names);

}  // namespace tessera::testbench
