// SPDX-License-Identifier: Apache-2.0
// Tasks in their partitions as an experiment: a process a task, a kernel a job.
#pragma once

#include <string>
#include <vector>

#include "model/realtime/machine_partitioning.h"
#include "model/spec/spec_fwd.h"

namespace tessera::realtime {

// Thread blocks of tasks in conflict take as much longer as the analysis takes them to, or as long as alone, or the
// machine stretches those that meet another of their kind in its partition (docs/concepts/partitions.md, Contention).
enum class SimulatedContention { kAssumed, kNone, kCoRunning };

// `names`: of the partitions. It ends one hyperperiod and the longest deadline after the last first release, or after
// 1000 s. Kernels have the kinds of their tasks. `set.tasks` are in the same order as the analysed tasks.
spec::Spec experiment_of(const spec::TaskSetSpec& set, const MachineTasks& of, const MachinePartitioning& partitioning,
                         const std::vector<std::string>& names, SimulatedContention contention);

// As a file that needs nothing beside it.
std::string experiment_text(const spec::Spec& experiment);

}  // namespace tessera::realtime
