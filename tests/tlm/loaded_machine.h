// SPDX-License-Identifier: Apache-2.0
// A machine whose memory answers later under load, in numbers that one can divide: a cycle is a nanosecond, an SM has
// 1,000 bytes on their way and gets 10 of them a cycle, and so does a thread block that says nothing, up to 250.
#pragma once

#include "tests/tlm/core_bench.h"

namespace tessera::tlm_model::test {

inline constexpr std::uint64_t kGbps = 1'000'000'000;  // a byte a cycle
inline constexpr Cycle kEpochCycles = 1000;
inline constexpr std::uint64_t kSmBytes = 1000;  // on their way at most

// A sharp roof at so many bytes a cycle, unless a test says more.
inline spec::MemoryLatencySpec memory_with_roof(std::uint64_t gbps) {
  spec::MemoryLatencySpec memory;
  memory.unloaded = 100'000;
  memory.bytes_per_thread = 4;
  memory.sm_bytes_per_s = 10 * kGbps;
  memory.curve = {{gbps * kGbps, 1'000'000}};
  return memory;
}

inline spec::Spec with_loaded_memory(spec::Spec spec, const spec::MemoryLatencySpec& memory) {
  spec.channel_sharing = spec::ChannelSharing::kLoadedLatency;
  spec.gpu.memory_latency = memory;
  return spec;
}

}  // namespace tessera::tlm_model::test
