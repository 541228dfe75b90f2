// SPDX-License-Identifier: Apache-2.0
// A task of TimeGraph: how it is dispatched, its priority, and the reserve that is charged ([K11] 3, 4).
#pragma once

#include <cstdint>
#include <optional>

namespace tessera::command_scheduling {

enum class TaskId : std::uint16_t {};
enum class ReserveId : std::uint16_t {};
using GroupId = std::uint64_t;  // in order of arrival, from 0

enum class Dispatch : std::uint8_t { kPrt, kHt };
// Engines that a group occupies: a bit set.
inline constexpr std::uint8_t kComputeEngine = 1;
inline constexpr std::uint8_t kCopyEngine = 2;

struct TaskParameters {
  Dispatch dispatch = Dispatch::kPrt;
  std::uint32_t priority = 0;          // larger is more urgent
  bool is_foreground_aware = false;    // AGPA: the foreground task goes first within its priority level
  std::optional<ReserveId> reserve{};  // empty: no budget is enforced
};

}  // namespace tessera::command_scheduling
