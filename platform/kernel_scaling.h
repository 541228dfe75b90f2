// SPDX-License-Identifier: Apache-2.0
// C(m) of kernels ([Z21] 3): each alone on 1, 2, .. SMs of the machine, at transaction level.
#pragma once

#include <functional>
#include <vector>

#include "model/realtime/task_set.h"
#include "model/spec/spec_fwd.h"

namespace tessera::platform {

// Whether C(m) includes, besides the thread blocks' time, the framework's time for a kernel that is alone (activation,
// decisions, set-up, refilling slots); kLeftOut: an analysis adds it separately.
enum class FrameworkTime { kIncluded, kLeftOut };

// Time from a kernel's arrival at the command buffers to its end, in a partition of m of the machine's SMs, m = 1, 2,
// .. all. All thread blocks take the longest possible time. Identical kernels are measured once; each simulation is a
// separate process, `num_workers` at a time. Throws std::runtime_error if one fails or is interrupted.
std::vector<std::vector<realtime::Nanoseconds>> measure_scaling(
    const spec::Spec& machine, const std::vector<spec::KernelSpec>& kernels, FrameworkTime framework,
    unsigned num_workers, const std::function<bool()>& is_interrupted,
    const std::function<void(std::size_t done, std::size_t total)>& on_progress = {});

}  // namespace tessera::platform
