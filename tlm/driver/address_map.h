// SPDX-License-Identifier: Apache-2.0
// Bus addresses of this machine's parts, and the driver's layout of system memory.
#pragma once

#include <cstdint>

#include "model/base/ids.h"
#include "tessera/command_format.h"
#include "tessera/register_map.h"

namespace tessera::tlm_model::address_map {

inline constexpr std::uint64_t kSystemMemory = 0;
inline constexpr std::uint64_t kSystemMemoryBytes = std::uint64_t{1} << 37;
inline constexpr std::uint64_t kGpuRegisters = std::uint64_t{1} << 40;
inline constexpr std::uint64_t kDeviceMemory = std::uint64_t{1} << 44;

// Per hardware queue: a ring of commands, as many kernel descriptors, and a fence.
inline constexpr std::uint64_t kRingEntries = 1024;  // CUDA's limit of pending launches
inline constexpr std::uint64_t kDescriptors = kRingEntries * sizeof(Command);
inline constexpr std::uint64_t kFence = kDescriptors + kRingEntries * sizeof(KernelDescriptor);
inline constexpr std::uint64_t kQueueBytes = 0x40000;
static_assert(kFence + 8 <= kQueueBytes);

// Per process: the program of its event-driven kernel's loops; located after the rings of the maximum number of queues.
inline constexpr std::uint64_t kLoopPrograms = std::uint64_t{1} << 30;
inline constexpr std::uint64_t kLoopProgramBytes = 0x1000;
static_assert(sizeof(LoopProgramHeader) + kMaxLoopSteps * sizeof(LoopStepWords) <= kLoopProgramBytes);
inline constexpr std::uint64_t loop_program(std::uint32_t process) {
  return kLoopPrograms + process * kLoopProgramBytes;
}

// Per hardware queue: the graphs that its commands point to.
inline constexpr std::uint64_t kGraphs = std::uint64_t{1} << 36;
inline constexpr std::uint64_t kGraphBytes = std::uint64_t{1} << 26;
static_assert(sizeof(GraphHeader) + kMaxGraphNodes * sizeof(GraphNode) + kMaxGraphEdges * sizeof(GraphEdgeWords) <=
              kGraphBytes);
static_assert(kGraphs + reg::kNumQueues * kGraphBytes <= kSystemMemoryBytes);
inline constexpr std::uint64_t graph_memory(QueueId queue) { return kGraphs + index(queue) * kGraphBytes; }

inline constexpr std::uint64_t queue_memory(QueueId queue) { return kSystemMemory + index(queue) * kQueueBytes; }

}  // namespace tessera::tlm_model::address_map
