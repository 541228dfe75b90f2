// SPDX-License-Identifier: Apache-2.0
// Launches are joined with kernels by correlation, never by order. Then the threads' clocks are set against the GPU's:
// nothing runs before it was asked for.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "importer/workload.h"

namespace tessera::importer {
namespace {

// A few calls that are later than all others of their thread by so much are mistaken, and not their thread's clock.
constexpr Nanoseconds kMistaken = 1'000'000;
constexpr std::size_t kMistakenOneIn = 100;
constexpr Nanoseconds kIdle = 20'000;
constexpr std::size_t kFewestOnIdleGpu = 8;
constexpr Nanoseconds kLongestAhead = 1'000'000'000;  // of a call, before any work of the profile

// Calls by their correlation. One that several calls have (several processes in one file; counters that wrap) is that
// of the last of them before the work began.
class Calls {
 public:
  explicit Calls(const Profile& profile) {
    for (const HostCall& call : profile.calls) {
      if (call.kind == CallKind::kWork && call.correlation) calls_.push_back(&call);
    }
    std::sort(calls_.begin(), calls_.end(),
              [](const HostCall* a, const HostCall* b) { return key(*a, a->start) < key(*b, b->start); });
  }

  const HostCall* of(const GpuActivity& activity) const {
    if (!activity.correlation) return nullptr;
    const Key wanted{activity.process, *activity.correlation, activity.start};
    const auto after = std::upper_bound(calls_.begin(), calls_.end(), wanted,
                                        [](const Key& a, const HostCall* b) { return a < key(*b, b->start); });
    if (after != calls_.begin() && is_of(**std::prev(after), activity)) return *std::prev(after);
    return after != calls_.end() && is_of(**after, activity) ? *after : nullptr;
  }

 private:
  using Key = std::tuple<std::uint64_t, std::uint64_t, Nanoseconds>;
  static Key key(const HostCall& call, Nanoseconds start) { return {call.process, *call.correlation, start}; }
  static bool is_of(const HostCall& call, const GpuActivity& activity) {
    return call.process == activity.process && call.correlation == activity.correlation;
  }

