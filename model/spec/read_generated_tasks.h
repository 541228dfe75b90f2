// SPDX-License-Identifier: Apache-2.0
// `generate` of a task set file: random tasks as in [Z21] 7.1. Internal to model/spec.
#pragma once

#include <cstdint>
#include <vector>

#include "model/spec/mapping_reader.h"
#include "model/spec/task_set_spec.h"

namespace tessera::spec {

// Empty if the mapping is absent or wrong.
std::vector<TaskSpec> read_generated_tasks(MappingReader reader, std::uint64_t time_unit_us);

}  // namespace tessera::spec
