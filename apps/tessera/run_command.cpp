// SPDX-License-Identifier: Apache-2.0
// tessera run: an experiment from YAML to metrics, tables and traces.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "apps/tessera/commands.h"
#include "apps/tessera/common_options.h"
#include "apps/tessera/config_path.h"
#include "apps/tessera/exit_status.h"
#include "apps/tessera/experiment_file.h"
#include "apps/tessera/interrupt.h"
#include "apps/tessera/progress.h"
#include "apps/tessera/results_folder.h"
#include "apps/tessera/run_files.h"
#include "apps/tessera/run_report.h"
#include "apps/tessera/words.h"
#include "cosim/core_builder.h"
#include "model/base/printable.h"
#include "model/spec/json_text.h"
#include "model/spec/spec.h"
#include "model/spec/spec_json.h"
#include "platform/experiment.h"

namespace tessera::app {
namespace {

const std::vector<std::pair<std::string, platform::ClockDrive>> kClocks = {
    {"gated", platform::ClockDrive::kGated},
    {"free", platform::ClockDrive::kFree},
};

constexpr std::uint64_t kMegabyte = 1'000'000;

struct RunOptions {
  std::string experiment;
  std::vector<std::string> overrides;
  std::vector<std::string> traces;
  OutOption out;
  platform::Abstraction abstraction = platform::Abstraction::kTlm;
  std::optional<platform::ClockDrive> clock;
  std::optional<double> trace_from_us;  // of a waveform
  std::optional<double> trace_for_us;
  std::uint64_t trace_limit_mb = platform::kUsualTraceBytes / kMegabyte;  // of each trace file
  unsigned num_workers = std::max(1U, std::thread::hardware_concurrency());
  bool prints_json = false;

