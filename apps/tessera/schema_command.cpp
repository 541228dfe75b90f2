// SPDX-License-Identifier: Apache-2.0
// tessera schema KIND: what editors complete, explain and underline; and what scripts may rely on.
#include <fmt/format.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "apps/tessera/commands.h"
#include "apps/tessera/exit_status.h"
#include "apps/tessera/output_schemas.h"
#include "apps/tessera/words.h"
#include "model/spec/schema/reference_table.h"
#include "model/spec/schema/schema_file.h"

namespace tessera::app {
namespace {

// Commands that have --json.
constexpr std::array<std::string_view, 15> kOutputs{"run",       "replay",   "reproduce", "measured", "agree",
                                                    "cosim",     "coverage", "mutate",    "faults",   "prove",
                                                    "partition", "kinds",    "storage",   "synth",    "import"};

Words kinds() {
  Words words;
  for (const spec::FileKindName& kind : spec::kFileKinds) words.emplace_back(kind.word);
  words.insert(words.end(), kOutputs.begin(), kOutputs.end());
  return words;
}

std::string_view output_schema(std::string_view command) {
  return output_schema_file((command == "run" ? "summary" : std::string(command)) + ".schema.json");
}

struct SchemaOptions {
  std::string kind;
  bool is_table = false;
};

int print_schema(const SchemaOptions& options) {
  for (const spec::FileKindName& kind : spec::kFileKinds) {
    if (kind.word != options.kind) continue;
    fmt::print("{}", options.is_table ? spec::reference_table(kind.kind) : spec::schema_text(kind.kind));
    return kDone;
  }
  if (options.is_table) throw CLI::ValidationError("--table", "is of kinds of file, not of what a command prints");
  fmt::print("{}", output_schema(options.kind));
  return kDone;
}

}  // namespace

void add_schema_command(CLI::App& command, int& status) {
  auto options = std::make_shared<SchemaOptions>();
  command.add_option("KIND", options->kind, "A kind of file, or the command whose --json it is")
      ->required()
      ->check(OneOf(kinds()));
  command.add_flag("--table", options->is_table, "A table of its keys instead, as Markdown");
  command.callback([options, &status] { status = print_schema(*options); });
}

}  // namespace tessera::app
