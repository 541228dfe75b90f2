// SPDX-License-Identifier: Apache-2.0
// The source files of a core: from the repository or the installation to which the program belongs.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "cosim/core_builder.h"

namespace tessera::cosim {

struct Source {
  std::filesystem::path name;  // name in the build: relative, without blanks, the same on every machine
  std::filesystem::path path;
};

// The table rows of the user's own policies with which the build was configured; the table in rtl/ includes them.
std::optional<Source> own_policies();

// Files of a list in the tree: one file per line; // begins a comment, + what is no file.
std::vector<Source> listed_in(const std::filesystem::path& root, const std::filesystem::path& list);

struct SourceTree {
  explicit SourceTree(const BuildRequest& request);

  std::filesystem::path root;    // has rtl/, cosim/glue/, testbench/checkers/
  std::vector<Source> given;     // Verilog files from elsewhere
  std::vector<Source> of_tree;   // settings (.vlt), Verilog and checkers
  std::vector<Source> includes;  // included by the Verilog files, in the scheduler's folder
  std::vector<Source> glue;      // to be compiled
  std::vector<Source> headers;   // included by the glue, directly or indirectly
  Source scheduler;              // its ports and parameters are repeated by the generated top

  // Everything that the build depends on.
  std::vector<Source> all() const;
};

}  // namespace tessera::cosim
