// SPDX-License-Identifier: Apache-2.0
// From C++ that Verilator wrote, and what belongs to it, to a shared object.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cosim/core_builder.h"
#include "cosim/tool.h"

namespace tessera::cosim {

// In the name of a source that is compiled without optimisation.
inline constexpr const char* kRunsOnce = "_once";

// A line of text.
std::string joined(const Arguments& call);
// The words for the compiler, and the versions: whatever it is that is compiled.
std::string toolchain_key(const Variant& variant);

// Sources as seen from `folder`, to objects in it.
std::vector<std::string> compile(const Variant& variant, const std::filesystem::path& folder,
                                 const std::vector<std::filesystem::path>& sources);
// What Verilator's own sources come to: the same for all models of a variant, and kept. `root` has cosim/.
std::filesystem::path runtime_object(const Variant& variant, const std::filesystem::path& root);
// `call`: the linker, without objects and result.
void link(Arguments call, const std::vector<std::string>& objects, const std::string& result,
          const std::filesystem::path& folder);

}  // namespace tessera::cosim
