// SPDX-License-Identifier: Apache-2.0
// tessera completion bash: a script that completes commands, options and what stands behind them. It is written from
// the definitions that the program parses by, so that it cannot know other ones.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "apps/tessera/commands.h"
#include "apps/tessera/words.h"

namespace tessera::app {
namespace {

// What every command line needs, before what is different; bash splits words at `=`.
constexpr const char* kBegin = R"(# Completion of tessera's command line for bash, written by `tessera completion bash`.
_tessera() {
  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD - 1]}" command="" words="" files="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ "${COMP_WORDS[i]}" != -* ]]; then
      command="${COMP_WORDS[i]}"
      break
    fi
  done
  if [[ "$current" == = ]]; then
    current=""
  elif [[ "$previous" == = ]]; then
    previous="${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  case "$command:$previous" in
)";

// A comma begins another word of a list.
constexpr const char* kEnd = R"(  esac
  local list=""
  if [[ "$current" == *,* ]]; then list="${current%,*},"; fi
  mapfile -t COMPREPLY < <(
    compgen -P "$list" -W "$words" -- "${current##*,}"
    if [[ -n "$files" ]]; then compgen "$files" -- "$current"; fi
  )
  if [[ -n "$files" ]]; then compopt -o filenames 2>/dev/null; fi
}
complete -F _tessera tessera
)";

std::string joined(const Words& words) { return fmt::format("{}", fmt::join(words, " ")); }

// A branch of the script's `case`. `kind`: what compgen lists beside the words.
std::string branch(const std::string& pattern, const Words& words, const std::string& kind) {
  std::string files;
  if (kind == "FILE") files = " files=-f";
  if (kind == "FOLDER") files = " files=-d";
  return fmt::format("    {}) words=\"{}\"{} ;;\n", pattern, joined(words), files);
}

// `-j` and `--jobs`.
Words flags_of(const CLI::Option& option) {
  Words flags;
  for (const std::string& name : option.get_snames()) flags.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) flags.push_back("--" + name);
  return flags;
}

std::string branches_of(const CLI::App& command) {
  std::string text;
  Words words;
  std::string kind;
  for (const CLI::Option* option : command.get_options()) {
    const Words flags = flags_of(*option);
    words.insert(words.end(), flags.begin(), flags.end());
    if (flags.empty()) {
      const Words values = words_of(*option);
      words.insert(words.end(), values.begin(), values.end());
      kind = kind_of(*option);
    } else if (option->get_type_size() != 0) {
      Words patterns;
      for (const std::string& flag : flags) patterns.push_back(command.get_name() + ":" + flag);
      text += branch(fmt::format("{}", fmt::join(patterns, " | ")), words_of(*option), kind_of(*option));
    }
  }
  return text + branch(command.get_name() + ":*", words, kind);
}

std::string script(const CLI::App& app, const Words& more_commands) {
  std::string text = kBegin;
  Words words = more_commands;
  for (const CLI::App* command : app.get_subcommands({})) {
    words.push_back(command->get_name());
    text += branches_of(*command);
  }
  for (const CLI::Option* option : app.get_options()) {
    const Words flags = flags_of(*option);
    words.insert(words.end(), flags.begin(), flags.end());
  }
  return text + branch(":*", words, "") + kEnd;
}

struct CompletionOptions {
  std::string shell;
  Words more_commands;
};

}  // namespace

void add_completion_command(CLI::App& command, int&) {
  CLI::App& app = *command.get_parent();
  auto options = std::make_shared<CompletionOptions>();
  command.add_option("SHELL", options->shell, "The shell")->required()->check(OneOf({"bash"}));
  command.add_option("--also", options->more_commands, "Commands of what starts the program, to be offered as well")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME,...");
  command.callback([&app, options] { fmt::print("{}", script(app, options->more_commands)); });
}

}  // namespace tessera::app
