// SPDX-License-Identifier: Apache-2.0
// A workload for each context.
#include "importer/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <tuple>

namespace tessera::importer {
namespace {

constexpr std::uint32_t kMaxStreams = 64;

bool is_left_out(const Profile& profile, const GpuActivity& activity, Collectives collectives) {
  return collectives == Collectives::kDrop && activity.work == Work::kKernel &&
         is_collective(profile.names[activity.name]);
}

void number_streams(const Profile& profile, Workload& workload) {
  std::map<std::uint64_t, std::uint32_t> numbers;
  for (Operation& operation : workload.operations) {
    const std::uint64_t stream = profile.activities[operation.activity].stream;
    operation.stream = numbers.emplace(stream, static_cast<std::uint32_t>(numbers.size())).first->second;
  }
  if (numbers.size() <= kMaxStreams) return;
  for (Operation& operation : workload.operations) operation.stream %= kMaxStreams;
  workload.notes.push_back(fmt::format("{} streams share {}", numbers.size(), kMaxStreams));
}

void set_span(const Profile& profile, Workload& workload) {
  workload.begin = profile.activities[workload.operations.front().activity].start;
  workload.end = workload.begin;
  for (const Operation& operation : workload.operations) {
    const GpuActivity& activity = profile.activities[operation.activity];
    workload.begin = std::min(workload.begin, activity.start);
    workload.end = std::max(workload.end, activity.end());
  }
}

}  // namespace

bool is_collective(const std::string& kernel_name) {
  std::string name = kernel_name;
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name.find("ncclkernel") != std::string::npos || name.find("nccldevkernel") != std::string::npos ||
         name.find("ncclsym") != std::string::npos || name.rfind("nccl", 0) == 0;
}

std::vector<Workload> workloads_of(const Profile& profile, Collectives collectives) {
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, Workload> by_context;
  std::size_t num_left_out = 0;
  for (std::uint32_t i = 0; i < profile.activities.size(); ++i) {
    const GpuActivity& activity = profile.activities[i];
    if (is_left_out(profile, activity, collectives)) {
      ++num_left_out;
      continue;
    }
    Workload& workload = by_context[{activity.process, activity.device, activity.context}];
    workload.process = activity.process;
    workload.device = activity.device;
    workload.context = activity.context;
    Operation operation;
    operation.activity = i;
    workload.operations.push_back(operation);
  }
  std::vector<Workload> workloads;
  for (auto& [key, workload] : by_context) {
    const bool has_kernel =
        std::any_of(workload.operations.begin(), workload.operations.end(),
                    [&](const Operation& each) { return profile.activities[each.activity].work == Work::kKernel; });
    if (!has_kernel) continue;
    if (num_left_out > 0) workload.notes.push_back(fmt::format("{} collective kernels are left out", num_left_out));
    join_calls(profile, workload);
    number_streams(profile, workload);
    set_span(profile, workload);
    if (profile.has_times) find_waits(profile, workload);
    workloads.push_back(std::move(workload));
  }
  std::stable_sort(workloads.begin(), workloads.end(),
                   [](const Workload& a, const Workload& b) { return a.begin < b.begin; });
  return workloads;
}

}  // namespace tessera::importer
