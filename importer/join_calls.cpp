// SPDX-License-Identifier: Apache-2.0
// Launches are joined with kernels by correlation, never by order. Then the threads' clocks are set against the GPU's:
// nothing runs before it was asked for.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "importer/workload.h"

namespace tessera::importer {
namespace {

// From the call to the kernel's start on a GPU that waits for it: what is assumed where a profile has no call.
constexpr Nanoseconds kUsualLatency = 6'000;

struct CallKey {
  std::uint64_t process;
  std::uint64_t correlation;
  bool operator==(const CallKey& other) const { return process == other.process && correlation == other.correlation; }
};
struct CallHash {
  std::size_t operator()(const CallKey& key) const { return key.correlation * 0x9E3779B97F4A7C15ULL ^ key.process; }
};

std::unordered_map<CallKey, const HostCall*, CallHash> index_calls(const Profile& profile) {
  std::unordered_map<CallKey, const HostCall*, CallHash> calls;
  for (const HostCall& call : profile.calls) {
    if (call.kind == CallKind::kWork && call.correlation)
      calls.emplace(CallKey{call.process, *call.correlation}, &call);
  }
  return calls;
}

// How far each thread's clock is ahead of the GPU's, as far as work that began before its call shows.
void find_clock_leads(const Profile& profile, Workload& workload) {
  for (const Operation& operation : workload.operations) {
    if (!operation.has_call) continue;
    Nanoseconds& lead = workload.clock_leads[operation.thread];
    lead = std::max(lead, operation.call_start - profile.activities[operation.activity].start);
  }
}

void set_clocks(const Profile& profile, Workload& workload) {
  find_clock_leads(profile, workload);
  for (const auto& [thread, lead] : workload.clock_leads) {
    if (lead <= 0) continue;
    for (Operation& operation : workload.operations) {
      if (!operation.has_call || operation.thread != thread) continue;
      operation.call_start -= lead;
      operation.call_end -= lead;
    }
    workload.notes.push_back(fmt::format(
        "the clock of a host thread is ahead of the GPU's by {:.3f} us: kernels began before their launch; its calls "
        "are taken as that much earlier",
        static_cast<double>(lead) / 1000));
  }
}

// A stream is in order: a call is no earlier than that of the work before it. By start on the GPU, which is given.
void keep_stream_order(const Profile& profile, Workload& workload) {
  std::vector<Operation>& operations = workload.operations;
  const auto started_earlier = [&](const Operation& a, const Operation& b) {
    const GpuActivity& x = profile.activities[a.activity];
    const GpuActivity& y = profile.activities[b.activity];
    return x.start != y.start ? x.start < y.start : a.call_start < b.call_start;
  };
  std::stable_sort(operations.begin(), operations.end(), started_earlier);
  // What has no call was asked for no later than the work behind it.
  std::unordered_map<std::uint64_t, Nanoseconds> next;
  for (auto operation = operations.rbegin(); operation != operations.rend(); ++operation) {
    const std::uint64_t stream = profile.activities[operation->activity].stream;
    const auto [entry, is_last] = next.emplace(stream, operation->call_start);
    if (!operation->has_call && !is_last) {
      operation->call_start = operation->call_end = std::min(operation->call_start, entry->second);
    }
    entry->second = operation->call_start;
  }
  std::unordered_map<std::uint64_t, Nanoseconds> latest;
  std::size_t num_moved = 0;
  for (Operation& operation : operations) {
    const auto [entry, is_first] = latest.emplace(profile.activities[operation.activity].stream, operation.call_start);
    if (!is_first && operation.call_start < entry->second) {
      if (operation.has_call) ++num_moved;
      operation.call_end += entry->second - operation.call_start;
      operation.call_start = entry->second;
    }
    entry->second = operation.call_start;
  }
  std::stable_sort(operations.begin(), operations.end(),
                   [](const Operation& a, const Operation& b) { return a.call_start < b.call_start; });
  if (num_moved == 0) return;
  workload.notes.push_back(fmt::format(
      "{} calls are recorded before that of the work ahead of them in their stream (clocks of threads differ): they "
      "are taken as called just after it",
      num_moved));
}

}  // namespace

void join_calls(const Profile& profile, Workload& workload) {
  const auto calls = index_calls(profile);
  std::size_t num_without = 0;
  for (Operation& operation : workload.operations) {
    const GpuActivity& activity = profile.activities[operation.activity];
    const auto call = activity.correlation ? calls.find({activity.process, *activity.correlation}) : calls.end();
    operation.has_call = call != calls.end();
    if (operation.has_call) {
      operation.call_start = call->second->start;
      operation.call_end = call->second->end();
      operation.thread = call->second->thread;
    } else {
      ++num_without;
      operation.call_start = operation.call_end = activity.start - kUsualLatency;
    }
  }
  if (num_without > 0 && profile.has_times) {
    workload.notes.push_back(
        fmt::format("{} of {} operations have no call of the same correlation: taken as called {} us before they began",
                    num_without, workload.operations.size(), kUsualLatency / 1000));
  }
  set_clocks(profile, workload);
  keep_stream_order(profile, workload);
}

}  // namespace tessera::importer
