// SPDX-License-Identifier: Apache-2.0
// The files of a run's results, traces apart.
#pragma once

#include <string>

#include "apps/tessera/results_folder.h"
#include "platform/experiment.h"

namespace tessera::app {

// summary.json, of the text given; timing.json, with the traces that ended at their size limit; processes.csv.
void write_run_files(const platform::ExperimentResult& result, const std::string& summary, ResultsFolder& results);

}  // namespace tessera::app
