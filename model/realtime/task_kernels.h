// SPDX-License-Identifier: Apache-2.0
// Converts the tasks of a file to kernels of a machine and to tasks of the analysis.
#pragma once

#include <vector>

#include "model/base/time.h"
#include "model/realtime/task_set.h"
#include "model/spec/spec_fwd.h"

namespace tessera::spec {
enum class TechniqueKind;
}

namespace tessera::realtime {

// The machine that runs them: GPU, host and an EDF scheduler of partitions. Under drain an arriving kernel empties its
// partition (exclusive_scope: all), so that it waits for others only once (docs/concepts/partitioning.md).
spec::Spec machine_of(const spec::TaskSetSpec& set, spec::TechniqueKind technique);

// The kernel with its TBs' time, taken literally, as an experiment with the machine's time base has it on the whole
// GPU.
spec::KernelSpec with_literal_time(const spec::Spec& machine, spec::KernelSpec kernel);

// One kernel per task, with the time of a TB taken literally. A task that is not a kernel gets TBs of duration b, as
// many as take `work` on one SM, `tbs_per_sm` at a time, so that they take at most work / m + b on m SMs
// (docs/concepts/partitioning.md, Times).
std::vector<spec::KernelSpec> kernels_of(const spec::TaskSetSpec& set);

// The longest duration of a TB of such a kernel within its spreads.
Picoseconds longest_tb_time(const spec::KernelSpec& kernel);

// tables[i]: time on 1, 2, .. SMs for a task that is a kernel; empty for others.
TaskSet task_set_of(const spec::TaskSetSpec& set, const std::vector<std::vector<Nanoseconds>>& tables);

}  // namespace tessera::realtime
