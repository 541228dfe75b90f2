// SPDX-License-Identifier: Apache-2.0
// The names are the testbench's own.
#include "apps/tessera/lockstep_options.h"

#include "apps/tessera/words.h"
#include "testbench/configurations.h"

namespace tessera::app {

CLI::Option* add_configuration_option(CLI::App& command, std::vector<std::string>& configurations) {
  std::vector<std::string> names;
  for (const testbench::Configuration& each : testbench::configurations()) names.push_back(each.name);
  return command.add_option("--configuration", configurations, "Only this size of the core; may be repeated")
      ->check(OneOf(names))
      ->allow_extra_args(false);
}

}  // namespace tessera::app
