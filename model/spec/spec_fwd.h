// SPDX-License-Identifier: Apache-2.0
// The Spec and its parts by name: enough for a header that passes them on. What changes in one part is then compiled
// again where that part is read.
#pragma once

#include <cstdint>

namespace tessera::spec {

struct ApplicationSpec;
struct DriverSpec;
struct GpuSpec;
struct HostSpec;
struct KernelSpec;
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
