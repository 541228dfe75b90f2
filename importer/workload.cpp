// SPDX-License-Identifier: Apache-2.0
// A workload for each context.
#include "importer/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <utility>

namespace tessera::importer {
namespace {

bool is_left_out(const Profile& profile, const GpuActivity& activity, Collectives collectives) {
  return collectives == Collectives::kDrop && activity.work == Work::kKernel &&
         is_collective(profile.names[activity.name]);
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

// GPU work, sorted by where it ran. Work of no known context, and copies of contexts without kernels, belong to the
// context of their device that has most.
class Contexts {
 public:
  Contexts(const Profile& profile, Collectives collectives) : profile_(profile) {
    for (std::uint32_t i = 0; i < profile.activities.size(); ++i) {
      const GpuActivity& activity = profile.activities[i];
      if (is_left_out(profile, activity, collectives)) {
        ++num_collectives_;
        continue;
      }
      Part& part = devices_[{activity.process, activity.device}][activity.context];
      part.num_kernels += activity.work == Work::kKernel ? 1 : 0;
      part.activities.push_back(i);
    }
  }

  std::vector<Workload> take() {
    std::vector<Workload> workloads;
    std::size_t num_dropped = 0;
    for (auto& [place, parts] : devices_) {
      const auto main = std::max_element(parts.begin(), parts.end(), has_fewer_kernels);
      if (main->second.num_kernels == 0) {
        for (const auto& [context, part] : parts) num_dropped += part.activities.size();
        continue;
      }
      std::size_t num_joined = 0;
      for (auto& [context, part] : parts) {
        if (&part == &main->second || (context && part.num_kernels > 0)) continue;
        num_joined += part.activities.size();
        main->second.activities.insert(main->second.activities.end(), part.activities.begin(), part.activities.end());
        part.activities.clear();
      }
      for (const auto& [context, part] : parts) {
        if (part.activities.empty()) continue;
        workloads.push_back(workload(place, part));
        const bool is_main = &part == &main->second;
        if (is_main && num_joined > 0) {
          workloads.back().notes.push_back(
              fmt::format("{} operations of no context, or of one without kernels: taken as of that with most kernels",
                          num_joined));
        }
      }
    }
    if (!workloads.empty()) tell(num_dropped, workloads.front());
    return workloads;
  }

 private:
  using Place = std::pair<std::uint64_t, std::uint64_t>;  // process, device
  struct Part {
    std::size_t num_kernels = 0;
    std::vector<std::uint32_t> activities;
  };
  using Parts = std::map<std::optional<std::uint64_t>, Part>;  // by context

  // A context that is known goes before one that is not.
  static bool has_fewer_kernels(const Parts::value_type& a, const Parts::value_type& b) {
    const auto rank = [](const Parts::value_type& of) {
      return std::pair(of.first && of.second.num_kernels > 0, of.second.num_kernels);
    };
    return rank(a) < rank(b);
  }

  static Workload workload(const Place& place, const Part& part) {
    Workload workload;
    workload.process = place.first;
    workload.device = place.second;
    for (const std::uint32_t activity : part.activities) {
      Operation operation;
      operation.activity = activity;
      workload.operations.push_back(operation);
    }
    return workload;
  }

  void tell(std::size_t num_dropped, Workload& first) const {
    if (num_collectives_ > 0) {
      first.notes.push_back(fmt::format("{} collective kernels are left out", num_collectives_));
    }
    if (num_dropped > 0) {
      first.notes.push_back(
          fmt::format("{} copies and memsets of devices that ran no kernel are left out", num_dropped));
    }
  }

  const Profile& profile_;
  std::map<Place, Parts> devices_;
  std::size_t num_collectives_ = 0;
};

}  // namespace

bool is_collective(const std::string& kernel_name) {
  std::string name = kernel_name;
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name.find("ncclkernel") != std::string::npos || name.find("nccldevkernel") != std::string::npos ||
         name.find("ncclsym") != std::string::npos || name.rfind("nccl", 0) == 0;
}

std::vector<Workload> workloads_of(const Profile& profile, Collectives collectives) {
  Contexts contexts(profile, collectives);
  std::vector<Workload> workloads = contexts.take();
  for (Workload& workload : workloads) {
    find_lanes(profile, workload);
    join_calls(profile, workload);
    number_streams(profile, workload);
    set_span(profile, workload);
    order_copies_without_calls(profile, workload);
    if (!profile.has_times) continue;
    find_submissions(profile, workload);
    find_waits(profile, workload);
  }
  std::stable_sort(workloads.begin(), workloads.end(),
                   [](const Workload& a, const Workload& b) { return a.begin < b.begin; });
  return workloads;
}

}  // namespace tessera::importer
