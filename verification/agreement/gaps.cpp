// SPDX-License-Identifier: Apache-2.0
#include "verification/agreement/gaps.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace tessera::verification {
namespace {

// So often, at least, it is no chance.
constexpr std::size_t kMinGaps = 4;
constexpr Cycle kGapTolerance = 8;  // a command buffer becomes free a few cycles later, or another's comes first

bool is_about(Cycle a, Cycle b) { return std::max(a, b) - std::min(a, b) <= kGapTolerance; }

// What waits for a copy, for a buffer, for its turn or for a driver comes when that is done, whenever the kernel ended.
bool waits_for_kernel(const LaunchTimes& tlm, const LaunchTimes& clocked, bool channels_take_turns) {
  if (!tlm.gap || !clocked.gap || tlm.waited_for_buffer || clocked.waited_for_buffer) return false;
  if (tlm.was_held || clocked.was_held) return false;  // driver_inputs.h has these
  if (channels_take_turns && (tlm.follows_another || clocked.follows_another)) return false;
  return !is_about(tlm.gap->since_arrival, clocked.gap->since_arrival);
}

}  // namespace

std::string compare_gaps(const LogSummary& tlm, const LogSummary& clocked, const std::set<std::uint16_t>& unpaired,
                         bool channels_take_turns) {
  std::map<Cycle, std::size_t> gaps_in_tlm, gaps_in_clocked;  // how often
  for (std::size_t process = 0; process < tlm.launches.size(); ++process) {
    if (unpaired.count(static_cast<std::uint16_t>(process)) != 0) continue;
    const std::vector<LaunchTimes>& in_tlm = tlm.launches[process];
    const std::vector<LaunchTimes>& in_clocked = clocked.launches[process];
    for (std::size_t nth = 0; nth < std::min(in_tlm.size(), in_clocked.size()); ++nth) {
      if (!waits_for_kernel(in_tlm[nth], in_clocked[nth], channels_take_turns)) continue;
      ++gaps_in_tlm[in_tlm[nth].gap->since_end];
      ++gaps_in_clocked[in_clocked[nth].gap->since_end];
    }
  }
  if (gaps_in_tlm.empty()) return "";
  const auto [soonest_in_tlm, times_in_tlm] = *gaps_in_tlm.begin();
  const auto [soonest_in_clocked, times_in_clocked] = *gaps_in_clocked.begin();
  if (std::min(times_in_tlm, times_in_clocked) < kMinGaps || is_about(soonest_in_tlm, soonest_in_clocked)) return "";
  return fmt::format("a kernel arrives {} cycles after the last one's end in tlm, {} in clocked", soonest_in_tlm,
                     soonest_in_clocked);
}

}  // namespace tessera::verification
