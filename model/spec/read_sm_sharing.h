// SPDX-License-Identifier: Apache-2.0
// SMs that kernels share (docs/concepts/shared_sms.md): the dispatcher's keys, and what does not go with it.
// Internal to model/spec.
#pragma once

#include "model/spec/gpu_spec.h"
#include "model/spec/readers.h"

namespace tessera::spec {

// `sm_sharing`, `dispatcher` and `beside_others_cycles` of the framework.
void read_sm_sharing(MappingReader& framework, FrameworkSpec& spec);

// The parts of the experiment that the dispatcher of shared SMs has a say in.
struct SharingReaders {
  MappingReader gpu;
  MappingReader scheduler;
  MappingReader baseline;
  MappingReader driver;
  MappingReader baseline_driver;
  MappingReader contention;
  MappingReader workload;
};

// Reports what such a machine does not have. Its thread blocks are spread over the SMs: sets `fill`. Requires parts
// that were read without a mistake.
void check_sm_sharing(SharingReaders readers, Cores cores, Spec& spec);

}  // namespace tessera::spec
