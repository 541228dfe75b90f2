// SPDX-License-Identifier: Apache-2.0
// The two generated files of a build, which depend on its parameters.
#pragma once

#include <filesystem>
#include <string>

#include "cosim/core_builder.h"

namespace tessera::cosim {

// The text of a Verilog file up to the end of its first port list, with included files of the same folder inserted.
std::string header_with_includes(const std::filesystem::path& file);

// Whether the core's blocks have clock pins of their own (docs/hardware/rtl.md): a netlist was made without them.
bool has_block_clocks(const BuildRequest& request);

// Module tsr_core: tsr_scheduler as u_tsr_scheduler with its parameters set. `scheduler`: the text of tsr_scheduler.v
// with its includes, whose module header is repeated. (Verilator's -G would give the parameters a width, and warnings.)
std::string top_module(const BuildRequest& request, const std::string& scheduler);

// core_config.h: what the glue needs to know about its model.
std::string config_header(const BuildRequest& request);

}  // namespace tessera::cosim
