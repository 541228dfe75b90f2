// SPDX-License-Identifier: Apache-2.0
// tessera synth: gates, clock and decision time of the Verilog core, for one size or a design space.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "apps/tessera/commands.h"
#include "apps/tessera/common_options.h"
#include "apps/tessera/config_path.h"
#include "apps/tessera/exit_status.h"
#include "apps/tessera/results_folder.h"
#include "apps/tessera/synth_report.h"
#include "apps/tessera/watch.h"
#include "model/spec/loader.h"
#include "plot/draw.h"
#include "synthesis/pareto_plot.h"

namespace tessera::app {
namespace {

struct SynthOptions {
  std::string file;
  OutOption out;
  unsigned num_workers = std::max(1U, std::thread::hardware_concurrency());
  bool with_front_end = false;
  bool with_ice40 = false;
  bool prints_json = false;
};

void write_results(ResultsFolder& folder, const spec::SynthesisSpec& synthesis,
                   const std::vector<synthesis::CoreResult>& results, const std::string& json) {
  folder.write("synthesis.json", json);
  folder.write("synthesis.csv", synthesis_csv(results));
  folder.write("synthesis.txt", synthesis_text(synthesis, results));
  folder.write("pareto.gp", synthesis::pareto_script(synthesis.name, results));
  for (const char* format : {"svg", "png"}) {
    const bool is_drawn = plot::draw(folder.file("pareto.gp"), format, folder.file(std::string("pareto.") + format));
    if (!is_drawn) fmt::print(stderr, "tessera: gnuplot (package gnuplot-nox) was not found: no pareto.{}\n", format);
  }
  folder.publish(true);
}

int synth(const SynthOptions& options) {
  const spec::SynthesisSpec synthesis = spec::load_synthesis(
      options.file.empty() ? built_in_config("synthesis/default.yaml") : std::filesystem::path(options.file));
  std::optional<ResultsFolder> folder;
  if (!options.out.place.empty()) folder.emplace(options.out.folder(""));
  Progress progress("netlists and simulations");
  synthesis::StudyOptions study;
  study.num_workers = options.num_workers;
  study.with_front_end = options.with_front_end;
  study.with_ice40 = options.with_ice40;
  watch(study, progress);
  std::vector<synthesis::CoreResult> results;
  try {
    results = synthesis::run_study(synthesis, study);
  } catch (const std::exception&) {
    if (!is_interrupted()) throw;  // else a tool was interrupted as well
  }
  if (is_interrupted()) return kInterrupted;
  const std::string json = synthesis_json(synthesis, results).dump(2) + "\n";
  if (folder) write_results(*folder, synthesis, results, json);
  fmt::print("{}", options.prints_json ? json : synthesis_text(synthesis, results));
  return kDone;
}

}  // namespace

void add_synth_command(CLI::App& command, int& status) {
  auto options = std::make_shared<SynthOptions>();
  add_file_argument(command, "SYNTHESIS", options->file, "YAML file")->default_str("configs/synthesis/default.yaml");
  CLI::Option* out = add_out_option(command, options->out, "Also leave table, JSON and plot in this folder");
  command.get_option("--force")->needs(out);
  add_jobs_option(command, options->num_workers, "Netlists and simulations");
  command.add_flag("--front-end", options->with_front_end, "Also the IP's register front end, by itself");
  command.add_flag("--ice40", options->with_ice40, "Also in LUTs of an iCE40 HX8K, placed and routed if it fits");
  command.add_flag("--json", options->prints_json, "Print the result as JSON");
  command.callback([options, &status] { status = synth(*options); });
}

}  // namespace tessera::app
