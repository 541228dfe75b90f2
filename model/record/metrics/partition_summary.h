// SPDX-License-Identifier: Apache-2.0
// `tasks` and `partitions` of summary.json. Internal to the summary.
#pragma once

#include <nlohmann/json.hpp>

#include "model/record/metrics/summary.h"

namespace tessera::record {

// The jobs of each process with releases or a deadline: its runs if they are released, else its kernels.
nlohmann::ordered_json tasks_of(const SummaryInput& input, const RunResult& result);

// One entry per partition; an empty list without partitions.
nlohmann::ordered_json partitions_of(const SummaryInput& input, const RunResult& result);

// Adds the SMs that are in no partition or in several, and the rounding of a preset.
void add_sms_of_partitions(nlohmann::ordered_json& json, const SummaryInput& input);

}  // namespace tessera::record
