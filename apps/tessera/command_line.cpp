// SPDX-License-Identifier: Apache-2.0
// Words, options, exit status.
#include "apps/tessera/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "apps/tessera/exit_status.h"
#include "apps/tessera/help_format.h"
#include "model/base/printable.h"
#include "model/spec/diagnostics.h"

namespace tessera::app {
namespace {

// A line each, whatever bytes the user's words and files have.
void tell(const std::string& problem) { std::fputs(("tessera: " + printable(problem) + "\n").c_str(), stderr); }

struct CommandName {
  const char* name;
  const char* description;
};

// As help lists them.
constexpr CommandName kCommandNames[] = {
    {"run", "Simulate an experiment"},
    {"validate", "Check experiments, GPUs, applications, hosts, syntheses, sweeps, task sets or measurements"},
    {"schema", "Print the JSON Schema of a kind of file, or of what a command prints as JSON"},
    {"replay", "Replay a thread-block log of a cycle-level simulator"},
    {"reproduce", "Redo a table or figure of a paper, and set it beside the print"},
    {"measured", "What was measured on silicon beside what the model predicts"},
    {"report", "Results as a page of HTML: timeline, tables, charts"},
    {"workloads", "Print the workloads that a campaign would run"},
    {"agree", "Compare tlm and rtl_model, kernel by kernel"},
    {"cosim", "Run rtl_model and the Verilog core in lockstep"},
    {"coverage", "What random lockstep reaches in the Verilog core"},
    {"mutate", "Put faults into the Verilog core: does random lockstep find them?"},
    {"faults", "Plant known faults into the Verilog core: does lockstep or a proof find each?"},
    {"prove", "Prove the properties of the Verilog core, in any state it can reach"},
    {"partition", "Partitions of SMs for real-time tasks"},
    {"kinds", "Which kernels of an experiment memory limits, and which the SMs"},
    {"storage", "Count the bits that scheduling a GPU keeps on chip"},
    {"synth", "Gates, clock and decision time of the Verilog core"},
    {"import", "Turn profiles of real applications into YAML"},
    {"sweep", "Explore a design space: many experiments, their metrics and hardware cost"},
    {"help", "Show help for the program or one of its commands"},
    {"completion", "Print a script that completes command lines in a shell"},
};

// A command that another program has.
void add_absent_command(CLI::App& command) {
  command.set_help_flag();
  command.allow_extras();
  command.callback(
      [&command] { throw std::runtime_error(command.get_name() + " is not in this program, but in `tessera`"); });
}

void add_commands(CLI::App& app, const Commands& commands, int& status) {
  for (const CommandName& each : kCommandNames) {
    CLI::App* command = app.add_subcommand(each.name, each.description);
    const auto own = commands.find(each.name);
    if (own == commands.end()) {
      add_absent_command(*command);
    } else {
      own->second(*command, status);
    }
  }
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

int parse_and_run(int argc, char** argv, const Commands& commands) {
  CLI::App app{"A model of GPUs that several processes share under preemptive scheduling"};
  app.name("tessera");
  app.formatter(std::make_shared<HelpFormat>());
  app.set_version_flag("--version", TESSERA_VERSION);
  app.require_subcommand(0, 1);  // that there is one is checked last, so that an unknown word is told as such
  app.callback([&app] {
    if (app.get_subcommands().empty()) throw CLI::RequiredError::Subcommand(1);
  });
  int status = kDone;
  add_commands(app, commands, status);
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

int run_command_line(int argc, char** argv, const Commands& commands) {
  try {
    const int status = parse_and_run(argc, argv, commands);
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

}  // namespace tessera::app

// SystemC asks for it; our programs elaborate by themselves.
extern "C" int sc_main(int, char**) { return 0; }
