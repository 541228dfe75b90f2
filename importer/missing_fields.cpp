// SPDX-License-Identifier: Apache-2.0
// Shapes first: durations are told apart by them.
#include "importer/missing_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace tessera::importer {
namespace {

bool has_shape(const GpuActivity& activity) { return activity.grid[0] > 0 && activity.block[0] > 0; }

template <typename Value>
bool take(std::optional<Value>& own, const std::optional<Value>& others) {
  if (own || !others) return false;
  own = others;
  return true;
}

bool take(std::array<std::uint32_t, 3>& own, const std::array<std::uint32_t, 3>& others) {
  if (own[0] > 0 || others[0] == 0) return false;
  own = others;
  return true;
}

void fill_shapes(Profile& profile) {
  std::unordered_map<std::uint32_t, GpuActivity> known;  // by name: of each part the first that tells it
  for (const GpuActivity& activity : profile.activities) {
    if (activity.work != Work::kKernel) continue;
    GpuActivity& one = known.emplace(activity.name, activity).first->second;
    // Grid and block belong together; registers and shared memory to the code.
    if (!has_shape(one) && has_shape(activity)) std::tie(one.grid, one.block) = std::tie(activity.grid, activity.block);
    take(one.regs_per_thread, activity.regs_per_thread);
    take(one.smem_bytes, activity.smem_bytes);
  }
  std::size_t num_filled = 0;
  for (GpuActivity& activity : profile.activities) {
    if (activity.work != Work::kKernel) continue;
    const GpuActivity& one = known.at(activity.name);
    const bool is_filled[] = {take(activity.grid, one.grid), take(activity.block, one.block),
                              take(activity.regs_per_thread, one.regs_per_thread),
                              take(activity.smem_bytes, one.smem_bytes)};
    num_filled += std::count(std::begin(is_filled), std::end(is_filled), true) > 0 ? 1 : 0;
  }
  if (num_filled == 0) return;
  profile.notes.push_back(
      fmt::format("{} kernels whose shape is told in part: the rest as in other launches of their name", num_filled));
}

// What takes about the same time.
using Kind = std::tuple<Work, std::uint32_t, std::array<std::uint32_t, 3>, std::array<std::uint32_t, 3>>;
Kind kind_of(const GpuActivity& activity) {
  return {activity.work, activity.work == Work::kKernel ? activity.name : 0, activity.grid, activity.block};
}

void fill_durations(Profile& profile) {
  struct Sum {
    double time = 0;
    double count = 0;
  };
  std::map<Kind, Sum> of_kind;
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, std::vector<Nanoseconds>> starts;  // by stream
  std::vector<GpuActivity*> missing;
  const auto stream_of = [](const GpuActivity& activity) {
    return std::tuple(activity.process, activity.device, activity.stream);
  };
  for (GpuActivity& activity : profile.activities) {
    if (!activity.duration) {
      missing.push_back(&activity);
      starts[stream_of(activity)];
      continue;
    }
    Sum& sum = of_kind[kind_of(activity)];
    sum.time += static_cast<double>(*activity.duration);
    ++sum.count;
  }
  if (missing.empty()) return;
  for (const GpuActivity& activity : profile.activities) {
    const auto entry = starts.find(stream_of(activity));
    if (entry != starts.end()) entry->second.push_back(activity.start);
  }
  for (auto& [stream, of_stream] : starts) std::sort(of_stream.begin(), of_stream.end());
  for (GpuActivity* const activity : missing) {
    const auto known = of_kind.find(kind_of(*activity));
    const double mean = known == of_kind.end() ? 0 : known->second.time / known->second.count;
    const std::vector<Nanoseconds>& of_stream = starts.at(stream_of(*activity));
    const auto next = std::upper_bound(of_stream.begin(), of_stream.end(), activity->start);
    activity->duration = static_cast<Nanoseconds>(mean);
    if (next != of_stream.end()) activity->duration = std::min(*activity->duration, *next - activity->start);
  }
  profile.notes.push_back(
      fmt::format("{} operations without a duration: taken as the mean of their kind, until the next of their stream",
                  missing.size()));
}

}  // namespace

void fill_missing_fields(Profile& profile) {
  fill_shapes(profile);
  if (profile.has_times) fill_durations(profile);
}

}  // namespace tessera::importer
