// SPDX-License-Identifier: Apache-2.0
// A point of a sweep with everything `tessera run --out` leaves, and the records that a timeline needs.
#pragma once

#include <filesystem>

#include "platform/experiment.h"

namespace tessera::app {

// Leaves summary.json, timing.json, processes.csv, preemptions.csv and timeline.csv in `place`, whole.
platform::ExperimentResult run_with_timeline(const spec::Spec& spec, platform::ExperimentOptions options,
                                             const std::filesystem::path& place);

}  // namespace tessera::app
