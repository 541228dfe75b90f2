// SPDX-License-Identifier: Apache-2.0
// The command line of all programs: the same words, help and messages, whichever commands a program has.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>

namespace tessera::app {

// By name, those that a program has. It knows the others' names, too.
using Commands = std::map<std::string, void (*)(CLI::App& command, int& status)>;

// What main() returns. Mistakes of the user end in one line each and status 2.
int run_command_line(int argc, char** argv, const Commands& commands);

}  // namespace tessera::app
