// SPDX-License-Identifier: Apache-2.0
// Converts tasks in their partitions to an experiment: one process per task, one kernel per job.
#pragma once

#include <string>
#include <vector>

#include "model/realtime/machine_partitioning.h"
#include "model/spec/spec_fwd.h"

namespace tessera::realtime {

// Thread blocks of tasks in conflict are slowed by the factor of the analysis; or not at all; or by the machine
// whenever another kernel of their kind runs in the partition (docs/concepts/partitions.md, Contention).
enum class SimulatedContention { kAssumed, kNone, kCoRunning };

// `names`: of the partitions. The experiment ends one hyperperiod plus the longest deadline after the last first
// release, or after 1000 s. Kernels have the kinds of their tasks. `set.tasks` must be in the order of the analysed
// tasks.
spec::Spec experiment_of(const spec::TaskSetSpec& set, const MachineTasks& of, const MachinePartitioning& partitioning,
                         const std::vector<std::string>& names, SimulatedContention contention);

// The experiment as a self-contained file.
std::string experiment_text(const spec::Spec& experiment);

}  // namespace tessera::realtime
