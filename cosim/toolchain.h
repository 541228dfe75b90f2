// SPDX-License-Identifier: Apache-2.0
// Calls of Verilator and g++. Every argument is part of a core's key in the cache.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cosim/core_builder.h"
#include "cosim/tool.h"

namespace tessera::cosim {

// Without the Verilog files; writes C++ to verilated/.
Arguments verilator_call(const Variant& variant);
// Without source and object. `is_cold`: code that runs once, if at all.
Arguments compiler_call(const Variant& variant, bool is_cold);
// Without objects and result.
Arguments linker_call(const Variant& variant);
// Verilator's own run-time sources, in runtime_folder().
std::vector<std::string> runtime_sources(const Variant& variant);
std::filesystem::path runtime_folder();
// Version texts of the tools.
std::string tool_versions();

}  // namespace tessera::cosim
