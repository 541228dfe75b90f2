// SPDX-License-Identifier: Apache-2.0
// Memory traffic of kernels of which a profile tells the time alone (docs/concepts/loaded_memory.md).
#pragma once

#include "model/spec/spec_fwd.h"
#include "model/workload/kernel_times.h"

namespace tessera::workload {

// Whether an application has `in_flight_share`.
bool has_recorded_traffic(const spec::Spec& spec);

// Its kernels as they are then: a thread block has so many bytes on their way as long as it works, and works for as
// long as it would on a memory that nobody else uses, so that the kernel alone takes the time that it was recorded
// with. `spec`: under loaded_latency, on a GPU that has memory_latency.
spec::Spec with_recorded_traffic(const spec::Spec& spec, const IsInterrupted& is_interrupted = {});

}  // namespace tessera::workload
