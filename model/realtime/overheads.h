// SPDX-License-Identifier: Apache-2.0
// What a machine takes beyond C(m): the ways of a launch and of its completion, preemption, decisions, and the core's
// time for each thread block. Upper bounds, from the latencies of the Spec (docs/concepts/partitioning.md derives
// each).
#pragma once

#include <cstdint>
#include <vector>

#include "model/base/time.h"
#include "model/realtime/task_set.h"
#include "model/spec/spec_fwd.h"

namespace tessera::realtime {

// Who shares the search: a job's moves wait for those of the other partitions.
struct Sharing {
  std::uint32_t num_sms = 1;  // of the largest partition
  std::uint32_t num_partitions = 1;
};

struct Overheads {
  Nanoseconds launch_path = 0;      // from a release to the kernel's arrival at the command buffers
  Nanoseconds completion_path = 0;  // from the kernel's end to that of the run
  Nanoseconds inversion = 0;        // deadlines are compared in units: so much later ones may go before
  Nanoseconds per_job = 0;          // of its partition: what its arrival and its end cost whoever is first then
  Nanoseconds per_tb = 0;           // until a slot is filled again
};

// `kernels`: one a task, as kernels_of() makes them. The machine is that of machine_of().
Overheads overheads_of(const TaskSet& set, const spec::Spec& machine, const std::vector<spec::KernelSpec>& kernels,
                       const Sharing& sharing);

// Deadlines less what lies outside of the engine, and times with what it adds: tasks that meet their deadlines so, meet
// them on the machine. Under drain a table is at least what TBs that are not aligned take.
TaskSet with_overheads(const TaskSet& set, const spec::Spec& machine, const std::vector<spec::KernelSpec>& kernels,
                       const Overheads& overheads);

}  // namespace tessera::realtime
