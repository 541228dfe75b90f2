// SPDX-License-Identifier: Apache-2.0
// tessera validate FILE...: checks input and does nothing else.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "apps/tessera/commands.h"
#include "apps/tessera/exit_status.h"
#include "apps/tessera/words.h"
#include "model/base/printable.h"
#include "model/spec/loader.h"

namespace tessera::app {

void add_validate_command(CLI::App& command, int& status) {
  auto files = std::make_shared<std::vector<std::string>>();
  command.add_option("FILE", *files, "YAML files")->required()->type_name("FILE")->check(NotEmpty());
  command.callback([files, &status] {
    for (const std::string& file : *files) {
      const std::vector<spec::Diagnostic> mistakes = spec::validate_file(file);
      if (mistakes.empty()) {
        fmt::print("{}: ok\n", printable(file));
      } else {
        fmt::print(stderr, "{}\n", spec::to_string(mistakes));
        status = kWrongInput;
      }
    }
  });
}

}  // namespace tessera::app
