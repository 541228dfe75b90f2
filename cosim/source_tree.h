// SPDX-License-Identifier: Apache-2.0
// The files a core is built of: those of the repository, or of the installation, that the program belongs to.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "cosim/core_builder.h"

namespace tessera::cosim {

struct Source {
  std::filesystem::path name;  // as the build sees it: relative, without blanks, the same on every machine
  std::filesystem::path path;
};

// Rows of policies of one's own, which the build was configured with: the table in rtl/ includes them.
std::optional<Source> own_policies();

// Of a list in the tree: one file a line; // begins a comment.
std::vector<Source> listed_in(const std::filesystem::path& root, const std::filesystem::path& list);

struct SourceTree {
  explicit SourceTree(const BuildRequest& request);

  std::filesystem::path root;    // has rtl/, cosim/glue/, testbench/checkers/
  std::vector<Source> given;     // Verilog files from elsewhere
  std::vector<Source> of_tree;   // settings (.vlt), Verilog and checkers
  std::vector<Source> includes;  // of the Verilog files, in the scheduler's folder
  std::vector<Source> glue;      // to be compiled
  std::vector<Source> headers;   // of the glue, whatever depth
  Source scheduler;              // its ports and parameters are repeated by the generated top

  // Everything that the build depends on.
  std::vector<Source> all() const;
};

}  // namespace tessera::cosim
