// SPDX-License-Identifier: Apache-2.0
// A level a pair that somebody has.
#include "model/spec/launch_priorities.h"

#include <algorithm>

#include "model/spec/spec.h"

namespace tessera::spec {

LaunchPriorities::LaunchPriorities(const Spec& spec) : spec_(spec) {
  bool has_streams = false;
  for (std::uint32_t process = 0; process < spec.processes.size(); ++process) {
    const ApplicationSpec& application = spec.applications[spec.processes[process].application];
    for (std::uint32_t stream = 0; stream <= application.streams.size(); ++stream) {
      levels_.push_back(level_of(process, stream));
      has_streams |= application.priority_of(stream).has_value();
    }
  }
  if (!has_streams) levels_.clear();
  std::sort(levels_.begin(), levels_.end());
  levels_.erase(std::unique(levels_.begin(), levels_.end()), levels_.end());
}

std::uint32_t LaunchPriorities::of(std::uint32_t process, std::uint32_t stream) const {
  if (levels_.empty()) return spec_.processes[process].priority;
  const auto level = std::lower_bound(levels_.begin(), levels_.end(), level_of(process, stream));
  return static_cast<std::uint32_t>(level - levels_.begin());
}

LaunchPriorities::Level LaunchPriorities::level_of(std::uint32_t process, std::uint32_t stream) const {
  const ProcessSpec& of = spec_.processes[process];
  return {of.priority, spec_.applications[of.application].priority_of(stream).value_or(0)};
}

}  // namespace tessera::spec
