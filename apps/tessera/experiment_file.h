// SPDX-License-Identifier: Apache-2.0
// Experiments as commands load them: what was left out of the file is told.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "model/spec/loader.h"
#include "model/spec/spec.h"

namespace tessera::app {

// As spec::load_experiment, with a line for each key that was left out.
spec::Spec load_experiment_file(const std::filesystem::path& path, const std::vector<std::string>& overrides,
                                spec::Cores cores);
// On the terminal, also where the results go there.
void tell_left_out(const std::vector<std::string>& keys);

}  // namespace tessera::app
