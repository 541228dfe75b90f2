// SPDX-License-Identifier: Apache-2.0
// The tasks of a file as kernels of a machine, and as tasks of the analysis.
#pragma once

#include <vector>

#include "model/base/time.h"
#include "model/realtime/task_set.h"
#include "model/spec/spec_fwd.h"

namespace tessera::spec {
enum class TechniqueKind;
}

namespace tessera::realtime {

// The machine that runs them: GPU, host and an EDF scheduler of partitions. Under drain a kernel that arrives empties
// its partition (exclusive_scope: all), so that what it waits for is waited for once (docs/concepts/partitioning.md).
spec::Spec machine_of(const spec::TaskSetSpec& set, spec::TechniqueKind technique);

// One a task, with the time of a TB taken literally. A task that is none has TBs of b, as many as take `work` on an SM,
// `tbs_per_sm` at a time; so work / m + b is what they take on m SMs at the longest (docs/concepts/partitioning.md,
// Times).
std::vector<spec::KernelSpec> kernels_of(const spec::TaskSetSpec& set);

// The longest that a TB of such a kernel can take, by what its spreads allow.
Picoseconds longest_tb_time(const spec::KernelSpec& kernel);

// tables[i]: of a task that is a kernel, its time on 1, 2, .. SMs; empty for others.
TaskSet task_set_of(const spec::TaskSetSpec& set, const std::vector<std::vector<Nanoseconds>>& tables);

}  // namespace tessera::realtime
