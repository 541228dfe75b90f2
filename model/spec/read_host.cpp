// SPDX-License-Identifier: Apache-2.0
// Host file -> HostSpec: what the API calls cost on the CPU.
// Internal to model/spec.
#include "model/spec/host_spec.h"
#include "model/spec/readers.h"

namespace tessera::spec {

HostSpec read_host(const Node& node, const KeyPath& path, Report& report) {
  HostSpec host;
  MappingReader reader(node, path_within(node, path), report);
  read_schema_version(reader, node);
  reader.required("name", host.name, Text{});
  reader.optional("launch_us", host.launch, kTime);
  reader.optional("copy_us", host.copy, kTime);
  reader.optional("synchronise_us", host.synchronise, kTime);
  reader.optional("interrupt_us", host.interrupt, kTime);
  reader.reject_unknown_keys();
  return host;
}

}  // namespace tessera::spec
