// SPDX-License-Identifier: Apache-2.0
// TimeGraph's tasks and reserves, from its specification: one task per process, in the order in which they open their
// channels, and the reserves that admission control accepts ([K11] 3).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/command_scheduling/timegraph.h"
#include "model/spec/spec_fwd.h"

namespace tessera::command_scheduling {

struct PlannedReserve {
  std::string name;
  ReserveParameters parameters;  // in cycles
};

struct PlannedTask {
  TaskParameters parameters;
  bool was_refused = false;  // its reserve was not admitted: Background, lowest priority
};

struct TaskTable {
  std::vector<PlannedReserve> reserves;
  std::vector<PlannedTask> tasks;  // by process
};

// Parameters of the TimeGraph core from a driver's Spec.
TimeGraphParameters parameters_of(const spec::DriverSpec& driver);

// For a Spec with driver.kind timegraph. A process opens its channel when it starts; simultaneous ones in order of
// process.
TaskTable make_task_table(const spec::Spec& spec);

}  // namespace tessera::command_scheduling