  bool has_waveform() const { return traces_to("vcd") || traces_to("fst"); }
  bool traces_to(const char* format) const { return std::find(traces.begin(), traces.end(), format) != traces.end(); }
};

platform::WaveformRequest waveform_request(const RunOptions& options, ResultsFolder& results) {
  constexpr double kPicosecondsPerMicrosecond = 1e6;
  platform::WaveformRequest request;
  if (options.traces_to("vcd")) request.vcd = results.file("waveform.vcd");
  if (options.traces_to("fst")) request.fst = results.file("waveform.fst");
  const auto time = [](double microseconds) {
    return static_cast<Picoseconds>(std::llround(microseconds * kPicosecondsPerMicrosecond));
  };
  if (options.trace_from_us) request.from = time(*options.trace_from_us);
  if (options.trace_for_us) request.length = time(*options.trace_for_us);
  request.max_bytes = options.trace_limit_mb * kMegabyte;
  return request;
}

// Options that contradict each other; CLI11 knows each by itself.
void check(const RunOptions& options) {
  const bool is_clocked = options.abstraction != platform::Abstraction::kTlm;
  if (options.traces_to("vcd") && !is_clocked) {
    throw CLI::ValidationError("--trace", "a waveform needs a clock (tlm has none; --abstraction rtl_model)");
  }
  if (options.clock && !is_clocked) {
    throw CLI::ValidationError("--clock", "there is no clock to drive (tlm has none; --abstraction rtl_model)");
  }
  if (options.traces_to("fst") && options.abstraction != platform::Abstraction::kRtl) {
    throw CLI::ValidationError("--trace", "fst is the waveform of the Verilog core (--abstraction rtl)");
  }
  if ((options.trace_from_us || options.trace_for_us) && !options.has_waveform()) {
    throw CLI::ValidationError("--trace-from, --trace-for", "the window of a waveform: they go with --trace vcd");
  }
}

platform::ExperimentOptions experiment_options(const RunOptions& options, ResultsFolder& results) {
  platform::ExperimentOptions experiment;
  experiment.traces.preemptions = results.file("preemptions.csv");
  if (options.traces_to("perfetto")) experiment.traces.perfetto = results.file("timeline.perfetto-trace");
  if (options.traces_to("csv")) experiment.traces.csv = results.file("records.csv");
  if (options.traces_to("timeline")) experiment.traces.timeline = results.file("timeline.csv");
  if (options.traces_to("slices")) experiment.traces.slices = results.file("slices.csv");
  experiment.traces.max_bytes = options.trace_limit_mb * kMegabyte;
  if (options.has_waveform()) experiment.traces.waveform = waveform_request(options, results);
  experiment.num_workers = options.num_workers;
  experiment.machine.abstraction = options.abstraction;
  experiment.machine.clock = options.clock.value_or(platform::ClockDrive::kGated);
  experiment.is_interrupted = is_interrupted;
  experiment.on_progress = [progress = Progress()](std::size_t done, std::size_t total) mutable {
    progress.show(done, total);
  };
  return experiment;
}

// False: complete results that were there stay, since these are not.
bool write_results(const platform::ExperimentResult& result, const std::string& summary, ResultsFolder& results) {
  write_run_files(result, summary, results);
  return results.publish(!result.was_interrupted);
}

// What a person reads goes to standard error when a program reads standard output.
std::FILE* human_stream(const RunOptions& options) { return options.prints_json ? stderr : stdout; }

void print_results(const platform::ExperimentResult& result, const spec::Spec& spec, const RunOptions& options) {
  std::FILE* const human = human_stream(options);
  fmt::print(human, "{}{}", report_text(result.summary), timeline_text(result.timeline, result.summary));
  for (const platform::TraceCut& cut : result.trace_cuts) {
    fmt::print(human, "  trace     {} ends after {:.3f} ms: {} MB reached (--trace-limit sets another limit)\n",
               cut.file, static_cast<double>(Clock(spec.gpu.clock_hz).time_of(cut.at)) / 1e9, options.trace_limit_mb);
  }
  fmt::print(human, "  {}\n", timing_text(result.timing));
  for (const std::string& violation : result.violations) fmt::print(stderr, "invariant broken: {}\n", violation);
}

// False: interrupted meanwhile, which the compilers take for their own end.
bool builds_cores(const spec::Spec& spec, const platform::TraceRequest& traces) {
  try {
    platform::build_cores(spec, traces);
  } catch (const cosim::BuildError&) {
    if (!is_interrupted()) throw;
  }
  return !is_interrupted();
}

int run(const RunOptions& options) {
  // 1. Everything that can be wrong with the input is found before anything is written.
  const std::filesystem::path path = experiment_path(options.experiment);
  const spec::Spec spec = load_experiment_file(path, options.overrides, core_of(options.abstraction));
  std::string default_out = fmt::format("results/{}-{}", spec.name, spec::content_hash(spec));
  if (options.abstraction != platform::Abstraction::kTlm)
    default_out += std::string("-") + to_string(options.abstraction);
  ResultsFolder results = options.out.folder(default_out);
  // 2. The simulations.
  catch_interrupts();
  const platform::ExperimentOptions experiment = experiment_options(options, results);
  if (options.abstraction == platform::Abstraction::kRtl && !builds_cores(spec, experiment.traces)) return kInterrupted;
  const platform::ExperimentResult result = platform::run_experiment(spec, experiment);
  // 3. The results, whole.
  const std::string summary = spec::json_text(result.summary, 2) + "\n";
  const bool is_published = write_results(result, summary, results);
  print_results(result, spec, options);
  fmt::print(human_stream(options), "  results   {}/{}\n", printable(results.place().string()),
             is_published ? "" : " as before: these are incomplete and were not kept");
  if (options.prints_json) fmt::print("{}", summary);
  if (result.was_interrupted) return kInterrupted;
  return result.violations.empty() ? kDone : kFailed;
}

}  // namespace

void add_run_command(CLI::App& command, int& status) {
  auto options = std::make_shared<RunOptions>();
  add_experiment_argument(command, options->experiment);
  add_set_option(command, options->overrides, "Override a key: scheduler.policy=dss, gpu.num_sms=32, ...");
  add_abstraction_option(command, options->abstraction);
  add_choice(command, "--clock", options->clock, kClocks,
             "Clocked models: one process that skips idle cycles (gated), or a clock and a process per module")
      ->type_name("DRIVE")
      ->default_str("gated");
  add_out_option(command, options->out, "Results folder")->default_str("results/<experiment>-<hash>");
  command.add_option("--trace", options->traces, "Traces of the shared machine, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("FORMAT,...")
      ->check(OneOf({"timeline", "slices", "perfetto", "csv", "vcd", "fst"}));
  command.add_option("--trace-from", options->trace_from_us, "Where a waveform begins, in us")
      ->check(Between(0, 1e12))
      ->default_str("the first kernel");
  command.add_option("--trace-for", options->trace_for_us, "How long it is, in us")
      ->check(Between(1e-6, 1e12))
      ->default_str("100");
  command.add_option("--trace-limit", options->trace_limit_mb, "Maximum trace size in MB")
      ->check(CLI::Range(1U, 1'000'000U))
      ->capture_default_str();
  add_jobs_option(command, options->num_workers, "Simulations");
  command.add_flag("--json", options->prints_json,
                   "Print the summary as JSON on standard output; human-readable output goes to standard error");
  command.callback([options, &status] {
    check(*options);
    status = run(*options);
  });
}

}  // namespace tessera::app
