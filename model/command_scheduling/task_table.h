// SPDX-License-Identifier: Apache-2.0
// What TimeGraph makes of its specification: a task for each process, in the order in which they open their channels,
// and the reserves that admission lets them have ([K11] 3).
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

// The rules of the core that a driver's Spec asks for.
TimeGraphParameters parameters_of(const spec::DriverSpec& driver);

// Of a Spec with driver.kind timegraph. A channel is opened when its process starts; at one time, in their order.
TaskTable make_task_table(const spec::Spec& spec);

}  // namespace tessera::command_scheduling
