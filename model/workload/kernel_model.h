// SPDX-License-Identifier: Apache-2.0
// A kernel on a given machine: occupancy, context size, duration of its thread blocks.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/base/time.h"
#include "model/spec/spec_fwd.h"

namespace tessera::workload {

enum class Limiter { kRegisters, kSharedMemory, kThreads, kSlots, kQuota };
std::string_view to_string(Limiter limiter);  // "registers", "shared_memory", "threads", "slots", "max_tbs_per_sm"

struct Occupancy {
  std::uint32_t tbs_per_sm = 0;                  // 0: the kernel does not fit on an SM
  Limiter limiter = Limiter::kSlots;             // the tightest; at a tie the first in Limiter
  std::uint32_t shared_memory_config_bytes = 0;  // the size that GpuSpec::shared_memory_choice picks; 0: none fits
};
Occupancy occupancy(const spec::GpuSpec& gpu, const spec::KernelSpec& kernel);

// Architectural state of one TB: 4 bytes per register, plus its shared memory.
std::uint64_t context_bytes_per_tb(const spec::KernelSpec& kernel);

// [T14] Table 1, "Save Time": the whole SM's context at 1/N_SM of the bandwidth.
Picoseconds projected_save_time(const spec::GpuSpec& gpu, const spec::KernelSpec& kernel);
// [T14] Table 1, "Resour./SM": the context over registers and the largest shared memory, in parts per million.
std::uint32_t resource_share_ppm(const spec::GpuSpec& gpu, const spec::KernelSpec& kernel);

// Durations of a kernel's TBs: uniform in [mean - half_spread, mean + half_spread], at least 1 cycle.
struct TbTime {
  Cycle mean = 0;  // kNever for a persistent kernel, and for an event-driven one, whose callbacks determine its time
  Cycle half_spread = 0;
};

}  // namespace tessera::workload
