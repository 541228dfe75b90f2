// SPDX-License-Identifier: Apache-2.0
// A curve rises in both, and its last point is no less than a 64th of what all SMs ask for: then there is a latency at
// which they get no more than that (docs/concepts/loaded_memory.md).
#include "model/spec/read_memory_latency.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "model/spec/policies.h"
#include "model/spec/read_gpu_switch.h"
#include "model/spec/spec.h"

namespace tessera::spec {
namespace {

constexpr Number kUnloadedLatency{1'000, 1'000'000'000, kLatencyDigits};  // 1 ns .. 1 ms
constexpr Number kLatencyFactor{1'000'000, 64'000'000, kPpmDigits};
constexpr Number kBytesPerThread{1, 65'536};
constexpr std::uint64_t kMostOverRoof = 64;

void check_rise(const LatencyPoint& point, const LatencyPoint& before, MappingReader& reader) {
  if (point.bytes_per_s <= before.bytes_per_s) {
    reader.reject("gbps", "is no more than that of the point before", kMemoryRate.text(point.bytes_per_s),
                  "points in ascending order");
  } else if (point.factor_ppm < before.factor_ppm) {
    reader.reject("latency", "is less than that of the point before", kLatencyFactor.text(point.factor_ppm),
                  "points in ascending order");
  }
}

std::vector<LatencyPoint> read_curve(MappingReader& memory, Presence needed, Report& report) {
  std::vector<LatencyPoint> curve;
  const std::vector<Node>& points =
      memory.mappings("curve", needed,
                      "latency as a function of all traffic: straight lines between these points, from 1 at no "
                      "traffic; the last one is never exceeded");
  for (std::size_t i = 0; i < points.size(); ++i) {
    MappingReader reader(points[i], memory.path("curve") / i, report);
    LatencyPoint point;
    const bool has_rate = reader.required("gbps", point.bytes_per_s, kMemoryRate, "GB/s of all together; ascending");
    const bool has_factor =
        reader.required("latency", point.factor_ppm, kLatencyFactor, "times `unloaded_ns`; not descending");
    reader.reject_unknown_keys();
    if (has_rate && has_factor && !curve.empty()) check_rise(point, curve.back(), reader);
    if (has_rate && has_factor) curve.push_back(point);
  }
  return curve;
}

// Which key says bytes, and who has it; empty: nobody.
std::string first_with_bytes(const Spec& spec) {
  for (const ApplicationSpec& application : spec.applications) {
    if (application.in_flight_share_ppm > 0) {
      return fmt::format("in_flight_share, which application '{}' has", application.name);
    }
    for (const KernelSpec& kernel : application.kernels) {
      if (kernel.dram_bytes_per_tb > 0) return fmt::format("dram_bytes_per_tb, which kernel '{}' has", kernel.name);
    }
  }
  return {};
}

// What these do with a thread block follows from its own time. A baseline that has the scheduler's technique is not
// blamed again.
void check_timed_technique(MappingReader reader, const SchedulerSpec& scheduler) {
  const bool looks_at_times = scheduler.technique == TechniqueKind::kFlush || info(scheduler.technique).chooses_victims;
  if (!looks_at_times || !reader.has("technique")) return;
  reader.reject("technique", "does not support memory_channel.sharing: loaded_latency",
                std::string(to_string(scheduler.technique)), "context_switch, drain");
}

// Bytes that nobody would look at.
void check_bytes(LoadedLatencyReaders& readers, const Spec& spec) {
  const std::string bytes = first_with_bytes(spec);
  if (bytes.empty()) return;
  const std::string problem = "knows nothing of " + bytes;
  if (readers.memory_channel.has("sharing")) {
    readers.memory_channel.reject("sharing", problem, std::string(to_string(spec.channel_sharing)), "loaded_latency");
  } else {
    readers.experiment.reject("memory_channel", problem, "static", "sharing: loaded_latency");
  }
}

}  // namespace

std::optional<MemoryLatencySpec> read_memory_latency(MappingReader& gpu, std::uint32_t num_sms, Report& report) {
  MappingReader reader = gpu.mapping("memory_latency", Presence::kOptional,
                                     "how much later memory answers under load; read by `memory_channel.sharing: "
                                     "loaded_latency`, which needs it ([loaded_memory](../concepts/loaded_memory.md))");
  const Presence needed = gpu.has("memory_latency") ? Presence::kRequired : Presence::kOptional;
  MemoryLatencySpec memory;
  reader.read("unloaded_ns", needed, memory.unloaded, kUnloadedLatency, "of a read while nobody else reads");
  reader.optional("bytes_per_thread", memory.bytes_per_thread, kBytesPerThread,
                  "that a thread has on their way at once, if its kernel has no `bytes_in_flight_per_tb`");
  const bool has_rate =
      reader.read("sm_gbps", needed, memory.sm_bytes_per_s, kMemoryRate,
                  "what an SM gets at most at that latency: times `unloaded_ns`, the bytes that it has on their way at "
                  "most; for all SMs at most 64 times the last point of the curve");
  memory.curve = read_curve(reader, needed, report);
  reader.reject_unknown_keys();
  if (!gpu.has("memory_latency")) return std::nullopt;
  if (has_rate && !memory.curve.empty()) {
    const std::uint64_t most = memory.curve.back().bytes_per_s * kMostOverRoof / std::max(1U, num_sms);
    if (memory.sm_bytes_per_s > most) {
      reader.reject("sm_gbps", fmt::format("is more than {} times the curve's last point, for all SMs", kMostOverRoof),
                    kMemoryRate.text(memory.sm_bytes_per_s), "at most " + kMemoryRate.text(most));
    }
  }
  return memory;
}

void check_loaded_latency(LoadedLatencyReaders readers, GoodForLoadedLatency good, Cores cores, const Spec& spec) {
  const std::string sharing(to_string(ChannelSharing::kLoadedLatency));
  if (spec.channel_sharing != ChannelSharing::kLoadedLatency) {
    if (good.is_workload) check_bytes(readers, spec);
    return;
  }
  if (includes(cores, Cores::kClocked)) {
    readers.memory_channel.reject("sharing", "the memory of this abstraction does not have it", sharing,
                                  "static, fair, or abstraction tlm");
  }
  if (good.is_gpu && !spec.gpu.memory_latency) {
    readers.memory_channel.reject("sharing", fmt::format("GPU '{}' has no memory_latency", spec.gpu.name), sharing,
                                  "static, fair, or a GPU with memory_latency");
  }
  if (good.are_schedulers) {
    check_timed_technique(readers.scheduler, spec.scheduler);
    if (spec.baseline) check_timed_technique(readers.baseline, *spec.baseline);
  }
  const std::vector<ApplicationSpec>& all = spec.applications;
  if (good.is_workload &&
      std::any_of(all.begin(), all.end(), [](const auto& one) { return one.has_event_driven_kernels(); })) {
    readers.memory_channel.reject("sharing", "an application has event-driven kernels, whose loops do not know it",
                                  sharing, "static, fair");
  }
}

}  // namespace tessera::spec
