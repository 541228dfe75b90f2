// SPDX-License-Identifier: Apache-2.0
// A results folder in the sweep's folder.
#include "apps/tessera/sweep_timelines.h"

#include "apps/tessera/results_folder.h"
#include "apps/tessera/run_files.h"
#include "model/spec/json_text.h"

namespace tessera::app {
platform::ExperimentResult run_with_timeline(const spec::Spec& spec, platform::ExperimentOptions options,
                                             const std::filesystem::path& place) {
  ResultsFolder results(place, Replaces::kAnyVersion);
  options.traces.preemptions = results.file("preemptions.csv");
  options.traces.timeline = results.file("timeline.csv");
  options.traces.max_bytes = platform::kUsualTraceBytes;
  platform::ExperimentResult result = platform::run_experiment(spec, options);
  write_run_files(result, spec::json_text(result.summary, 2) + "\n", results);
  if (!result.was_interrupted) results.publish(true);
  return result;
}

}  // namespace tessera::app
