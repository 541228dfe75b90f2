// SPDX-License-Identifier: Apache-2.0
// Runs the programs that a build of a core needs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tessera::cosim {

using Arguments = std::vector<std::string>;  // the program first

// Runs all calls in `folder`, in parallel on all processors. Throws BuildError with the output of the first that
// failed, or with the Debian package that provides a missing tool.
void run_tools(const std::vector<Arguments>& calls, const std::filesystem::path& folder);

// Runs one call in `folder` and returns its output. Throws like run_tools().
std::string run_tool(const Arguments& call, const std::filesystem::path& folder);

// Output of a tool with options such as --version. Throws BuildError if there is no such tool.
std::string output_of(const std::string& tool, const std::string& options);

}  // namespace tessera::cosim
