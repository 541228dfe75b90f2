// SPDX-License-Identifier: Apache-2.0
// tessera partition: partitions of SMs for real-time tasks ([Z21]), with a bound of each task's response.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "apps/tessera/commands.h"
#include "apps/tessera/common_options.h"
#include "apps/tessera/exit_status.h"
#include "apps/tessera/interrupt.h"
#include "apps/tessera/partitioning_report.h"
#include "apps/tessera/progress.h"
#include "apps/tessera/words.h"
#include "model/realtime/partition_experiment.h"
#include "model/realtime/partition_sizes.h"
#include "model/realtime/task_kernels.h"
#include "model/spec/json_text.h"
#include "model/spec/loader.h"
#include "model/spec/names.h"
#include "model/spec/schema/schema_file.h"
#include "model/spec/spec.h"
#include "platform/kernel_scaling.h"
#include "platform/simulation.h"

namespace tessera::app {
namespace {

namespace fs = std::filesystem;
using Contention = realtime::SimulatedContention;

struct PartitionOptions {
  std::string file;
  std::string heuristic = "sms";
  std::string forbidden = "ina";
  std::string stop = "fits";
  std::string technique = "context_switch";
  std::string overheads = "none";
  std::string contention = "assumed";
  std::string preset = "none";
  std::string out;
  bool is_forced = false;
  bool executes = false;
  bool prints_json = false;
  unsigned num_workers = std::max(1U, std::thread::hardware_concurrency());
};

realtime::PartitioningOptions search_of(const PartitionOptions& options) {
  realtime::PartitioningOptions search;
  if (options.heuristic == "bf") search.heuristic = realtime::Heuristic::kBestFit;
  if (options.heuristic == "bf_literal") search.heuristic = realtime::Heuristic::kBestFitLiteral;
  if (options.forbidden == "act") search.forbidden = realtime::Forbidden::kAct;
  if (options.stop == "fixpoint") search.stop = realtime::Stop::kFixpoint;
  return search;
}

Contention contention_of(const PartitionOptions& options) {
  if (options.contention == "co_running") return Contention::kCoRunning;
  return options.contention == "none" ? Contention::kNone : Contention::kAssumed;
}

std::optional<spec::PresetSpec> preset_of(const PartitionOptions& options, const spec::GpuSpec& gpu) {
  const auto kind = spec::parse<spec::PresetKind>(options.preset);
  if (!kind) return std::nullopt;
  const std::uint32_t slice_sms = *kind == spec::PresetKind::kMig ? spec::default_slice_sms(gpu.num_sms) : 0;
  if (*kind == spec::PresetKind::kMig && slice_sms == 0) {
    throw CLI::ValidationError("--preset", fmt::format("{} has too few SMs for seven slices: {}, of at least {}",
                                                       gpu.name, gpu.num_sms, spec::kMigSlices * spec::kSmsOfPair));
  }
  return spec::PresetSpec{*kind, slice_sms};
}

constexpr spec::FileKind kOutput = spec::FileKind::kExperiment;

fs::path schema_beside(const fs::path& experiment) {
  return experiment.parent_path() / spec::schema_file_name(kOutput);
}

bool has_text(const fs::path& file, const std::string& text) {
  std::ostringstream content;
  content << std::ifstream(file, std::ios::binary).rdbuf();
  return content.str() == text;
}

// Nothing is overwritten unless that is asked for.
void check_out(const PartitionOptions& options) {
  const fs::file_status status = fs::symlink_status(options.out);
  const auto refuse = [&](const char* problem, const char* allowed) {
    throw spec::InputError({{options.out, 1, 1, "", problem, "", allowed}});
  };
  if (options.out.empty()) return;
  if (fs::exists(status)) {
    if (!fs::is_regular_file(status)) refuse("is not a file", "another name");
    if (!options.is_forced) refuse("exists already", "another name, or --force");
  }
  const fs::path schema = schema_beside(options.out);
  const bool is_anothers = fs::exists(schema) && !options.is_forced && !has_text(schema, spec::schema_text(kOutput));
  if (is_anothers)
    throw spec::InputError({{schema.string(), 1, 1, "", "exists already", "", "another folder, or --force"}});
}

void write_whole(const fs::path& place, const std::string& text) {
  const fs::path draft = place.string() + ".new";
  std::ofstream stream(draft, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) {
    std::error_code ignored;
    fs::remove(draft, ignored);
    throw std::runtime_error("cannot write " + place.string());
  }
  fs::rename(draft, place);
}

std::vector<realtime::Partition> given_partitions(const spec::TaskSetSpec& set, const PartitionOptions& options) {
  std::vector<realtime::Partition> partitions;
  for (const spec::TaskPartitionSpec& partition : set.partitions) {
    partitions.push_back({partition.tasks, partition.num_sms});
  }
  if (partitions.empty() && options.heuristic == "1g") {
    realtime::Partition& whole = partitions.emplace_back();
    for (std::uint32_t i = 0; i < set.tasks.size(); ++i) whole.tasks.push_back(i);
    whole.num_sms = set.gpu.num_sms;
  }
  return partitions;
}

std::vector<std::string> names_of(const spec::TaskSetSpec& set, std::size_t number) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < number; ++i) {
    names.push_back(i < set.partitions.size() ? set.partitions[i].name : fmt::format("p{}", i));
  }
  return names;
}

