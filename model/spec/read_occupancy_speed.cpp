// SPDX-License-Identifier: Apache-2.0
// What an application asks of the scheduler's technique.
#include "model/spec/read_occupancy_speed.h"

#include <fmt/core.h>

#include <string>

#include "model/spec/policies.h"
#include "model/spec/spec.h"

namespace tessera::spec {
namespace {

// Null: none.
const KernelSpec* first_with_speedup(const Spec& spec) {
  for (const ApplicationSpec& application : spec.applications) {
    for (const KernelSpec& kernel : application.kernels) {
      if (kernel.occupancy_speedup_ppm != 0) return &kernel;
    }
  }
  return nullptr;
}

void check_technique(MappingReader& reader, const SchedulerSpec& scheduler, const KernelSpec& kernel) {
  if (info(scheduler.technique).chooses_victims) return;
  reader.reject("technique", fmt::format("does not support occupancy_speedup, which kernel '{}' has", kernel.name),
                std::string(to_string(scheduler.technique)), "chimera, dual_kernel");
}

}  // namespace

void check_occupancy_speed(MappingReader scheduler, MappingReader baseline, const Spec& spec) {
  const KernelSpec* const kernel = first_with_speedup(spec);
  if (kernel == nullptr) return;
  check_technique(scheduler, spec.scheduler, *kernel);
  if (spec.baseline && baseline.has("technique")) check_technique(baseline, *spec.baseline, *kernel);
}

}  // namespace tessera::spec
