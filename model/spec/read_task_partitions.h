// SPDX-License-Identifier: Apache-2.0
// `partitions` of a task set, of its tasks.
// Internal to model/spec.
#pragma once

#include "model/spec/mapping_reader.h"
#include "model/spec/spec_fwd.h"

namespace tessera::spec {

void read_task_partitions(MappingReader& reader, TaskSetSpec& set, bool are_tasks_good, Report& report);

}  // namespace tessera::spec
