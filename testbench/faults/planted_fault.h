// SPDX-License-Identifier: Apache-2.0
// Faults that lockstep and proofs shall find: patches of the Verilog core, testbench/faults/*.patch beside it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cosim/temporary_folder.h"

namespace tessera::testbench {

struct PlantedFault {
  std::string name;             // of the patch, without .patch
  std::string words;            // what the faulty core does, and when
  std::filesystem::path patch;  // of files below rtl/
};

// testbench/faults/faults.json of the tree that has it. Throws std::runtime_error where it is wrong.
std::vector<PlantedFault> listed_faults(const std::filesystem::path& root);
// Those with one of these names; no names: all. Throws std::invalid_argument for a name that there is not.
std::vector<PlantedFault> selected(std::vector<PlantedFault> faults, const std::vector<std::string>& names);

// A copy of rtl/ with the fault in it. Throws cosim::BuildError if the patch does not apply.
class FaultyTree {
 public:
  FaultyTree(const std::filesystem::path& root, const PlantedFault& fault);

  std::filesystem::path root() const { return folder_.path(); }  // has rtl/
  std::vector<std::filesystem::path> verilog_files() const;      // of rtl.f

 private:
  cosim::TemporaryFolder folder_;
};

}  // namespace tessera::testbench
