// SPDX-License-Identifier: Apache-2.0
// Kernels of an import are looked for among those counted, by name and shape.
#include "importer/counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "importer/kernel_names.h"

namespace tessera::importer {
namespace {

// Null: nobody counted it.
const CountedKernel* find(const Counters& counters, const Profile& profile, const GpuActivity& launch) {
  const std::string name = short_kernel_name(profile.names[launch.name]);
  const auto is_it = [&](const CountedKernel& counted) {
    return counted.name == name && counted.num_tbs == product(launch.grid) &&
           counted.threads_per_tb == product(launch.block);
  };
  const auto found = std::find_if(counters.begin(), counters.end(), is_it);
  return found == counters.end() ? nullptr : &*found;
}

}  // namespace

void add_dram_bytes(const Profile& profile, const Workload& workload, const Counters* counters, KernelGroups& groups) {
  if (counters == nullptr) {
    groups.notes.emplace_back(
        "kernels move no bytes to or from device memory: the profile tells none (--counters, or in_flight_share)");
    return;
  }
  // 1. A launch of each kernel, whose shape the others have.
  std::vector<const GpuActivity*> launch_of(groups.groups.size(), nullptr);
  for (std::size_t i = 0; i < groups.of_operation.size(); ++i) {
    const GpuActivity& activity = profile.activities[workload.operations[i].activity];
    if (groups.of_operation[i] != kNoGroup && activity.work == Work::kKernel) {
      launch_of[groups.of_operation[i]] = &activity;
    }
  }
  // 2. Its bytes.
  std::size_t num_kernels = 0, num_without = 0;
  for (std::size_t i = 0; i < launch_of.size(); ++i) {
    if (launch_of[i] == nullptr) continue;
    ++num_kernels;
    const CountedKernel* const counted = find(*counters, profile, *launch_of[i]);
    if (counted == nullptr) {
      ++num_without;
      continue;
    }
    spec::KernelSpec& kernel = groups.groups[i].kernel;
    const double bytes = counted->bytes / static_cast<double>(counted->num_launches) / kernel.num_tbs;
    kernel.dram_bytes_per_tb = static_cast<std::uint64_t>(std::llround(bytes));
  }
  if (num_without > 0) {
    groups.notes.push_back(
        fmt::format("{} of {} kernels move no bytes to or from device memory: no counted kernel has their name and "
                    "shape",
                    num_without, num_kernels));
  }
}

}  // namespace tessera::importer