// Those that are no kernels have no table.
std::vector<std::vector<realtime::Nanoseconds>> tables_of(const spec::TaskSetSpec& set, const spec::Spec& machine,
                                                          const std::vector<spec::KernelSpec>& kernels,
                                                          const PartitionOptions& options) {
  std::vector<spec::KernelSpec> measured;
  for (std::size_t i = 0; i < set.tasks.size(); ++i) {
    if (set.tasks[i].kernel) measured.push_back(kernels[i]);
  }
  const auto framework =
      options.overheads == "machine" ? platform::FrameworkTime::kLeftOut : platform::FrameworkTime::kIncluded;
  Progress progress;
  auto times =
      platform::measure_scaling(machine, measured, framework, options.num_workers, is_interrupted,
                                [&progress](std::size_t done, std::size_t total) { progress.show(done, total); });
  std::vector<std::vector<realtime::Nanoseconds>> tables(set.tasks.size());
  auto next = times.begin();
  for (std::size_t i = 0; i < set.tasks.size(); ++i) {
    if (set.tasks[i].kernel) tables[i] = std::move(*next++);
  }
  return tables;
}

nlohmann::ordered_json told_options(const spec::TaskSetSpec& set, const PartitionOptions& options) {
  nlohmann::ordered_json told;
  told["partitions"] = !set.partitions.empty() ? "given" : options.heuristic == "1g" ? "1g" : options.heuristic;
  if (set.partitions.empty() && options.heuristic != "1g") {
    told["forbidden"] = options.forbidden;
    told["stop"] = options.stop;
  }
  if (options.preset != "none") told["preset"] = options.preset;
  told["technique"] = options.technique;
  told["overheads"] = options.overheads;
  return told;
}

// What became of the simulation, beside the report.
bool is_sound_run(const record::RunResult& result) {
  bool is_sound = true;
  for (const auto& [invariant, verdict] : result.invariants) {
    if (verdict == "ok" || verdict == "not checked") continue;
    fmt::print(stderr, "invariant broken: {}: {}\n", invariant, verdict);
    is_sound = false;
  }
  return is_sound;
}

// What only a search has is refused beside partitions that are given.
void check_search(const CLI::App& command, const spec::TaskSetSpec& set, const PartitionOptions& options) {
  for (const char* flag : {"--heuristic", "--forbidden", "--stop", "--preset"}) {
    if (command.count(flag) == 0) continue;
    if (!set.partitions.empty()) {
      throw CLI::ValidationError(flag, "there is nothing to seek: " + options.file + " gives partitions");
    }
    if (options.heuristic == "1g" && std::string(flag) != "--heuristic") {
      throw CLI::ValidationError(flag, "there is nothing to seek with --heuristic 1g");
    }
  }
}

bool do_fit(const realtime::MachinePartitioning& partitioning, std::uint32_t num_sms) {
  std::vector<realtime::Partition> partitions;
  for (const realtime::AnalysedPartition& one : partitioning.partitions) partitions.push_back(one.partition);
  return realtime::PartitionSizes(num_sms, partitioning.preset).fit(partitions);
}

