// SPDX-License-Identifier: Apache-2.0
// `tasks` and `partitions` of summary.json. Internal to the summary.
#pragma once

#include <nlohmann/json.hpp>

#include "model/record/metrics/summary.h"

namespace tessera::record {

// Of each process with releases or a deadline, its jobs: runs that are released, or else kernels.
nlohmann::ordered_json tasks_of(const SummaryInput& input, const RunResult& result);

// Of each partition; none: an empty list.
nlohmann::ordered_json partitions_of(const SummaryInput& input, const RunResult& result);

// Which SMs are in none of them, or in several, and what a preset makes of that.
void add_sms_of_partitions(nlohmann::ordered_json& json, const SummaryInput& input);

}  // namespace tessera::record
