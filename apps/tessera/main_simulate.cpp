// SPDX-License-Identifier: Apache-2.0
// tessera_simulate: those commands that need nothing but machines, for the launcher. It is built in a fraction of the
// time.
#include "apps/tessera/command_line.h"
#include "apps/tessera/commands.h"

int main(int argc, char** argv) {
  using namespace tessera::app;
  return run_command_line(argc, argv,
                          {
                              {"run", add_run_command},
                              {"validate", add_validate_command},
                              {"replay", add_replay_command},
                              {"partition", add_partition_command},
                              {"storage", add_storage_command},
                              {"help", add_help_command},
                          });
}
