// SPDX-License-Identifier: Apache-2.0
// How Verilator and g++ are called. Every word of it is part of a core's key in the cache.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cosim/core_builder.h"
#include "cosim/tool.h"

namespace tessera::cosim {

// Without the Verilog files; leaves C++ in verilated/.
Arguments verilator_call(const Variant& variant);
// Without source and object. `is_cold`: code that runs once, if at all.
Arguments compiler_call(const Variant& variant, bool is_cold);
// Without objects and result.
Arguments linker_call(const Variant& variant);
// Of what Verilator brings, in its folder.
std::vector<std::string> runtime_sources(const Variant& variant);
std::filesystem::path runtime_folder();
// What the tools say about themselves.
std::string tool_versions();

}  // namespace tessera::cosim
