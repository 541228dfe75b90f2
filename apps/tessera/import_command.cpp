// SPDX-License-Identifier: Apache-2.0
// tessera import: profiles of real applications become application files and experiments.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "apps/tessera/commands.h"
#include "apps/tessera/common_options.h"
#include "apps/tessera/config_path.h"
#include "apps/tessera/exit_status.h"
#include "apps/tessera/import_report.h"
#include "apps/tessera/interrupt.h"
#include "apps/tessera/results_folder.h"
#include "apps/tessera/words.h"
#include "importer/import.h"
#include "model/base/printable.h"
#include "model/spec/json_text.h"
#include "model/spec/loader.h"

namespace tessera::app {
namespace {

const std::vector<std::pair<std::string, importer::Format>> kFormats = {
    {"kineto", importer::Format::kKineto},
    {"nsys-sqlite", importer::Format::kNsysSqlite},
    {"nsys-csv", importer::Format::kNsysCsv},
    {"accelsim", importer::Format::kAccelSim},
};
const std::vector<std::pair<std::string, importer::Collectives>> kCollectives = {
    {"keep", importer::Collectives::kKeep},
    {"shortest", importer::Collectives::kShortest},
    {"drop", importer::Collectives::kDrop},
};

const std::vector<std::pair<std::string, importer::GraphGap>> kGraphGaps = {
    {"recorded", importer::GraphGap::kRecorded},
    {"gpu", importer::GraphGap::kGpu},
};

struct ImportCommandOptions {
  std::vector<std::string> profiles;
  std::string gpu;
  std::string times;
  std::string counters;
  OutOption out;
  importer::ImportOptions import;
  bool is_unchecked = false;
  bool prints_json = false;
};

// Names of files in configs/gpus.
std::vector<std::string> gpu_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(built_in_config("gpus"))) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

void load_gpus(const std::string& wanted, importer::ImportOptions& options) {
  const std::vector<std::string> names = gpu_names();
  for (const std::string& name : names) {
    options.gpus.push_back(spec::load_gpu(built_in_config("gpus/" + name + ".yaml")));
    if (name == wanted) options.gpu = options.gpus.back();
  }
  if (!wanted.empty() && !options.gpu) options.gpu = spec::load_gpu(wanted);
}

// Words of experiments and folders: the files will have them.
void check(const ImportCommandOptions& options) {
  const std::string& name = options.import.name;
  const bool is_plain = name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") == std::string::npos;
  constexpr std::size_t kMaxName = 60;
  if (!is_plain || name.empty() || name.size() > kMaxName) {
    throw CLI::ValidationError(
        "--name",
        fmt::format("is not an application name ({}; 1 to {} characters of a-z 0-9 _ -)", printable(name), kMaxName));
  }
}

int import(ImportCommandOptions& options) {
  check(options);
  load_gpus(options.gpu, options.import);
  options.import.read.times = options.times;
  options.import.counters = options.counters;
  options.import.is_checked = !options.is_unchecked;
  options.import.is_interrupted = is_interrupted;
  ResultsFolder results = options.out.folder("");
  catch_interrupts();
  std::vector<std::filesystem::path> profiles(options.profiles.begin(), options.profiles.end());
  const importer::ImportResult result =
      importer::import_profiles(profiles, options.import, results.file(""),
                                [](const std::string& step) { fmt::print(stderr, "tessera: {}\n", printable(step)); });
  if (is_interrupted()) return kInterrupted;
  const std::string json = spec::json_text(import_json(result), 2) + "\n";
  const std::string text = import_text(result);
  results.write("import.json", json);
  results.write("import.txt", text);
  results.publish(true);
  std::FILE* const human = options.prints_json ? stderr : stdout;
  fmt::print(human, "{}\n  results       {}/\n", text, printable(results.place().string()));
  if (options.prints_json) fmt::print("{}", json);
  return kDone;
}

}  // namespace

void add_import_command(CLI::App& command, int& status) {
  auto options = std::make_shared<ImportCommandOptions>();
  command.add_option("PROFILE", options->profiles, "PyTorch profiler, Nsight Systems (SQLite, CSV), Accel-Sim")
      ->type_name("FILE")
      ->check(NotEmpty())
      ->required();
  add_choice(command, "--format", options->import.read.format, kFormats, "What the files are")
      ->default_str("as their first bytes tell");
  add_out_option(command, options->out, "Where the files go")->required();
  command.add_option("--name", options->import.name, "Of the application")->default_str("imported");
  command.add_option("--gpu", options->gpu, "The GPU: one of configs/gpus, or a file")
      ->type_name("FILE")
      ->check(FileOr(gpu_names))
      ->default_str("as the profile tells");
  command.add_flag("--exact", options->import.is_exact, "Every launch as recorded, no loops");
  add_choice(command, "--collectives", options->import.collectives, kCollectives,
             "Collective kernels: as long as recorded, as the shortest of their kind, or left out")
      ->default_str("keep");
  add_choice(
      command, "--graph-gap", options->import.graph_gap, kGraphGaps,
      "From a node of a CUDA graph to the next one: as recorded, which profilers stretch, or as the GPU's file says")
      ->default_str("recorded");
  command.add_option("--min-cpu", options->import.min_cpu_us, "Shorter CPU phases are added up, in us")
      ->check(Between(0, 1e6))
      ->default_str("20");
  command.add_option("--cpu-factor", options->import.cpu_factor, "CPU phases take so many times those recorded")
      ->check(Between(0, 1e6))
      ->default_str("1");
  command.add_option("--times", options->times, "Accel-Sim: a table of kernel times (kernel,us)")
      ->type_name("FILE")
      ->check(NotEmpty());
  command.add_option("--tb-time", options->import.tb_time_us, "Accel-Sim: the time of a thread block, in us")
      ->check(Between(0.000001, 1e9));
  command
      .add_option("--counters", options->counters, "Bytes of device memory of the same kernels: Nsight Compute's CSV")
      ->type_name("FILE")
      ->check(NotEmpty());
  command.add_flag("--no-check", options->is_unchecked, "Do not simulate what was imported");
  command.add_flag("--json", options->prints_json, "Print the report as JSON");
  command.callback([options, &status] { status = import(*options); });
}

}  // namespace tessera::app
