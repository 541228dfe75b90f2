// SPDX-License-Identifier: Apache-2.0
// `workload` of an experiment.
// Internal to model/spec.
#pragma once

#include "model/spec/host_spec.h"
#include "model/spec/mapping_reader.h"
#include "model/spec/policies.h"
#include "model/spec/spec_fwd.h"

namespace tessera::spec {

// Parts of the experiment that were read without a mistake, so that others may be held against them.
struct GoodParts {
  const GpuSpec* gpu = nullptr;
  const HostSpec* host = nullptr;
  bool is_scheduler_good = false;
};

void read_workload(MappingReader reader, const GoodParts& good, Cores cores, Spec& spec, Report& report);

}  // namespace tessera::spec
