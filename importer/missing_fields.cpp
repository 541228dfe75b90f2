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
bool is_complete(const GpuActivity& activity) {
  return has_shape(activity) && activity.regs_per_thread && activity.smem_bytes;
}

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

// Launches of a name that tell something of it, by their durations.
class Telling {
 public:
  void add(const GpuActivity& activity) { known_.push_back(&activity); }
  void sort() {
    std::stable_sort(known_.begin(), known_.end(),
                     [](const GpuActivity* a, const GpuActivity* b) { return time(*a) < time(*b); });
  }
  // The one of the nearest duration; of none, the first. Of two as near, the shorter. None: nothing is told.
  const GpuActivity* nearest_to(const GpuActivity& activity) const {
    if (known_.empty()) return nullptr;
    if (!activity.duration) return *std::min_element(known_.begin(), known_.end());
    const auto longer = std::lower_bound(known_.begin(), known_.end(), time(activity),
                                         [](const GpuActivity* a, Nanoseconds wanted) { return time(*a) < wanted; });
    if (longer == known_.begin()) return *longer;
    const GpuActivity* const shorter = *std::prev(longer);
    const bool is_shorter =
        longer == known_.end() || time(activity) - time(*shorter) <= time(**longer) - time(activity);
    return is_shorter ? shorter : *longer;
  }

 private:
  static Nanoseconds time(const GpuActivity& activity) { return activity.duration.value_or(0); }
  std::vector<const GpuActivity*> known_;
};

// Launches of one name may be of several sizes: a launch is like that of the nearest time. Grid and block belong
// together.
void fill_shapes(Profile& profile) {
  struct OfName {
    Telling shape;
    Telling registers;
    Telling shared_memory;
  };
  std::unordered_map<std::uint32_t, OfName> names;  // of which a launch is not told in full
  for (const GpuActivity& activity : profile.activities) {
    if (activity.work == Work::kKernel && !is_complete(activity)) names[activity.name];
  }
  for (const GpuActivity& activity : profile.activities) {
    const auto known = activity.work == Work::kKernel ? names.find(activity.name) : names.end();
    if (known == names.end()) continue;
    OfName& name = known->second;
    if (has_shape(activity)) name.shape.add(activity);
    if (activity.regs_per_thread) name.registers.add(activity);
    if (activity.smem_bytes) name.shared_memory.add(activity);
  }
  for (auto& [index, name] : names) {
    for (Telling* const each : {&name.shape, &name.registers, &name.shared_memory}) each->sort();
  }
  std::size_t num_filled = 0;
  for (GpuActivity& activity : profile.activities) {
    if (activity.work != Work::kKernel || is_complete(activity)) continue;
    const OfName& name = names.at(activity.name);
    bool is_filled = false;
    if (const GpuActivity* const one = name.shape.nearest_to(activity)) {
      is_filled |= take(activity.grid, one->grid);
      is_filled |= take(activity.block, one->block);
    }
    if (const GpuActivity* const one = name.registers.nearest_to(activity))
      is_filled |= take(activity.regs_per_thread, one->regs_per_thread);
    if (const GpuActivity* const one = name.shared_memory.nearest_to(activity))
      is_filled |= take(activity.smem_bytes, one->smem_bytes);
    num_filled += is_filled ? 1 : 0;
  }
  if (num_filled == 0) return;
  profile.notes.push_back(fmt::format(
      "{} kernels whose shape is told in part: the rest as in the launch of their name whose time is nearest",
      num_filled));
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
