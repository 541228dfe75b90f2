// SPDX-License-Identifier: Apache-2.0
// Pairs kernels with groups by time: a process's kernels come between a group's doorbell and its completion.
#include "verification/agreement/driver_latencies.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tessera::verification {
namespace {

// As for gaps of kernels: so often it is no chance; and what may be between them.
constexpr std::size_t kMinTimes = 4;
constexpr Cycle kSoonestTolerance = 8;

bool is_in_order(const std::vector<LaunchTimes>& launches) {
  return std::is_sorted(launches.begin(), launches.end(),
                        [](const LaunchTimes& a, const LaunchTimes& b) { return a.arrived < b.arrived; });
}

struct Soonest {
  std::map<Cycle, std::size_t> tlm, clocked;  // how often
  void note(Cycle in_tlm, Cycle in_clocked) {
    ++tlm[in_tlm];
    ++clocked[in_clocked];
  }
  std::string difference(const char* what) const {
    if (tlm.empty()) return "";
    const auto [in_tlm, times_in_tlm] = *tlm.begin();
    const auto [in_clocked, times_in_clocked] = *clocked.begin();
    const Cycle apart = std::max(in_tlm, in_clocked) - std::min(in_tlm, in_clocked);
    if (std::min(times_in_tlm, times_in_clocked) < kMinTimes || apart <= kSoonestTolerance) return "";
    return fmt::format("{} {} cycles later in tlm, {} in clocked", what, in_tlm, in_clocked);
  }
};

// Of one process's groups and kernels, in order.
class GroupLatencies {
 public:
  void note_process(const std::vector<GroupTimes>& tlm, const std::vector<GroupTimes>& clocked,
                    const std::vector<LaunchTimes>& launches, const std::vector<LaunchTimes>& others) {
    std::size_t next = 0;
    for (std::size_t nth = 0; nth < std::min(tlm.size(), clocked.size()); ++nth) {
      if (!tlm[nth].done || !clocked[nth].done) return;
      while (next < launches.size() && launches[next].arrived < tlm[nth].doorbell) ++next;
      const std::size_t begin = next;
      while (next < launches.size() && launches[next].arrived < *tlm[nth].done) ++next;
      if (begin == next || next > others.size()) continue;
      note_first(tlm[nth], clocked[nth], launches[begin], others[begin]);
      note_last(tlm[nth], clocked[nth], launches[next - 1], others[next - 1]);
    }
  }
  Soonest first, last;

 private:
  void note_first(const GroupTimes& tlm, const GroupTimes& clocked, const LaunchTimes& launch,
                  const LaunchTimes& other) {
    if (other.arrived >= clocked.doorbell) first.note(launch.arrived - tlm.doorbell, other.arrived - clocked.doorbell);
  }
  void note_last(const GroupTimes& tlm, const GroupTimes& clocked, const LaunchTimes& launch,
                 const LaunchTimes& other) {
    if (!launch.finished || !other.finished) return;
    if (*launch.finished > *tlm.done || *other.finished > *clocked.done) return;
    last.note(*tlm.done - *launch.finished, *clocked.done - *other.finished);
  }
};

}  // namespace

std::vector<std::string> compare_driver_latencies(const DriverSide& tlm_side, const DriverSide& clocked_side,
                                                  bool has_ticks) {
  const auto num_processes = [](const DriverSide& side) {
    return std::min(side.story.groups.size(), side.summary.launches.size());
  };
  GroupLatencies latencies;
  for (std::size_t i = 0; i < std::min(num_processes(tlm_side), num_processes(clocked_side)); ++i) {
    const std::vector<LaunchTimes>& launches = tlm_side.summary.launches[i];
    const std::vector<LaunchTimes>& others = clocked_side.summary.launches[i];
    if (!is_in_order(launches) || !is_in_order(others)) continue;  // of several streams
    latencies.note_process(tlm_side.story.groups[i], clocked_side.story.groups[i], launches, others);
  }
  std::vector<std::string> lines = {latencies.first.difference("a kernel arrives after its doorbell")};
  if (!has_ticks) lines.push_back(latencies.last.difference("a group is told of after its kernel"));
  lines.erase(std::remove(lines.begin(), lines.end(), ""), lines.end());
  return lines;
}

}  // namespace tessera::verification
