// SPDX-License-Identifier: Apache-2.0
// Options that several commands share: the same words, checks and defaults everywhere.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "apps/tessera/results_folder.h"
#include "platform/machine_options.h"

namespace tessera::app {

// Where results go: a folder that the user names is not replaced without --force; one that is named after its content
// is, by the same version of the program.
struct OutOption {
  std::string place;  // empty: none is named
  bool is_forced = false;

  ResultsFolder folder(const std::string& default_place) const;
};

// --out and --force.
CLI::Option* add_out_option(CLI::App& command, OutOption& option, const std::string& description);
// EXPERIMENT, for experiment_path().
CLI::Option* add_experiment_argument(CLI::App& command, std::string& experiment);
CLI::Option* add_set_option(CLI::App& command, std::vector<std::string>& overrides, const std::string& description);
CLI::Option* add_abstraction_option(CLI::App& command, platform::Abstraction& abstraction);
// A file that is no experiment.
CLI::Option* add_file_argument(CLI::App& command, const std::string& name, std::string& file,
                               const std::string& description);
// -j; what runs side by side.
CLI::Option* add_jobs_option(CLI::App& command, unsigned& num_workers, const std::string& what);

}  // namespace tessera::app
