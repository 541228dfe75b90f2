// SPDX-License-Identifier: Apache-2.0
// What the programs' commands do. Each adds its options to its place on the command line; what it returned is in
// `status` afterwards.
#pragma once

#include <CLI/CLI.hpp>

namespace tessera::app {

void add_run_command(CLI::App& command, int& status);
void add_validate_command(CLI::App& command, int& status);
void add_schema_command(CLI::App& command, int& status);
void add_replay_command(CLI::App& command, int& status);
void add_reproduce_command(CLI::App& command, int& status);
void add_measured_command(CLI::App& command, int& status);
void add_report_command(CLI::App& command, int& status);
void add_workloads_command(CLI::App& command, int& status);
void add_agree_command(CLI::App& command, int& status);
void add_cosim_command(CLI::App& command, int& status);
void add_coverage_command(CLI::App& command, int& status);
void add_mutate_command(CLI::App& command, int& status);
void add_faults_command(CLI::App& command, int& status);
void add_prove_command(CLI::App& command, int& status);
void add_partition_command(CLI::App& command, int& status);
void add_kinds_command(CLI::App& command, int& status);
void add_storage_command(CLI::App& command, int& status);
void add_synth_command(CLI::App& command, int& status);
void add_import_command(CLI::App& command, int& status);
void add_sweep_command(CLI::App& command, int& status);
// These two know the others when they run.
void add_help_command(CLI::App& command, int& status);
void add_completion_command(CLI::App& command, int& status);

}  // namespace tessera::app
