// SPDX-License-Identifier: Apache-2.0
// A folder for a call of Yosys, with a copy of the Verilog that may be changed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cosim/temporary_folder.h"
#include "testbench/formal/property.h"

namespace tessera::testbench {

// Goes away with all that is in it.
class ProofWorkplace {
 public:
  explicit ProofWorkplace(const std::filesystem::path& root);

  std::filesystem::path folder() const { return folder_.path(); }
  // Throws std::runtime_error where it does not fit the sources any more.
  void plant(const SeededBug& bug) const;
  // The Verilog files of a proof, its top apart.
  std::vector<std::string> verilog_of(const Proof& proof) const;

 private:
  cosim::TemporaryFolder folder_;
};

}  // namespace tessera::testbench
