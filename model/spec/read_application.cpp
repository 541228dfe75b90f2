// SPDX-License-Identifier: Apache-2.0
// Application file -> ApplicationSpec, and whether its kernels can run on the experiment's GPU.
// Internal to model/spec.
#include <fmt/core.h>

#include <algorithm>

#include "model/spec/read_event_driven.h"
#include "model/spec/read_program.h"
#include "model/spec/read_stream_priorities.h"
#include "model/spec/readers.h"
#include "model/workload/kernel_model.h"
#include "model/workload/occupancy_pace.h"
#include "model/workload/tb_progress.h"

namespace tessera::spec {
namespace {

constexpr Number kNumTbs{1, 2'147'483'647};
constexpr Number kRegisters{1, std::uint64_t{1} << 28};  // a TB without state would move in no time
constexpr Number kSharedMemoryBytes{0, std::uint64_t{1} << 28};
constexpr Number kThreads{1, std::uint64_t{1} << 28};
constexpr Number kQuota{0, 64};
constexpr Number kSpread{0, 1'000'000, kPpmDigits};
constexpr Number kCpiSpread{0, workload::kMaxProgressSpreadPpm, kPpmDigits};
constexpr Number kIdempotentUntil{0, 1'000'000};
constexpr SignedNumber kSpeedup{workload::kMaxOccupancySpeedupPpm, kPpmDigits};
constexpr Number kDramBytes{0, std::uint64_t{1} << 40};
constexpr Number kBytesInFlight{0, std::uint64_t{1} << 28};
constexpr Number kInFlightShare{0, 1'000'000, kPpmDigits};
constexpr std::size_t kMaxKernels = 4096;  // a record names a kernel in 16 bits

void check_times(MappingReader& reader, const KernelSpec& kernel, TimeBase time_base) {
  reader.note_alternatives("kernel_time_us", {"tb_time_us", "persistent", "event_driven"});
  if (!reader.is_mapping()) return;
  if (kernel.event_driven) return;  // its callbacks say how long it takes
  if (kernel.is_persistent) {
    for (const std::string_view key : {"kernel_time_us", "tb_time_us", "tb_time_spread", "kernel_time_spread",
                                       "idempotent_until", "work_share", "segment_cpi_spread", "neighbour_cpi_spread",
                                       "occupancy_speedup", "dram_bytes_per_tb", "bytes_in_flight_per_tb"}) {
      if (reader.has(key)) reader.reject(key, "not valid for a persistent kernel");
    }
  } else if (!reader.has("kernel_time_us") && !reader.has("tb_time_us")) {
    reader.reject("kernel_time_us", "is missing, and so is tb_time_us", "",
                  "one of them, persistent: true, or event_driven");
  } else if (time_base == TimeBase::kTimePerTb && !reader.has("tb_time_us")) {
    reader.reject("tb_time_us", "is missing, workload.time_base is time_per_tb");
  }
}

void check_bytes(MappingReader& reader, const KernelSpec& kernel) {
  if (kernel.dram_bytes_per_tb == 0) {
    if (kernel.bytes_in_flight_per_tb > 0) {
      reader.reject("bytes_in_flight_per_tb", "only valid with dram_bytes_per_tb above 0");
    }
  } else if (kernel.occupancy_speedup_ppm != 0) {
    reader.reject("dram_bytes_per_tb", "does not go with occupancy_speedup", kDramBytes.text(kernel.dram_bytes_per_tb),
                  "one of them");
  }
}

// Which key of the kernel asks for too much, and of what the SM has how much.
struct Shortage {
  std::string_view key;
  std::uint32_t asked;
  std::uint32_t available;
};

Shortage shortage_of(workload::Limiter limiter, const KernelSpec& kernel, const GpuSpec& gpu) {
  switch (limiter) {
    case workload::Limiter::kSharedMemory:
      return {"smem_bytes_per_tb", kernel.smem_bytes_per_tb - kernel.smem_reserve_bytes,
              gpu.shared_memory_bytes.back() - kernel.smem_reserve_bytes};
    case workload::Limiter::kThreads:
      return {"threads_per_tb", kernel.threads_per_tb, gpu.max_threads_per_sm};
    case workload::Limiter::kRegisters:
    case workload::Limiter::kSlots:  // a GPU has one slot or more
    case workload::Limiter::kQuota:  // likewise
      break;
  }
  return {"regs_per_tb", kernel.regs_per_tb, gpu.registers_per_sm};
}

void check_fit(MappingReader& reader, const KernelSpec& kernel, const GpuSpec& gpu) {
  const workload::Occupancy occupancy = workload::occupancy(gpu, kernel);
  if (occupancy.tbs_per_sm > 0) return;
  const Shortage shortage = shortage_of(occupancy.limiter, kernel, gpu);
  reader.reject(shortage.key,
                fmt::format("kernel '{}' fits no SM of GPU '{}', limited by {}", kernel.name, gpu.name,
                            workload::to_string(occupancy.limiter)),
                fmt::format("{}", shortage.asked), fmt::format("at most {}", shortage.available));
}

void check_number_of_tbs(MappingReader& reader, const KernelSpec& kernel, const GpuSpec& gpu) {
  const std::uint64_t most = (std::uint64_t{1} << gpu.framework.tb_id_bits) - 1;
  if (kernel.num_tbs <= most) return;
  reader.reject("num_tbs",
                fmt::format("kernel '{}' has more thread blocks than framework.tb_id_bits of GPU '{}' can count",
                            kernel.name, gpu.name),
                fmt::format("{}", kernel.num_tbs), fmt::format("at most {}", most));
}

// An application says either how much of what an SM can have on its way its kernels have, or each of them its bytes.
void read_in_flight_share(MappingReader& reader, ApplicationSpec& application) {
  reader.optional("in_flight_share", application.in_flight_share_ppm, kInFlightShare,
                  "of a profile that tells no bytes: each of its thread blocks has, as long as it works, this share of "
                  "what an SM can have on its way, divided among those that fit it; alone on the GPU its kernels take "
                  "the times recorded ([loaded_memory](../concepts/loaded_memory.md#profiles-without-bytes)). Needs "
                  "`memory_channel.sharing: loaded_latency`; not with kernels that are persistent, event-driven, or "
                  "have bytes or `occupancy_speedup`");
  if (application.in_flight_share_ppm == 0) return;
  for (const KernelSpec& kernel : application.kernels) {
    const char* const has = kernel.is_persistent                ? "is persistent"
                            : kernel.event_driven               ? "is event-driven"
                            : kernel.occupancy_speedup_ppm != 0 ? "has occupancy_speedup"
                            : kernel.dram_bytes_per_tb > 0      ? "has dram_bytes_per_tb"
                                                                : nullptr;
    if (has == nullptr) continue;
    return reader.reject("in_flight_share", fmt::format("does not go with kernel '{}', which {}", kernel.name, has),
                         kInFlightShare.text(application.in_flight_share_ppm), "0");
  }
}

KernelSpec read_kernel(const Node& node, const KeyPath& path, const ApplicationContext& context, Report& report) {
  const std::size_t before = report.size();
  KernelSpec kernel;
  MappingReader reader(node, path, report);
  reader.required("name", kernel.name, Text{}, "unique in the application");
  reader.required("num_tbs", kernel.num_tbs, kNumTbs, "thread blocks; fewer than 2^`tb_id_bits` of the GPU");
  reader.required("regs_per_tb", kernel.regs_per_tb, kRegisters,
                  "32-bit registers of a thread block; it must fit an SM");
  reader.required("smem_bytes_per_tb", kernel.smem_bytes_per_tb, kSharedMemoryBytes,
                  "shared memory of a thread block; it must fit an SM");
  // What the driver allocates: the system's share too.
  if (context.gpu != nullptr) kernel.smem_reserve_bytes = context.gpu->shared_memory_reserve_bytes;
  kernel.smem_bytes_per_tb += kernel.smem_reserve_bytes;
  reader.required("threads_per_tb", kernel.threads_per_tb, kThreads, "threads of a thread block; it must fit an SM");
  reader.optional(
      "max_tbs_per_sm", kernel.max_tbs_per_sm, kQuota,
      "a quota of its own: at most so many of its thread blocks on an SM, whatever else has room; 0: as many as fit");
  reader.optional("kernel_time_us", kernel.kernel_time, kPositiveTime,
                  "of the kernel alone on the machine, overheads included; it or `tb_time_us` is needed unless the "
                  "kernel is persistent");
  reader.optional("tb_time_us", kernel.tb_time, kPositiveTime,
                  "of a thread block, taken literally; `time_base: time_per_tb` needs it");
  reader.optional("tb_time_spread", kernel.tb_time_spread_ppm, kSpread,
                  "thread-block times are uniform in the mean times 1 minus this .. 1 plus this");
  reader.optional("kernel_time_spread", kernel.kernel_time_spread_ppm, kSpread,
                  "a run's launches of the kernel take its time times values evenly spaced from 1 minus this to 1 plus "
                  "this: their mean is the kernel's time");
  reader.optional("idempotent_until", kernel.idempotent_until_ppm, kIdempotentUntil,
                  "ppm of a thread block's instructions: before this point it may be flushed; 1000000: always, 0: "
                  "never. Not of a persistent kernel");
  reader.optional("work_share", kernel.work_share_ppm, kSpread,
                  "of what `tb_time_spread` makes thread blocks differ, so much is instructions, the rest cycles per "
                  "instruction ([readings.md](../concepts/readings.md#progress)). Not of a persistent kernel");
  reader.optional("segment_cpi_spread", kernel.segment_cpi_spread_ppm, kCpiSpread,
                  "cycles per instruction of each eighth of a thread block's instructions are uniform in 1 minus this "
                  ".. 1 plus this: they share its time unevenly");
  reader.optional("neighbour_cpi_spread", kernel.neighbour_cpi_spread_ppm, kCpiSpread,
                  "the same, alike for thread blocks with close numbers: it makes their times longer and shorter");
  reader.optional("occupancy_speedup", kernel.occupancy_speedup_ppm, kSpeedup,
                  "`chimera`, `dual_kernel`: p, how the speed of its thread blocks changes with the number n on their "
                  "SM, of either kernel, where T of its own fill one: 1 + p (T / n - 1), below 0: 1 / (1 - p (T / n - "
                  "1)) ([readings.md](../concepts/readings.md#occupancy-and-speed)). Not of a persistent kernel");
  reader.optional(
      "dram_bytes_per_tb", kernel.dram_bytes_per_tb, kDramBytes,
      "that a thread block moves to or from device memory; it ends when its time is over and these have moved. Needs "
      "`memory_channel.sharing: loaded_latency`; not beside `occupancy_speedup`, nor of a persistent kernel");
  reader.optional(
      "bytes_in_flight_per_tb", kernel.bytes_in_flight_per_tb, kBytesInFlight,
      "bytes of these on their way at once; 0: `threads_per_tb` times the GPU's `memory_latency.bytes_per_thread`");
  reader.optional("persistent", kernel.is_persistent, Boolean{}, "its thread blocks never end by themselves");
  reader.optional(
      "kind", kernel.kind, Choice<KernelKind>{},
      "what it asks most of: with `contention`, it contends with kernels of its kind; left out: with nobody");
  kernel.event_driven = read_event_driven(reader, context, report);
  reader.reject_unknown_keys();
  const bool is_good = report.size() == before && is_sound(node);
  if (is_good && context.gpu != nullptr) {
    check_fit(reader, kernel, *context.gpu);
    check_number_of_tbs(reader, kernel, *context.gpu);
    if (kernel.event_driven) check_event_driven(reader, kernel, *context.gpu);
  }
  if (is_good) check_bytes(reader, kernel);
  check_times(reader, kernel, context.time_base);
  return kernel;
}

StreamSpec read_stream(const Node& node, const KeyPath& path, const ApplicationContext& context, Report& report) {
  StreamSpec stream;
  MappingReader reader(node, path, report);
  reader.required("name", stream.name, Text{}, "unique in the application, and not `default`");
  const bool has_priority = reader.optional("priority", stream.priority, kPriority,
                                            "of its launches, among those of the process; left out: 0, the lowest");
  if (has_priority && context.gpu != nullptr) check_card_priority(reader, stream.priority.value_or(0), *context.gpu);
  reader.optional("non_blocking", stream.is_non_blocking, Boolean{},
                  "it and the NULL stream do not wait for each other");
  reader.reject_unknown_keys();
  if (stream.name == kDefaultStreamName) {
    reader.reject("name", "is that of the stream that every application has", stream.name, "another name");
  }
  return stream;
}

// False where something about them is wrong.
bool read_streams(MappingReader& reader, const ApplicationContext& context, ApplicationSpec& application,
                  Report& report) {
  const std::size_t before = report.size();
  reader.optional("default_stream", application.default_stream, Choice<DefaultStream>{},
                  "what stream 0 is: the NULL stream, or a stream like others ([streams.md](../concepts/streams.md))");
  const std::vector<Node>& streams =
      reader.mappings("streams", Presence::kOptional,
                      "streams 1, 2, ... of the application, which its steps then call by name; `default` is stream 0");
  if (streams.size() >= kMaxStreams) {
    reader.reject("streams", "too many streams", fmt::format("{}", streams.size()),
                  fmt::format("0 .. {}", kMaxStreams - 1));
  }
  for (std::size_t i = 0; i < streams.size(); ++i) {
    application.streams.push_back(read_stream(streams[i], reader.path("streams") / i, context, report));
  }
  reject_duplicate_names(streams, reader.path("streams"), report);
  return report.size() == before;
}

}  // namespace

ApplicationSpec read_application(const Node& node, const KeyPath& path, const ApplicationContext& context,
                                 Report& report) {
  ApplicationSpec application;
  MappingReader reader(node, path_within(node, path), report);
  read_schema_version(reader, node, kVersionOfPart);
  reader.required("name", application.name, Text{},
                  "as results name it; unique among the different applications of an experiment");
  const std::vector<Node>& kernels = reader.mappings("kernels", Presence::kOptional, "at most 4096");
  if (kernels.size() > kMaxKernels) {
    reader.reject("kernels", "too many kernels", fmt::format("{}", kernels.size()),
                  fmt::format("0 .. {}", kMaxKernels));
  }
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    application.kernels.push_back(read_kernel(kernels[i], reader.path("kernels") / i, context, report));
  }
  reject_duplicate_names(kernels, reader.path("kernels"), report);
  read_in_flight_share(reader, application);
  const bool has_streams = read_streams(reader, context, application, report);
  const std::vector<Node>& steps =
      reader.list("program", Presence::kRequired, step_form,
                  "one step after the other; each entry has exactly one of the keys below");
  read_program(steps, reader.path("program"), has_streams, application, report);
  reader.reject_unknown_keys();
  return application;
}

}  // namespace tessera::spec
