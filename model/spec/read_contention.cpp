// SPDX-License-Identifier: Apache-2.0
// Contention between kernels: the thread blocks that it stretches are those of plain kernels at transaction level.
#include "model/spec/read_contention.h"

#include <algorithm>
#include <string>

#include "model/spec/spec.h"

namespace tessera::spec {
namespace {

constexpr Number kStretch{1'000'000, 1'000'000'000, kPpmDigits};

// What these do with a thread block follows from the time that it takes alone. A baseline that has the scheduler's
// technique is not blamed again.
void check_technique(MappingReader reader, const SchedulerSpec& scheduler) {
  const bool looks_at_times = scheduler.technique == TechniqueKind::kFlush || info(scheduler.technique).chooses_victims;
  if (!looks_at_times || !reader.has("technique")) return;
  reader.reject("technique", "does not support contention", std::string(to_string(scheduler.technique)),
                "context_switch, drain, or contention.model: none");
}

bool has_kernel_with_kind(const ApplicationSpec& application) {
  return std::any_of(application.kernels.begin(), application.kernels.end(),
                     [](const KernelSpec& kernel) { return kernel.kind.has_value(); });
}

}  // namespace

ContentionSpec read_co_running(MappingReader reader) {
  ContentionSpec contention;
  reader.optional("model", contention.model, Choice<ContentionModel>{},
                  "`co_running`: a thread block takes longer that is issued while a kernel of another process and of "
                  "the same `kind` holds an SM of the domain");
  reader.optional("domain", contention.domain, Choice<ContentionDomain>{},
                  "the SM's partition, which without `static_partition` is the GPU, or always the GPU");
  reader.optional("compute", contention.factor_ppm[static_cast<std::size_t>(KernelKind::kCompute)], kStretch,
                  "of kernels with `kind: compute`: so many times as long ([Z21] 7.1)");
  reader.optional("memory", contention.factor_ppm[static_cast<std::size_t>(KernelKind::kMemory)], kStretch,
                  "of kernels with `kind: memory`");
  reader.reject_unknown_keys();
  return contention;
}

void check_co_running(ContentionReaders readers, Cores cores, bool is_workload_good, const Spec& spec) {
  if (!spec.contention.is_on()) return;
  const std::string model(to_string(spec.contention.model));
  if (includes(cores, Cores::kClocked)) {
    readers.contention.reject("model", "the SMs of this abstraction know no contention", model,
                              "none, or abstraction tlm");
  }
  if (spec.contention.domain == ContentionDomain::kPartition && has_masks(spec)) {
    readers.contention.reject("domain", "partitions share SMs, and are no domains", "partition", "gpu");
  }
  check_technique(readers.scheduler, spec.scheduler);
  if (spec.baseline) check_technique(readers.baseline, *spec.baseline);
  if (!is_workload_good) return;
  const std::vector<ApplicationSpec>& all = spec.applications;
  if (std::any_of(all.begin(), all.end(), [](const auto& one) { return one.has_event_driven_kernels(); })) {
    readers.contention.reject("model", "an application has event-driven kernels, which know no contention", model,
                              "none");
  }
  if (std::none_of(all.begin(), all.end(), has_kernel_with_kind)) {
    readers.contention.reject("model", "no kernel has a kind", model, "kind of a kernel in an application, or none");
  }
}

}  // namespace tessera::spec
