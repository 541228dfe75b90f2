// SPDX-License-Identifier: Apache-2.0
// One definition each.
#include "apps/tessera/common_options.h"

namespace tessera::app {

ResultsFolder OutOption::folder(const std::string& default_place) const {
  const Replaces unforced = place.empty() ? Replaces::kSameVersion : Replaces::kNothing;
  return {place.empty() ? default_place : place, is_forced ? Replaces::kAnyVersion : unforced};
}

CLI::Option* add_out_option(CLI::App& command, OutOption& option, const std::string& description) {
  CLI::Option* const out = command.add_option("--out", option.place, description);
  command.add_flag("--force", option.is_forced, "Replace the results that are there; never other files");
  return out;
}

}  // namespace tessera::app
