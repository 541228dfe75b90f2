// SPDX-License-Identifier: Apache-2.0
// With what priority the scheduling framework sees each launch: processes come first, and within one its streams
// (docs/concepts/streams.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/spec/spec_fwd.h"

namespace tessera::spec {

inline constexpr std::size_t kPriorityLevels = 16;  // of a kernel: a register of 4 bits

class LaunchPriorities {
 public:
  // Where no stream has a priority, a launch has its process's. Else all pairs of (process's, stream's) that there are
  // get numbers without gaps, from 0, the least urgent; more than kPriorityLevels do not fit the framework.
  explicit LaunchPriorities(const Spec& spec);

  // Of what is launched in a stream that has none.
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
