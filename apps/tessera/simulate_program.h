// SPDX-License-Identifier: Apache-2.0
// The program tessera_simulate: those commands that need nothing but machines.
#pragma once

namespace tessera::app {

// What main() returns.
int run_simulate_program(int argc, char** argv);

}  // namespace tessera::app