int run_partition(const CLI::App& command, const PartitionOptions& options) {
  // 1. Everything that can be wrong with the input is found before anything is written.
  const spec::TaskSetSpec set = spec::load_task_set(options.file);
  check_search(command, set, options);
  realtime::PartitioningOptions search = search_of(options);
  search.preset = preset_of(options, set.gpu);
  check_out(options);
  catch_interrupts();
  // 2. The tasks on the machine.
  const auto technique = *spec::parse<spec::TechniqueKind>(options.technique);
  const spec::Spec machine = realtime::machine_of(set, technique);
  const std::vector<spec::KernelSpec> kernels = realtime::kernels_of(set);
  realtime::TaskSet tasks;
  try {
    tasks = realtime::task_set_of(set, tables_of(set, machine, kernels, options));
  } catch (const std::runtime_error&) {
    if (!is_interrupted()) throw;
    return kInterrupted;
  }
  const realtime::MachineTasks of{&tasks, &machine, &kernels, options.overheads == "machine"};
  // 3. Their partitions.
  const std::vector<realtime::Partition> given = given_partitions(set, options);
  const realtime::MachinePartitioning partitioning =
      given.empty() ? realtime::partition_on_machine(of, search) : realtime::analyse(of, given);
  PartitionReport report{
      &set,    &partitioning,          names_of(set, partitioning.partitions.size()), told_options(set, options),
      nullptr, Clock(set.gpu.clock_hz)};
  // 4. The experiment, where they fit the GPU.
  const bool fits = !partitioning.partitions.empty() && do_fit(partitioning, set.gpu.num_sms);
  const bool wants_experiment = !options.out.empty() || options.executes;
  record::RunResult simulation;
  bool is_sound = true;
  if (wants_experiment && fits) {
    const spec::Spec experiment = realtime::experiment_of(set, of, partitioning, report.names, contention_of(options));
    if (!options.out.empty()) {
      write_whole(schema_beside(options.out), spec::schema_text(kOutput));
      write_whole(options.out, spec::modeline(kOutput) + realtime::experiment_text(experiment));
    }
    if (options.executes) {
      simulation = platform::simulate(experiment, {}, is_interrupted);
      if (!simulation.complete) return kInterrupted;
      is_sound = is_sound_run(simulation);
      report.simulation = &simulation;
    }
  } else if (wants_experiment) {
    fmt::print(stderr, "tessera: there is no experiment: the tasks have no partitions that fit the GPU\n");
  }
  // 5. What it came to.
  const nlohmann::ordered_json json = partition_json(report);
  fmt::print("{}", options.prints_json ? spec::json_text(json, 2) + "\n" : partition_text(json));
  const bool has_missed = json.contains("simulation") && json["simulation"]["missed"] > 0;
  return partitioning.is_schedulable && !has_missed && is_sound ? kDone : kFailed;
}

CLI::Option* add_word(CLI::App& command, const char* flag, std::string& word, const Words& words, const char* what) {
  return command.add_option(flag, word, what)->type_name("WORD")->check(OneOf(words))->capture_default_str();
}

}  // namespace

void add_partition_command(CLI::App& command, int& status) {
  auto options = std::make_shared<PartitionOptions>();
  add_file_argument(command, "TASKSET", options->file, "YAML file")->required();
  add_word(command, "--heuristic", options->heuristic, {"sms", "bf", "bf_literal", "1g"},
           "Which partitions are merged: to the smallest, to the most loaded; 1g: all tasks share the GPU");
  add_word(command, "--forbidden", options->forbidden, {"act", "ina"},
           "Merges that are not tried: all pairs of tasks are tested first, or none");
  add_word(command, "--stop", options->stop, {"fits", "fixpoint"},
           "Merge until they fit the GPU, or until nothing saves an SM");
  add_word(command, "--preset", options->preset, {"none", "mig", "mps"},
           "Sizes of partitions: any, MIG's instances, or pairs of SMs as MPS's clients");
  add_word(command, "--technique", options->technique, {"context_switch", "drain"}, "How SMs are preempted");
  add_word(command, "--overheads", options->overheads, {"none", "machine"}, "Whether the machine's own time counts");
  CLI::Option* out = command.add_option("--out", options->out, "Write the experiment that runs them to this file")
                         ->type_name("FILE")
                         ->check(NotEmpty());
  command.add_flag("--force", options->is_forced, "Replace that file")->needs(out);
  command.add_flag("--execute", options->executes, "Simulate that experiment for a hyperperiod");
  add_word(command, "--contention", options->contention, {"assumed", "co_running", "none"},
           "Thread blocks of tasks in conflict, in the experiment: as slow as assumed, or where they meet, or never");
  add_jobs_option(command, options->num_workers, "Kernels measured");
  command.add_flag("--json", options->prints_json, "Print the result as JSON");
  command.callback([&command, options, &status] { status = run_partition(command, *options); });
}

}  // namespace tessera::app
