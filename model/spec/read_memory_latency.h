// SPDX-License-Identifier: Apache-2.0
// Reads how much later memory answers under load, and checks who may use it.
// Internal to model/spec.
#pragma once

#include <cstdint>
#include <optional>

#include "model/spec/readers.h"

namespace tessera::spec {

inline constexpr int kLatencyDigits = 3;  // ns -> ps

std::optional<MemoryLatencySpec> read_memory_latency(MappingReader& gpu, std::uint32_t num_sms, Report& report);

struct LoadedLatencyReaders {
  MappingReader experiment;
  MappingReader memory_channel;
  MappingReader scheduler;
  MappingReader baseline;
};
// Parts that were read without a mistake: nothing is said of the others.
struct GoodForLoadedLatency {
  bool is_gpu = false;
  bool are_schedulers = false;
  bool is_workload = false;
};
// What `sharing: loaded_latency` does not go with; and bytes of kernels without it.
void check_loaded_latency(LoadedLatencyReaders readers, GoodForLoadedLatency good, Cores cores, const Spec& spec);

}  // namespace tessera::spec
