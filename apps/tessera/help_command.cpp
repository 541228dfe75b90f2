// SPDX-License-Identifier: Apache-2.0
// tessera help [COMMAND]: what --help says.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "apps/tessera/commands.h"
#include "apps/tessera/words.h"

namespace tessera::app {

void add_help_command(CLI::App& command, int&) {
  CLI::App& app = *command.get_parent();
  auto name = std::make_shared<std::string>();
  const auto names = [&app] {
    Words words;
    for (const CLI::App* each : app.get_subcommands({})) words.push_back(each->get_name());
    return words;
  };
  command.add_option("COMMAND", *name, "The command")->check(OneOf(names));
  command.callback(
      [&app, name] { fmt::print("{}", name->empty() ? app.help() : app.get_subcommand(*name)->help("tessera")); });
}

}  // namespace tessera::app
