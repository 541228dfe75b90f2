// SPDX-License-Identifier: Apache-2.0
// The command line: words, options, exit status. Mistakes of the user end in one line each and status 2.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "apps/tessera/commands.h"
#include "apps/tessera/exit_status.h"
#include "apps/tessera/help_format.h"
#include "model/base/printable.h"
#include "model/spec/diagnostics.h"

namespace tessera::app {
namespace {

// A line each, whatever bytes the user's words and files have.
void tell(const std::string& problem) { std::fputs(("tessera: " + printable(problem) + "\n").c_str(), stderr); }

void add_commands(CLI::App& app, int& status) {
  add_run_command(app, status);
  add_validate_command(app, status);
  add_replay_command(app, status);
  add_reproduce_command(app, status);
  add_report_command(app, status);
  add_workloads_command(app, status);
  add_agree_command(app, status);
  add_cosim_command(app, status);
  add_coverage_command(app, status);
  add_mutate_command(app, status);
  add_prove_command(app, status);
  add_partition_command(app, status);
  add_storage_command(app, status);
  add_synth_command(app, status);
  add_import_command(app, status);
  add_sweep_command(app, status);
  add_help_command(app);
  add_completion_command(app);
}

// The program, or that command of it that the user has named.
std::string addressed(const CLI::App& app) {
  const auto commands = app.get_subcommands();
  return commands.empty() ? app.get_name() : app.get_name() + " " + commands.front()->get_name();
}

// --help beside a command that does not exist is no way to learn about it.
bool asks_for_help(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::Success)) return false;
  return !app.get_subcommands().empty() || app.remaining_size() == 0;
}

int answer(const CLI::App& app, const CLI::ParseError& error) {
  if (asks_for_help(app, error)) {
    std::ostringstream text;  // and not std::cout, which loses why it could not write
    app.exit(error, text, text);
    fmt::print("{}", text.str());
    return kDone;
  }
  const std::string problem = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)
                                  ? CLI::ExtrasError(app.remaining()).what()
                                  : error.what();
  tell(fmt::format("{} (see {} --help)", problem, addressed(app)));
  return kWrongInput;
}

// As CLI11 takes them. It would look for the value of `--out=` in the next argument: it is the empty string.
std::vector<std::string> reversed_arguments(int argc, char** argv) {
  std::vector<std::string> arguments;
  for (int i = argc - 1; i > 0; --i) {
    std::string argument = argv[i];
    const bool has_empty_value = argument.compare(0, 2, "--") == 0 && argument.find('=') == argument.size() - 1;
    if (has_empty_value) {
      argument.pop_back();
      arguments.emplace_back();
    }
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

int run(int argc, char** argv) {
  CLI::App app{"A model of GPUs that several processes share under preemptive scheduling"};
  app.name("tessera");
  app.formatter(std::make_shared<HelpFormat>());
  app.set_version_flag("--version", TESSERA_VERSION);
  app.require_subcommand(0, 1);  // that there is one is checked last, so that an unknown word is told as such
  app.callback([&app] {
    if (app.get_subcommands().empty()) throw CLI::RequiredError::Subcommand(1);
  });
  int status = kDone;
  add_commands(app, status);
  try {
    app.parse(reversed_arguments(argc, argv));
    return status;
  } catch (const CLI::ParseError& error) {
    return answer(app, error);
  } catch (const spec::InputError& error) {
    std::fputs(fmt::format("{}\n", error.what()).c_str(), stderr);
    return kWrongInput;
  }
}

// A full disk behind standard output shows here at the latest, where little was printed.
void flush_output() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  throw std::system_error(errno != 0 ? errno : EIO, std::generic_category());
}

}  // namespace
}  // namespace tessera::app

int main(int argc, char** argv) {
  using namespace tessera::app;
  try {
    const int status = run(argc, argv);
    flush_output();
    return status;
  } catch (const std::filesystem::filesystem_error& error) {
    const std::string path = error.path1().string();
    tell(fmt::format("{}{}", path.empty() ? "" : path + ": ", error.code().message()));
  } catch (const std::system_error& error) {
    const bool is_output = std::ferror(stdout) != 0;
    tell(is_output ? "cannot write to standard output: " + error.code().message() : error.what());
  } catch (const std::exception& error) {
    tell(error.what());
  }
  return kFailed;
}

// SystemC asks for it; our programs elaborate by themselves.
extern "C" int sc_main(int, char**) { return 0; }
