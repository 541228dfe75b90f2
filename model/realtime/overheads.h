// SPDX-License-Identifier: Apache-2.0
// The machine's overheads beyond C(m): the paths of a launch and of its completion, preemption, decisions, and the
// core's time per thread block. Upper bounds from the latencies of the Spec (docs/concepts/partitioning.md derives
// each).
#pragma once

#include <cstdint>
#include <vector>

#include "model/base/time.h"
#include "model/realtime/task_set.h"
#include "model/spec/spec_fwd.h"

namespace tessera::realtime {

// The partitions that share the search: a job's moves wait for those of the others.
struct Sharing {
  std::uint32_t num_sms = 1;  // of the largest partition
  std::uint32_t num_partitions = 1;
};

struct Overheads {
  Nanoseconds launch_path = 0;      // from a release to the kernel's arrival at the command buffers
  Nanoseconds completion_path = 0;  // from the kernel's end to that of the run
  Nanoseconds inversion = 0;        // deadlines are compared in units: jobs due this much later may go first
  Nanoseconds per_job = 0;          // cost of a job's arrival and end to the first job in its partition
  Nanoseconds per_tb = 0;           // until a slot is refilled
};

// `kernels`: one per task, from kernels_of(). `machine`: from machine_of().
Overheads overheads_of(const TaskSet& set, const spec::Spec& machine, const std::vector<spec::KernelSpec>& kernels,
                       const Sharing& sharing);

// Subtracts overheads outside the engine from deadlines and adds the engine's to times: tasks that then meet their
// deadlines also meet them on the machine. Under drain, a table is at least the time of unaligned TBs.
TaskSet with_overheads(const TaskSet& set, const spec::Spec& machine, const std::vector<spec::KernelSpec>& kernels,
                       const Overheads& overheads);

}  // namespace tessera::realtime
