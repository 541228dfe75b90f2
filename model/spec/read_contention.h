// SPDX-License-Identifier: Apache-2.0
// Reads `contention` of an experiment and checks what it cannot be combined with.
// Internal to model/spec.
#pragma once

#include "model/spec/contention_spec.h"
#include "model/spec/readers.h"

namespace tessera::spec {

ContentionSpec read_co_running(MappingReader reader);

struct ContentionReaders {
  MappingReader contention;
  MappingReader scheduler;
  MappingReader baseline;
};
// `is_workload_good`: false suppresses reports about its kernels.
void check_co_running(ContentionReaders readers, Cores cores, bool is_workload_good, const Spec& spec);

}  // namespace tessera::spec
