// SPDX-License-Identifier: Apache-2.0
// Options of the commands that run random lockstep.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tessera::app {

// --configuration, of the core; none: all.
CLI::Option* add_configuration_option(CLI::App& command, std::vector<std::string>& configurations);

}  // namespace tessera::app
