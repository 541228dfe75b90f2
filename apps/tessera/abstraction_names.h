// SPDX-License-Identifier: Apache-2.0
// The models that can run, by the names users give them.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>

#include "platform/machine.h"

namespace tessera::app {

inline std::map<std::string, platform::Abstraction> abstraction_names() {
  std::map<std::string, platform::Abstraction> names;
  for (const auto abstraction :
       {platform::Abstraction::kTlm, platform::Abstraction::kRtlModel, platform::Abstraction::kRtl}) {
    names[to_string(abstraction)] = abstraction;
  }
  return names;
}

inline void add_abstraction_option(CLI::App& command, platform::Abstraction& abstraction) {
  command.add_option("--abstraction", abstraction, "The model that runs (default: tlm)")
      ->transform(CLI::CheckedTransformer(abstraction_names()));
}

}  // namespace tessera::app
