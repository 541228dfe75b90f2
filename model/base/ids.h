// SPDX-License-Identifier: Apache-2.0
// Strong index types: an SM cannot index a kernel's table. Shared by every model.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera {

enum class SmId : std::uint16_t {};             // streaming multiprocessor, 0 .. N_SM-1
enum class KsrId : std::uint16_t {};            // entry of the kernel status register table
enum class ContextId : std::uint16_t {};        // GPU context; one per process
enum class QueueId : std::uint16_t {};          // hardware command queue
enum class CommandBufferId : std::uint16_t {};  // command buffer of the scheduling framework
enum class PartitionId : std::uint8_t {};       // static partition of SMs
enum class LaunchId : std::uint32_t {};         // one kernel launch, unique in a run, in arrival order

inline constexpr KsrId kNoKsr{0xFFFF};
inline constexpr SmId kNoSm{0xFFFF};
inline constexpr CommandBufferId kNoCommandBuffer{0xFFFF};

// Partitions are numbered from 0; there are at most as many as SMs.
inline constexpr std::size_t kMaxPartitions = 256;
constexpr std::uint32_t partition_id_bits(std::uint32_t num_sms) {
  std::uint32_t bits = 0;
  while (1U << bits < num_sms) ++bits;
  return bits;
}

// The position of an id in the table it names.
template <typename Id>
constexpr std::size_t index(Id id) {
  return static_cast<std::size_t>(id);
}

}  // namespace tessera
