// SPDX-License-Identifier: Apache-2.0
// Forward declarations of the Spec and its parts, so that a change in one part recompiles only files that read it.
#pragma once

#include <cstdint>

namespace tessera::spec {

struct ApplicationSpec;
struct DriverSpec;
struct GpuSpec;
struct GpuSwitchSpec;
struct HostSpec;
struct KernelSpec;
struct MemoryLatencySpec;
struct PartitionSpec;
struct ProcessSpec;
struct ReleaseSpec;
struct SchedulerSpec;
struct Spec;
struct SynthesisSpec;
struct TaskSetSpec;

enum class ChannelSharing;
enum class Cores : std::uint8_t;
enum class DmaPolicy;

}  // namespace tessera::spec
