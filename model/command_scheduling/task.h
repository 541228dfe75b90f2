// SPDX-License-Identifier: Apache-2.0
// What TimeGraph knows of a task: how it is dispatched, how urgent it is, which reserve pays ([K11] 3, 4).
#pragma once

#include <cstdint>
#include <optional>

namespace tessera::command_scheduling {

enum class TaskId : std::uint16_t {};
enum class ReserveId : std::uint16_t {};
using GroupId = std::uint64_t;  // in order of arrival, from 0

enum class Dispatch : std::uint8_t { kPrt, kHt };
// Which engines a group occupies: bits.
inline constexpr std::uint8_t kComputeEngine = 1;
inline constexpr std::uint8_t kCopyEngine = 2;

struct TaskParameters {
  Dispatch dispatch = Dispatch::kPrt;
  std::uint32_t priority = 0;          // larger is more urgent
  bool is_foreground_aware = false;    // AGPA: within the priority level the foreground task goes first
  std::optional<ReserveId> reserve{};  // none: nothing is enforced
};

}  // namespace tessera::command_scheduling
