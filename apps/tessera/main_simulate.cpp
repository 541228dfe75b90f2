// SPDX-License-Identifier: Apache-2.0
// tessera_simulate, for the launcher: it is built in a fraction of the time. The headers of the command line, seconds
// for each file that reads them, stay behind simulate_program.h.
#include "apps/tessera/simulate_program.h"

int main(int argc, char** argv) { return tessera::app::run_simulate_program(argc, argv); }
