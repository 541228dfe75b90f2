// SPDX-License-Identifier: Apache-2.0
// Host file -> HostSpec: what the API calls cost on the CPU, and how many cores there are.
// Internal to model/spec.
#include <fmt/core.h>

#include "model/spec/host_spec.h"
#include "model/spec/readers.h"

namespace tessera::spec {
namespace {

constexpr Number kCacheRate{1, std::uint64_t{1} << 50, kRateDigits};
constexpr int kDiskRateDigits = 6;  // MB/s -> bytes/s
constexpr Number kDiskRate{1, std::uint64_t{1} << 40, kDiskRateDigits};

HostIoSpec read_io(MappingReader reader) {
  HostIoSpec io;
  reader.required("cache_gbps", io.cache_bytes_per_s, kCacheRate,
                  "of the operating system's cache of files, for each process");
  reader.optional("disk_mbps", io.disk_bytes_per_s, kDiskRate, "MB/s of the disk that all share; 0: there is none");
  reader.optional("disk_switch_us", io.disk_switch, kTime, "from one process's file to another's");
  reader.optional("request_us", io.request, kTime, "CPU time of each request");
  reader.reject_unknown_keys();
  if (reader.has("disk_switch_us") && !reader.has("disk_mbps")) {
    reader.reject("disk_switch_us", "only valid with disk_mbps");
  }
  return io;
}

// Each is a lane of the timeline, and 256 processes use no more.
constexpr Number kNumCores{1, 256};
constexpr Number kThreadsPerCore{1, 8};

void read_cpu(MappingReader& reader, HostSpec& host) {
  std::optional<std::uint32_t> num_cores;
  CpuSpec cpu;
  cpu.wake = host.interrupt;
  reader.optional("cores", num_cores, kNumCores,
                  "CPU cores, for which the processes compete by `cpu_priority` "
                  "([host_cores.md](../concepts/host_cores.md)); left out: each has one whenever it needs it");
  reader.optional("threads_per_core", cpu.threads_per_core, kThreadsPerCore,
                  "of `cores`: hardware threads, each of which counts as a core and is as fast as one");
  reader.optional("wake_us", cpu.wake, kTime,
                  {"of `cores`: from the interrupt until a process that sleeps is runnable, `interrupt_us` included",
                   "`interrupt_us`"});
  if (!reader.has("cores")) {
    for (const char* key : {"threads_per_core", "wake_us"}) {
      if (reader.has(key)) reader.reject(key, "only valid with cores", "", "cores beside it");
    }
  } else if (cpu.wake < host.interrupt) {
    reader.reject("wake_us", "is shorter than interrupt_us, which is part of it", kTime.text(cpu.wake),
                  fmt::format("at least {}", kTime.text(host.interrupt)));
  }
  if (!num_cores) return;
  cpu.num_cores = *num_cores;
  host.cpu = cpu;
}

}  // namespace

HostSpec read_host(const Node& node, const KeyPath& path, Report& report) {
  HostSpec host;
  MappingReader reader(node, path_within(node, path), report);
  read_schema_version(reader, node, kVersionOfPart);
  reader.required("name", host.name, Text{}, "as results name it");
  reader.optional("launch_us", host.launch, kTime, "CPU time of a launch call");
  reader.optional("copy_us", host.copy, kTime, "CPU time of a copy call");
  reader.optional("synchronise_us", host.synchronise, kTime, "CPU time of a synchronise call that finds the work done");
  reader.optional("interrupt_us", host.interrupt, kTime,
                  "from the interrupt to the woken process; with `cores`: to the driver that knows");
  read_cpu(reader, host);
  const HostIoSpec io = read_io(reader.mapping(
      "io", Presence::kOptional, "what serves the files of event-driven kernels; left out: nothing does"));
  if (reader.has("io")) host.io = io;
  reader.reject_unknown_keys();
  return host;
}

}  // namespace tessera::spec
