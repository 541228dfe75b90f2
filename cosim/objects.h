// SPDX-License-Identifier: Apache-2.0
// Compiles Verilator's C++ output and the glue to a shared object.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cosim/core_builder.h"
#include "cosim/tool.h"

namespace tessera::cosim {

// Part of the name of a source that is compiled without optimisation.
inline constexpr const char* kRunsOnce = "_once";

// The call as one line of text.
std::string joined(const Arguments& call);
// Compiler options and tool versions, independent of the sources.
std::string toolchain_key(const Variant& variant);

// Compiles sources, whose paths are relative to `folder`, to objects in it.
std::vector<std::string> compile(const Variant& variant, const std::filesystem::path& folder,
                                 const std::vector<std::filesystem::path>& sources);
// The object of Verilator's run-time sources: the same for all models of a variant, and cached. `root` contains cosim/.
std::filesystem::path runtime_object(const Variant& variant, const std::filesystem::path& root);
// `call`: the linker's call without objects and result.
void link(Arguments call, const std::vector<std::string>& objects, const std::string& result,
          const std::filesystem::path& folder);

}  // namespace tessera::cosim
