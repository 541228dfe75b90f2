// SPDX-License-Identifier: Apache-2.0
#include "apps/tessera/simulate_program.h"

#include "apps/tessera/command_line.h"
#include "apps/tessera/commands.h"

namespace tessera::app {

int run_simulate_program(int argc, char** argv) {
  return run_command_line(argc, argv,
                          {
                              {"run", add_run_command},
                              {"validate", add_validate_command},
                              {"schema", add_schema_command},
                              {"replay", add_replay_command},
                              {"partition", add_partition_command},
                              {"storage", add_storage_command},
                              {"help", add_help_command},
                          });
}

}  // namespace tessera::app
