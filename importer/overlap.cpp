// SPDX-License-Identifier: Apache-2.0
// Kernels in the order of their start, each against the one that ends last of those before it.
#include "importer/overlap.h"

#include <algorithm>

#include "importer/kernel_groups.h"

namespace tessera::importer {

std::vector<bool> kernels_beside_others(const Profile& profile, const Workload& workload,
                                        const std::vector<std::uint32_t>& of_operation) {
  const auto activity = [&](std::uint32_t i) -> const GpuActivity& {
    return profile.activities[workload.operations[i].activity];
  };
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < workload.operations.size(); ++i) {
    if (of_operation[i] != kNoGroup) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return activity(a).start < activity(b).start; });
  std::vector<bool> is_beside(workload.operations.size(), false);
  std::uint32_t longest = kNoGroup;
  for (const std::uint32_t i : order) {
    if (longest != kNoGroup && activity(longest).end() > activity(i).start) {
      const bool is_other_stream = workload.operations[longest].stream != workload.operations[i].stream;
      if (is_other_stream) is_beside[i] = is_beside[longest] = true;
    }
    if (longest == kNoGroup || activity(i).end() > activity(longest).end()) longest = i;
  }
  return is_beside;
}

}  // namespace tessera::importer
