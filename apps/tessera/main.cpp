// SPDX-License-Identifier: Apache-2.0
// The command line: words, options, exit status. Mistakes of the user end in one line each and status 2.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "apps/tessera/commands.h"
#include "apps/tessera/exit_status.h"
#include "model/base/printable.h"
#include "model/spec/diagnostics.h"

int main(int argc, char** argv) {
  using namespace tessera;
  CLI::App app{"A model of GPUs that several processes share under preemptive scheduling"};
  app.name("tessera");
  app.set_version_flag("--version", TESSERA_VERSION);
  app.require_subcommand(0, 1);  // that there is one is checked last, so that an unknown word is told as such
  app.callback([&app] {
    if (app.get_subcommands().empty()) throw CLI::RequiredError::Subcommand(1);
  });
  app.failure_message([](const CLI::App* failed, const CLI::Error& error) {
    return fmt::format("{}: {} (see {} --help)\n", failed->get_name(), printable(error.what()), failed->get_name());
  });
  int status = app::kDone;
  app::add_run_command(app, status);
  app::add_validate_command(app, status);
  app::add_replay_command(app, status);
  app::add_reproduce_command(app, status);
  app::add_workloads_command(app, status);
  app::add_agree_command(app, status);
  app::add_cosim_command(app, status);
  app::add_coverage_command(app, status);
  app::add_mutate_command(app, status);
  app::add_prove_command(app, status);
  app::add_storage_command(app, status);
  app::add_synth_command(app, status);
  try {
    app.parse(argc, argv);
    return status;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? app::kDone : app::kWrongInput;
  } catch (const spec::InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return app::kWrongInput;
  } catch (const std::exception& error) {
    fmt::print(stderr, "tessera: {}\n", printable(error.what()));
    return app::kFailed;
  }
}

// SystemC asks for it; our programs elaborate by themselves.
extern "C" int sc_main(int, char**) { return 0; }
