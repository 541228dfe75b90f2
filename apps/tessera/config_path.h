// SPDX-License-Identifier: Apache-2.0
// Where the built-in configurations are: beside the sources, or installed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tessera::app {

// The path of a file below configs/, found upwards from the program. Throws std::runtime_error without one.
std::filesystem::path built_in_config(const std::filesystem::path& relative);
// Names of the built-in experiments, sorted; none where they are not found.
std::vector<std::string> experiment_names();
// What the user calls an experiment: a file, or the name of a built-in one; empty: the quickstart. Throws
// spec::InputError where it is neither.
std::filesystem::path experiment_path(const std::string& word);
// The same of sweeps, and of measurements; there is none for an empty word.
std::vector<std::string> sweep_names();
std::filesystem::path sweep_path(const std::string& word);
std::vector<std::string> measurements_names();
std::filesystem::path measurements_path(const std::string& word);

}  // namespace tessera::app
