// SPDX-License-Identifier: Apache-2.0
// Host file -> HostSpec: what the API calls cost on the CPU.
// Internal to model/spec.
#include "model/spec/host_spec.h"
#include "model/spec/readers.h"

namespace tessera::spec {
namespace {

constexpr Number kCacheRate{1, std::uint64_t{1} << 50, kRateDigits};
constexpr int kDiskRateDigits = 6;  // MB/s -> bytes/s
constexpr Number kDiskRate{1, std::uint64_t{1} << 40, kDiskRateDigits};

HostIoSpec read_io(MappingReader reader) {
  HostIoSpec io;
  reader.required("cache_gbps", io.cache_bytes_per_s, kCacheRate);
  reader.optional("disk_mbps", io.disk_bytes_per_s, kDiskRate);
  reader.optional("disk_switch_us", io.disk_switch, kTime);
  reader.optional("request_us", io.request, kTime);
  reader.reject_unknown_keys();
  if (reader.has("disk_switch_us") && !reader.has("disk_mbps")) {
    reader.reject("disk_switch_us", "only valid with disk_mbps");
  }
  return io;
}

}  // namespace

HostSpec read_host(const Node& node, const KeyPath& path, Report& report) {
  HostSpec host;
  MappingReader reader(node, path_within(node, path), report);
  read_schema_version(reader, node);
  reader.required("name", host.name, Text{});
  reader.optional("launch_us", host.launch, kTime);
  reader.optional("copy_us", host.copy, kTime);
  reader.optional("synchronise_us", host.synchronise, kTime);
  reader.optional("interrupt_us", host.interrupt, kTime);
  const HostIoSpec io = read_io(reader.mapping("io", Presence::kOptional));
  if (reader.has("io")) host.io = io;
  reader.reject_unknown_keys();
  return host;
}

}  // namespace tessera::spec
