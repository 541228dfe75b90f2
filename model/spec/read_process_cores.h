// SPDX-License-Identifier: Apache-2.0
// The keys of a process that say on which of the host's cores it runs, and how it waits.
// Internal to model/spec.
#pragma once

#include "model/spec/host_spec.h"
#include "model/spec/readers.h"

namespace tessera::spec {

// `host`: null if a mistake leaves open whether it has cores.
void read_process_cores(MappingReader& reader, const HostSpec* host, ProcessSpec& process);

}  // namespace tessera::spec
