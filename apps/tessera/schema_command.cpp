// SPDX-License-Identifier: Apache-2.0
// tessera schema KIND: what editors complete, explain and underline.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "apps/tessera/commands.h"
#include "apps/tessera/exit_status.h"
#include "apps/tessera/words.h"
#include "model/spec/schema/reference_table.h"
#include "model/spec/schema/schema_file.h"

namespace tessera::app {
namespace {

Words file_kinds() {
  Words words;
  for (const spec::FileKindName& kind : spec::kFileKinds) words.emplace_back(kind.word);
  return words;
}

struct SchemaOptions {
  std::string kind;
  bool is_table = false;
};

int print_schema(const SchemaOptions& options) {
  for (const spec::FileKindName& kind : spec::kFileKinds) {
    if (kind.word != options.kind) continue;
    if (options.is_table) {
      fmt::print("{}", spec::reference_table(kind.kind));
    } else {
      fmt::print("{}", spec::schema_text(kind.kind));
    }
  }
  return kDone;
}

}  // namespace

void add_schema_command(CLI::App& command, int& status) {
  auto options = std::make_shared<SchemaOptions>();
  command.add_option("KIND", options->kind, "The kind of file")->required()->check(OneOf(file_kinds()));
  command.add_flag("--table", options->is_table, "A table of its keys instead, as Markdown");
  command.callback([options, &status] { status = print_schema(*options); });
}

}  // namespace tessera::app
