// SPDX-License-Identifier: Apache-2.0
// Options that several commands share: the same words, checks and defaults everywhere.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "apps/tessera/results_folder.h"

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

}  // namespace tessera::app
