// SPDX-License-Identifier: Apache-2.0
// What priorities of streams must not stand beside. Internal to model/spec.
#pragma once

#include "model/spec/readers.h"
#include "model/spec/spec.h"

namespace tessera::spec {

// They and those of the processes fit the framework. `workload`: of an experiment that could be read.
void check_priority_levels(MappingReader workload, const Spec& spec);
// The driver leaves them alone. `reader`: of the scheduler's driver or the baseline's.
void check_driver_of_priorities(MappingReader reader, const DriverSpec& driver, const Spec& spec);

}  // namespace tessera::spec
