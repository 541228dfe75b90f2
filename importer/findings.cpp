// SPDX-License-Identifier: Apache-2.0
// Occupancy as profilers count it, and the longest gaps.
#include "importer/findings.h"

#include <algorithm>
#include <cmath>

#include "importer/kernel_names.h"
#include "model/workload/kernel_model.h"

namespace tessera::importer {
namespace {

constexpr std::size_t kMaxGapsTold = 10;
constexpr double kSameOccupancy = 1.0;  // percent points: profiles round

// Warps of the SM that a kernel's grid can occupy.
double occupancy_percent(const spec::GpuSpec& gpu, const spec::KernelSpec& kernel) {
  const double tbs_of_grid = static_cast<double>(kernel.num_tbs) / gpu.num_sms;
  const double tbs = std::min<double>(workload::occupancy(gpu, kernel).tbs_per_sm, tbs_of_grid);
  return 100 * tbs * kernel.threads_per_tb / gpu.max_threads_per_sm;
}

// The PyTorch profiler asks CUDA about a kernel that has not opted in to more shared memory than this, and prints 0 %.
bool is_not_measured(const KernelGroup& group) {
  constexpr std::uint32_t kMostWithoutOptIn = 48 * 1024;
  const std::uint32_t asked = group.kernel.smem_bytes_per_tb - group.kernel.smem_reserve_bytes;
  return *group.recorded_occupancy_percent == 0 && asked > kMostWithoutOptIn;
}

}  // namespace

void compare_occupancy(const spec::GpuSpec& gpu, const KernelGroups& groups, ImportedApplication& application) {
  for (const KernelGroup& group : groups.groups) {
    if (!group.recorded_occupancy_percent) continue;
    if (is_not_measured(group)) {
      ++application.num_occupancy_not_measured;
      continue;
    }
    ++application.num_with_occupancy;
    // Profilers cap what the grid can fill, and print whole percents.
    const double ours = std::min(100.0, occupancy_percent(gpu, group.kernel));
    const double recorded = *group.recorded_occupancy_percent;
    if (std::abs(ours - recorded) > kSameOccupancy)
      application.occupancy.push_back({group.kernel.name, recorded, ours});
  }
}

void list_gaps(const Profile& profile, const Workload& workload, ImportedApplication& application) {
  for (const UnexplainedGap& gap : workload.gaps) {
    const GpuActivity& late = profile.activities[gap.activity];
    const std::string before =
        late.work == Work::kKernel ? short_kernel_name(profile.names[late.name]) : "a copy or memset";
    const double length_us = static_cast<double>(gap.length) / 1e3;
    application.gaps.push_back({before, static_cast<double>(late.start - workload.begin) / 1e3, length_us});
    application.unexplained_us += length_us;
  }
  std::stable_sort(application.gaps.begin(), application.gaps.end(),
                   [](const UnexplainedWait& a, const UnexplainedWait& b) { return a.length_us > b.length_us; });
  if (application.gaps.size() > kMaxGapsTold) application.gaps.resize(kMaxGapsTold);
}

}  // namespace tessera::importer
