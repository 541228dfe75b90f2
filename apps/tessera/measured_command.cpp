// SPDX-License-Identifier: Apache-2.0
// tessera measured: a user's measurements, or ours, beside what the model predicts.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "apps/tessera/commands.h"
#include "apps/tessera/common_options.h"
#include "apps/tessera/config_path.h"
#include "apps/tessera/exit_status.h"
#include "apps/tessera/interrupt.h"
#include "apps/tessera/progress.h"
#include "apps/tessera/words.h"
#include "campaign/silicon/scoreboard.h"
#include "model/base/printable.h"
#include "model/spec/json_text.h"
#include "model/spec/measured/measurement_names.h"

namespace tessera::app {
namespace {

using Json = nlohmann::ordered_json;

struct MeasuredOptions {
  std::string file;
  std::vector<std::string> rows;
  OutOption out;
  unsigned num_workers = std::max(1U, std::thread::hardware_concurrency());
  bool lists = false;
  bool prints_json = false;
};

int list(const spec::MeasurementsSpec& measurements) {
  for (const spec::RowSpec& row : measurements.rows) {
    fmt::print("{:<26} {:<12} {}\n", row.name, spec::to_string(row.kind), row.title);
  }
  return kDone;
}

// All that is asked for are there.
void check_rows(const spec::MeasurementsSpec& measurements, const MeasuredOptions& options) {
  std::vector<std::string> names;
  for (const spec::RowSpec& row : measurements.rows) names.push_back(row.name);
  for (const std::string& name : options.rows) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    throw CLI::ValidationError("--row",
                               fmt::format("{} has no row {} ({})", options.file, name, fmt::join(names, ", ")));
  }
}

// docs/guide/measured.md tells the keys.
Json to_json(const campaign::Scoreboard& board) {
  Json json{{"schema", "tessera-measured-1"},
            {"tessera_version", TESSERA_VERSION},
            {"name", board.measurements->name},
            {"title", board.measurements->title},
            {"effort", campaign::effort_json(board.effort)},
            {"violations", board.violations}};
  json.update(campaign::scores_json(board));
  return json;
}

int measured(const MeasuredOptions& options) {
  // 1. Everything that can be wrong with the input is found before anything is written.
  const spec::MeasurementsSpec measurements = spec::load_measurements(measurements_path(options.file));
  check_rows(measurements, options);
  if (options.lists) return list(measurements);
  ResultsFolder results = options.out.folder(
      fmt::format("results/{}-{}", measurements.name, campaign::content_hash(measurements, options.rows)));
  // 2. The simulations.
  catch_interrupts();
  campaign::Options work;
  work.num_workers = options.num_workers;
  work.is_interrupted = is_interrupted;
  work.on_progress = [progress = Progress()](std::size_t done, std::size_t total) mutable {
    progress.show(done, total);
  };
  const auto start = std::chrono::steady_clock::now();
  const campaign::Scoreboard board = campaign::score(measurements, options.rows, work);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  // 3. The results, whole.
  const std::string json = spec::json_text(to_json(board), 2) + "\n";
  const std::string text = fmt::format("# {}\n\n{}", measurements.title, campaign::scores_markdown(board));
  results.write("measured.json", json);
  results.write("measured.md", text);
  results.write("values.csv", campaign::scores_csv(board));
  results.publish(true);
  // 4. What a person reads goes to standard error when a program reads standard output.
  fmt::print(options.prints_json ? stderr : stdout, "{}\nresults in {}/ after {:.0f} s\n", text,
             printable(results.place().string()), elapsed.count());
  for (const std::string& violation : board.violations) fmt::print(stderr, "{}\n", violation);
  if (options.prints_json) fmt::print("{}", json);
  return board.violations.empty() ? kDone : kFailed;
}

int measured_unless_interrupted(const MeasuredOptions& options) {
  try {
    return measured(options);
  } catch (const campaign::Interrupted&) {
    fmt::print(stderr, "tessera: interrupted: partial results discarded\n");
    return kInterrupted;
  }
}

}  // namespace

void add_measured_command(CLI::App& command, int& status) {
  auto options = std::make_shared<MeasuredOptions>();
  command.add_option("FILE", options->file, "Measurements file, or the name of a built-in one")
      ->type_name("FILE")
      ->check(FileOr(measurements_names))
      ->required();
  command.add_option("--row", options->rows, "Only this row; may be there several times")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command.add_flag("--list", options->lists, "List the rows of the file");
  add_jobs_option(command, options->num_workers, "Simulations");
  add_out_option(command, options->out, "Results folder")->default_str("results/<name>-<hash>");
  command.add_flag("--json", options->prints_json,
                   "Print the values as JSON on standard output; human-readable output goes to standard error");
  command.callback([options, &status] { status = measured_unless_interrupted(*options); });
}

}  // namespace tessera::app
