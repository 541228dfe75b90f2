// SPDX-License-Identifier: Apache-2.0
// Priorities of launches in the scheduling framework: ordered by process, and within a process by stream
// (docs/concepts/streams.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/spec/spec_fwd.h"

namespace tessera::spec {

inline constexpr std::size_t kPriorityLevels = 16;  // a kernel's priority is a 4-bit register

class LaunchPriorities {
 public:
  // If no stream has a priority, a launch has its process's. Otherwise all existing pairs (process's, stream's
  // priority) are numbered without gaps from 0, the least urgent; the framework supports at most kPriorityLevels.
  explicit LaunchPriorities(const Spec& spec);

  // For launches in a stream without a priority.
  std::uint32_t of_process(std::uint32_t process) const { return of(process, 0); }
  std::uint32_t of(std::uint32_t process, std::uint32_t stream) const;
  std::size_t num_levels() const { return levels_.size(); }  // 0: no stream has a priority

 private:
  using Level = std::pair<std::uint32_t, std::uint32_t>;  // the process's, the stream's
  Level level_of(std::uint32_t process, std::uint32_t stream) const;

  const Spec& spec_;
  std::vector<Level> levels_;
};

}  // namespace tessera::spec
