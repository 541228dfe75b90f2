// SPDX-License-Identifier: Apache-2.0
// A driver that writes a context's priority while it runs has none left for single streams.
#include "model/spec/read_stream_priorities.h"

#include <fmt/core.h>

#include "model/spec/launch_priorities.h"

namespace tessera::spec {

void check_priority_levels(MappingReader workload, const Spec& spec) {
  const std::size_t num_levels = LaunchPriorities(spec).num_levels();
  if (num_levels <= kPriorityLevels) return;
  workload.reject("processes", "have too many priorities, those of their streams counted for each process",
                  fmt::format("{}", num_levels), fmt::format("at most {}", kPriorityLevels));
}

void check_driver_of_priorities(MappingReader reader, const DriverSpec& driver, const Spec& spec) {
  if (LaunchPriorities(spec).num_levels() == 0) return;
  const char* const problem = "gives contexts priorities of its own, beside which streams have none";
  if (driver.kind == DriverKind::kTimegraph && reader.has("kind")) {
    reader.reject("kind", problem, "timegraph", "pass_through, gloop, or streams without `priority`");
  }
  if (driver.kind == DriverKind::kGloop && driver.on_timeout == OnTimeout::kPreempt && reader.has("on_timeout")) {
    reader.reject("on_timeout", problem, "preempt", "kill, or streams without `priority`");
  }
}

void check_card_priority(MappingReader& reader, std::uint32_t priority, const GpuSpec& gpu) {
  if (!gpu.stream_priorities || priority < *gpu.stream_priorities) return;
  reader.reject("priority", fmt::format("is none that GPU '{}' has for streams", gpu.name), fmt::format("{}", priority),
                fmt::format("0 .. {}", *gpu.stream_priorities - 1));
}

}  // namespace tessera::spec
