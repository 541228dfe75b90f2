// SPDX-License-Identifier: Apache-2.0
// tessera: all commands.
#include "apps/tessera/command_line.h"
#include "apps/tessera/commands.h"

int main(int argc, char** argv) {
  using namespace tessera::app;
  return run_command_line(argc, argv,
                          {
                              {"run", add_run_command},
                              {"validate", add_validate_command},
                              {"schema", add_schema_command},
                              {"replay", add_replay_command},
                              {"reproduce", add_reproduce_command},
                              {"measured", add_measured_command},
                              {"report", add_report_command},
                              {"workloads", add_workloads_command},
                              {"agree", add_agree_command},
                              {"cosim", add_cosim_command},
                              {"coverage", add_coverage_command},
                              {"mutate", add_mutate_command},
                              {"faults", add_faults_command},
                              {"prove", add_prove_command},
                              {"partition", add_partition_command},
                              {"kinds", add_kinds_command},
                              {"storage", add_storage_command},
                              {"synth", add_synth_command},
                              {"import", add_import_command},
                              {"sweep", add_sweep_command},
                              {"help", add_help_command},
                              {"completion", add_completion_command},
                          });
}
