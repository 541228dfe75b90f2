// SPDX-License-Identifier: Apache-2.0
// Programs that a build of a core calls.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tessera::cosim {

using Arguments = std::vector<std::string>;  // the program first

// Runs all of them in `folder`, as many at once as there are processors. Throws BuildError with what the first that
// failed said, or with the Debian package that brings it.
void run_tools(const std::vector<Arguments>& calls, const std::filesystem::path& folder);

// Runs one in `folder`, and returns what it wrote. Throws as run_tools().
std::string run_tool(const Arguments& call, const std::filesystem::path& folder);

// What a tool writes to standard output when it is asked about itself. Throws BuildError if there is no such tool.
std::string output_of(const std::string& tool, const std::string& options);

}  // namespace tessera::cosim
