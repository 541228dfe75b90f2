// SPDX-License-Identifier: Apache-2.0
// Means and quantiles over a workload's operations.
#include "importer/recorded_pace.h"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

namespace tessera::importer {
namespace {

constexpr std::size_t kFewest = 16;         // samples that tell something
constexpr std::size_t kCloseOneIn = 20;     // of calls: so many may be closer, those of several threads
constexpr Nanoseconds kGrain = 100;         // of a call's time
constexpr Nanoseconds kQueuedFor = 10'000;  // at least, before a hand-over counts
constexpr Nanoseconds kUsualHandOver = 1'000;
constexpr Nanoseconds kLongestHandOver = 5'000;    // what is longer waited for something
constexpr std::uint64_t kLargeCopy = 100'000;      // bytes: its time is its link's
constexpr std::uint64_t kFewestBytes = 1'000'000;  // in all

// Work that had been called before the GPU's first operation began did not wait for its call: here, each waits for
// those of all work ahead of it.
Nanoseconds call_of_what_was_queued(const Profile& profile, const Workload& workload) {
  Nanoseconds most = kUsualCall;
  for (std::size_t i = 1; i < workload.operations.size(); ++i) {
    const Operation& operation = workload.operations[i];
    if (operation.call_start >= workload.begin) break;
    const Nanoseconds waited = profile.activities[operation.activity].start - workload.begin;
    most = std::min(most, (waited + kNoticeable) / static_cast<Nanoseconds>(i));
  }
  return most / kGrain * kGrain;
}

}  // namespace

Nanoseconds recorded_call(const Profile& profile, const Workload& workload) {
  const Nanoseconds most = profile.has_times ? call_of_what_was_queued(profile, workload) : kUsualCall;
  std::vector<Nanoseconds> apart;
  for (std::size_t i = 1; i < workload.operations.size(); ++i) {
    if (workload.operations[i].is_deferred() || workload.operations[i - 1].is_deferred()) continue;
    if (are_of_one_graph(profile, workload.operations[i - 1], workload.operations[i])) continue;  // one call
    apart.push_back(workload.operations[i].call_start - workload.operations[i - 1].call_start);
  }
  if (apart.size() < kFewest) return most;
  const auto close = apart.begin() + static_cast<std::ptrdiff_t>(apart.size() / kCloseOneIn);
  std::nth_element(apart.begin(), close, apart.end());
  return std::clamp<Nanoseconds>(*close / kGrain * kGrain, 0, most);
}

std::optional<Nanoseconds> recorded_hand_over(const Profile& profile, const Workload& workload) {
  std::vector<const Operation*> latest;  // by stream
  Nanoseconds sum = 0;                   // of those that were queued
  std::size_t count = 0;
  std::vector<Nanoseconds> gaps;  // of all
  for (const Operation& operation : workload.operations) {
    if (operation.stream >= latest.size()) latest.resize(operation.stream + 1, nullptr);
    const Operation* const before = std::exchange(latest[operation.stream], &operation);
    if (before == nullptr || are_of_one_graph(profile, *before, operation)) continue;
    const GpuActivity& first = profile.activities[before->activity];
    const GpuActivity& second = profile.activities[operation.activity];
    if (first.is_copy_with_host() || second.is_copy_with_host()) continue;
    const Nanoseconds gap = second.start - first.end();
    if (std::abs(gap) > kLongestHandOver) continue;
    gaps.push_back(std::max<Nanoseconds>(0, gap));
    if (!operation.has_call || operation.is_deferred() || operation.call_end + kQueuedFor > first.end()) continue;
    sum += gap;
    ++count;
  }
  if (count >= kFewest) return std::max<Nanoseconds>(0, sum / static_cast<Nanoseconds>(count));
  if (gaps.size() < kFewest) return std::nullopt;
  const auto close = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / kCloseOneIn);
  std::nth_element(gaps.begin(), close, gaps.end());
  return std::min(kUsualHandOver, *close);
}

std::optional<Nanoseconds> recorded_graph_gap(const Profile& profile, const Workload& workload) {
  Nanoseconds sum = 0;
  Nanoseconds count = 0;
  Nanoseconds end = 0;  // of the graph's nodes so far
  for (std::size_t i = 0; i < workload.operations.size(); ++i) {
    const Operation& operation = workload.operations[i];
    const GpuActivity& activity = profile.activities[operation.activity];
    const bool is_first = i == 0 || !are_of_one_graph(profile, workload.operations[i - 1], operation);
    // What began while another node ran waited for an earlier one.
    if (!is_first && activity.start >= end) {
      sum += activity.start - end;
      ++count;
    }
    end = is_first ? activity.end() : std::max(end, activity.end());
  }
  return count == 0 ? std::nullopt : std::optional(sum / count);
}

std::optional<double> recorded_copy_rate(const Profile& profile, const Workload& workload) {
  std::uint64_t bytes = 0;
  Nanoseconds time = 0;
  for (const Operation& operation : workload.operations) {
    const GpuActivity& activity = profile.activities[operation.activity];
    if (!activity.is_copy_with_host() || operation.blocks_host || activity.bytes.value_or(0) < kLargeCopy) continue;
    bytes += *activity.bytes;
    time += activity.duration.value_or(0);
  }
  if (bytes < kFewestBytes || time == 0) return std::nullopt;
  return static_cast<double>(bytes) / (static_cast<double>(time) / 1e3);
}

}  // namespace tessera::importer
