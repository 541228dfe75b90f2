// SPDX-License-Identifier: Apache-2.0
// Reads a kernel's `event_driven` and checks its combination with other keys (docs/concepts/gloop.md). Internal to
// model/spec.
#pragma once

#include <optional>

#include "model/spec/readers.h"

namespace tessera::spec {

// Empty if the kernel of `reader` is an ordinary one.
std::optional<EventDrivenSpec> read_event_driven(MappingReader& reader, const ApplicationContext& context,
                                                 Report& report);

// All its thread blocks must fit on the GPU at the same time, and their callbacks' state in device memory.
void check_event_driven(MappingReader& reader, const KernelSpec& kernel, const GpuSpec& gpu);

// Checks of a machine: drivers and techniques that do not support event-driven kernels, and kernels that cannot be
// preempted.
struct MachineReaders {
  MappingReader scheduler;
  MappingReader driver;
};
void check_event_driven_experiment(MachineReaders readers, const SchedulerSpec& scheduler, const DriverSpec& driver,
                                   const Spec& spec);
// Host calls of event-driven kernels are not supported with a link in bursts. `gpu`: reader of the GPU.
void check_link_of_event_driven(MappingReader gpu, const Spec& spec);
// The copies of a process's I/O need their own hardware queue. `reader`: of the workload.
void check_queues_for_io(MappingReader reader, const Spec& spec);

}  // namespace tessera::spec
