// SPDX-License-Identifier: Apache-2.0
// One definition each.
#include "apps/tessera/common_options.h"

#include <utility>

#include "apps/tessera/config_path.h"
#include "apps/tessera/words.h"

namespace tessera::app {

ResultsFolder OutOption::folder(const std::string& default_place) const {
  const Replaces unforced = place.empty() ? Replaces::kSameVersion : Replaces::kNothing;
  return {place.empty() ? default_place : place, is_forced ? Replaces::kAnyVersion : unforced};
}

CLI::Option* add_out_option(CLI::App& command, OutOption& option, const std::string& description) {
  CLI::Option* const out =
      command.add_option("--out", option.place, description)->type_name("FOLDER")->check(NotEmpty());
  command.add_flag("--force", option.is_forced, "Replace the results that are there; never other files");
  return out;
}

CLI::Option* add_experiment_argument(CLI::App& command, std::string& experiment) {
  return command.add_option("EXPERIMENT", experiment, "YAML file, or the name of a built-in experiment")
      ->type_name("FILE")
      ->check(FileOr(experiment_names))
      ->default_str("quickstart");
}

CLI::Option* add_set_option(CLI::App& command, std::vector<std::string>& overrides, const std::string& description) {
  return command.add_option("--set", overrides, description)->type_name("KEY=VALUE")->allow_extra_args(false);
}

CLI::Option* add_abstraction_option(CLI::App& command, platform::Abstraction& abstraction) {
  std::vector<std::pair<std::string, platform::Abstraction>> choices;
  for (const auto each : {platform::Abstraction::kTlm, platform::Abstraction::kRtlModel, platform::Abstraction::kRtl}) {
    choices.emplace_back(to_string(each), each);
  }
  return add_choice(command, "--abstraction", abstraction, choices, "The model that runs")
      ->type_name("MODEL")
      ->default_str(to_string(abstraction));
}

CLI::Option* add_file_argument(CLI::App& command, const std::string& name, std::string& file,
                               const std::string& description) {
  return command.add_option(name, file, description)->type_name("FILE")->check(NotEmpty());
}

CLI::Option* add_jobs_option(CLI::App& command, unsigned& num_workers, const std::string& what) {
  return command.add_option("-j,--jobs", num_workers, what + " at a time")
      ->check(CLI::Range(1U, 1024U))
      ->default_str("one per core");
}

}  // namespace tessera::app