  std::vector<const HostCall*> calls_;
};

void assume_call(const GpuActivity& activity, Operation& operation) {
  operation.has_call = false;
  operation.recorded_call = operation.call_start = operation.call_end = activity.start - kUsualLatency;
}

// Of how much later each call was than its work; mistaken calls left out.
Nanoseconds largest_lead(std::vector<Nanoseconds>& leads) {
  std::sort(leads.begin(), leads.end());
  std::size_t last = leads.size() - 1;
  for (std::size_t i = last; i > 0 && leads.size() - i <= leads.size() / kMistakenOneIn + 1; --i) {
    if (leads[i] > 0 && leads[i] - leads[i - 1] > kMistaken) last = i - 1;
  }
  return leads[last];
}

// Whether nothing of the workload had run for a while when an operation began: it waited for its call alone.
std::vector<bool> began_on_idle_gpu(const Profile& profile, const Workload& workload) {
  const auto activity = [&](std::size_t i) -> const GpuActivity& {
    return profile.activities[workload.operations[i].activity];
  };
  std::vector<std::size_t> by_start(workload.operations.size());
  std::iota(by_start.begin(), by_start.end(), std::size_t{0});
  std::sort(by_start.begin(), by_start.end(),
            [&](std::size_t a, std::size_t b) { return activity(a).start < activity(b).start; });
  std::vector<bool> is_idle(workload.operations.size(), false);
  Nanoseconds end = activity(by_start.front()).end();
  for (const std::size_t i : by_start) {
    is_idle[i] = activity(i).start - end > kIdle;
    end = std::max(end, activity(i).end());
  }
  return is_idle;
}

// How far each thread's clock is ahead of the GPU's, as far as work shows that began before its call; or behind it, as
// work on an idle GPU that always came long after its call.
void find_clock_leads(const Profile& profile, Workload& workload) {
  struct Leads {
    std::vector<Nanoseconds> all;
    std::vector<Nanoseconds> on_idle_gpu;
  };
  const std::vector<bool> is_idle = began_on_idle_gpu(profile, workload);
  std::map<std::uint64_t, Leads> leads;
  for (std::size_t i = 0; i < workload.operations.size(); ++i) {
    const Operation& operation = workload.operations[i];
    if (!operation.has_call) continue;
    const Nanoseconds lead = operation.call_start - profile.activities[operation.activity].start;
    leads[operation.thread].all.push_back(lead);
    // A long call may have submitted its work at its end: that is no clock that is behind.
    const bool may_be_late = operation.call_end - operation.call_start >= kNoticeable &&
                             profile.activities[operation.activity].start <= operation.call_end + kLaunchLatency;
    if (is_idle[i] && !may_be_late) leads[operation.thread].on_idle_gpu.push_back(lead);
  }
  for (auto& [thread, of_calls] : leads) {
    Nanoseconds& lead = workload.clock_leads[thread];
    lead = std::max<Nanoseconds>(0, largest_lead(of_calls.all));
    if (lead > 0 || of_calls.on_idle_gpu.size() < kFewestOnIdleGpu) continue;
    const Nanoseconds behind = largest_lead(of_calls.on_idle_gpu) + kUsualLatency;
    if (behind < -kIdle) lead = std::max(behind, largest_lead(of_calls.all) + kUsualLatency);
  }
}

void set_clocks(const Profile& profile, Workload& workload) {
  find_clock_leads(profile, workload);
  for (const auto& [thread, lead] : workload.clock_leads) {
    if (lead == 0) continue;
    const double us = std::abs(static_cast<double>(lead)) / 1000;
    workload.notes.push_back(
        lead > 0
            ? fmt::format("the clock of a host thread is ahead of the GPU's by {:.3f} us: kernels began before their "
                          "launch; its calls are taken as that much earlier",
                          us)
            : fmt::format("the clock of a host thread is behind the GPU's by {:.3f} us: no kernel began sooner after "
                          "its launch, not even on an idle GPU; its calls are taken as that much later",
                          us));
  }
  for (Operation& operation : workload.operations) {
    if (!operation.has_call) continue;
    const Nanoseconds lead = workload.clock_leads.at(operation.thread);
    operation.call_start -= lead;
    operation.call_end -= lead;
    operation.recorded_call = operation.call_start;
  }
}

// Calls that came after their work, or had ended long before there was any.
void forget_mistaken(const Profile& profile, Workload& workload) {
  Nanoseconds begin = std::numeric_limits<Nanoseconds>::max();
  for (const Operation& each : workload.operations) begin = std::min(begin, profile.activities[each.activity].start);
  std::size_t num_mistaken = 0;
  for (Operation& operation : workload.operations) {
    const GpuActivity& activity = profile.activities[operation.activity];
    const bool is_likely = operation.call_start <= activity.start && operation.call_end >= begin - kLongestAhead;
    if (!operation.has_call || is_likely) continue;
    assume_call(activity, operation);
    ++num_mistaken;
  }
  if (num_mistaken == 0) return;
  workload.notes.push_back(fmt::format(
      "{} calls are recorded after their work began, or more than {} s before any did: taken as {} us before theirs",
      num_mistaken, kLongestAhead / 1'000'000'000, kUsualLatency / 1000));
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
  std::unordered_map<std::uint32_t, Nanoseconds> next;  // by stream
  for (auto operation = operations.rbegin(); operation != operations.rend(); ++operation) {
    const auto [entry, is_last] = next.emplace(operation->stream, operation->call_start);
    if (!operation->has_call && !is_last) {
      operation->call_start = operation->call_end = std::min(operation->call_start, entry->second);
      operation->recorded_call = operation->call_start;
    }
    entry->second = operation->call_start;
  }
  std::unordered_map<std::uint32_t, Nanoseconds> latest;  // by stream
  std::size_t num_moved = 0;
  for (Operation& operation : operations) {
    const auto [entry, is_first] = latest.emplace(operation.stream, operation.call_start);
    if (!is_first && operation.call_start < entry->second) {
      // Within its call, that is no matter of clocks: it submitted the work then.
      const bool is_within = operation.has_call && entry->second <= operation.call_end;
      if (operation.has_call && !is_within) ++num_moved;
      if (!is_within) operation.call_end += entry->second - operation.call_start;
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
  const Calls calls(profile);
  std::size_t num_without = 0;
  for (Operation& operation : workload.operations) {
    const GpuActivity& activity = profile.activities[operation.activity];
    const HostCall* const call = calls.of(activity);
    if (call == nullptr) {
      ++num_without;
      assume_call(activity, operation);
      continue;
    }
    operation.has_call = true;
    operation.call = static_cast<std::uint32_t>(call - profile.calls.data());
    operation.call_start = call->start;
    operation.call_end = call->end();
    operation.thread = call->thread;
  }
  if (num_without > 0 && profile.has_times) {
    workload.notes.push_back(
        fmt::format("{} of {} operations have no call of the same correlation: taken as called {} us before they began",
                    num_without, workload.operations.size(), kUsualLatency / 1000));
  }
  set_clocks(profile, workload);
  forget_mistaken(profile, workload);
  keep_stream_order(profile, workload);
}

}  // namespace tessera::importer
