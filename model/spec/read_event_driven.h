// SPDX-License-Identifier: Apache-2.0
// The keys of a kernel's `event_driven`, and what they must not say beside others (docs/concepts/gloop.md).
// Internal to model/spec.
#pragma once

#include <optional>

#include "model/spec/readers.h"

namespace tessera::spec {

// Nothing where the kernel of `reader` is an ordinary one.
std::optional<EventDrivenSpec> read_event_driven(MappingReader& reader, const ApplicationContext& context,
                                                 Report& report);

// Its thread blocks must be resident at once, and what their callbacks keep must find room in device memory.
void check_event_driven(MappingReader& reader, const KernelSpec& kernel, const GpuSpec& gpu);

// Of a machine: drivers and techniques that know no event-driven kernels, and what cannot be preempted.
struct MachineReaders {
  MappingReader scheduler;
  MappingReader driver;
};
void check_event_driven_experiment(MachineReaders readers, const SchedulerSpec& scheduler, const DriverSpec& driver,
                                   const Spec& spec);
// Their calls of the host do not share the link with bursts. `gpu`: of the GPU.
void check_link_of_event_driven(MappingReader gpu, const Spec& spec);
// The copies of a process's I/O need a hardware queue of their own. `reader`: of the workload.
void check_queues_for_io(MappingReader reader, const Spec& spec);

}  // namespace tessera::spec
