// SPDX-License-Identifier: Apache-2.0
// Checks the combination of stream priorities with other keys. Internal to model/spec.
#pragma once

#include "model/spec/readers.h"
#include "model/spec/spec.h"

namespace tessera::spec {

// Together with the processes' priorities they must fit the framework. `workload`: of an experiment that could be read.
void check_priority_levels(MappingReader workload, const Spec& spec);
// The driver must not change them. `reader`: of the scheduler's driver or the baseline's.
void check_driver_of_priorities(MappingReader reader, const DriverSpec& driver, const Spec& spec);

// `priority`, which `reader` has, is one that the card has for streams.
void check_card_priority(MappingReader& reader, std::uint32_t priority, const GpuSpec& gpu);

}  // namespace tessera::spec
