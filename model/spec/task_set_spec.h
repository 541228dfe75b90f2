// SPDX-License-Identifier: Apache-2.0
// Real-time tasks on a machine: the input of `tessera partition` ([Z21] 4; docs/concepts/partitioning.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/realtime/task_set.h"
#include "model/spec/application_spec.h"
#include "model/spec/gpu_spec.h"
#include "model/spec/host_spec.h"

namespace tessera::spec {

// Times in ns. A task takes work / m + tail on m SMs, or is a kernel of an application.
struct TaskSpec {
  std::string name;
  realtime::TaskKind kind = realtime::TaskKind::kCompute;
  realtime::Nanoseconds period = 0;
  realtime::Nanoseconds deadline = 0;  // at most the period
  realtime::Nanoseconds offset = 0;    // of its first release
  realtime::Nanoseconds work = 0;      // 0: the task is a kernel
  std::int64_t tail_parts = 0;         // in 1 / kTailParts ns
  std::optional<KernelSpec> kernel{};
};

// A partition that the user gives.
struct TaskPartitionSpec {
  std::string name;
  std::uint32_t num_sms = 0;
  std::vector<std::uint32_t> tasks;  // indices into TaskSetSpec::tasks
};

struct TaskSetSpec {
  std::string name;
  GpuSpec gpu;
  HostSpec host;
  TimeBase time_base = TimeBase::kKernelTime;  // of kernels
  std::uint32_t tbs_per_sm = 1;                // TBs that an SM holds, for tasks that are not kernels
  std::uint32_t search_width = 1;              // as the scheduler's
  realtime::Contention contention{};
  std::vector<TaskSpec> tasks;
  std::vector<TaskPartitionSpec> partitions;  // empty: to be searched for
};

}  // namespace tessera::spec
