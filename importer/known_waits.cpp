// SPDX-License-Identifier: Apache-2.0
// A record stands behind all work that was put into its stream before it was called, and ahead of all that came later.
#include "importer/known_waits.h"

#include <algorithm>
#include <iterator>

namespace tessera::importer {

KnownWaits::KnownWaits(const Profile& profile, const Workload& workload) : profile_(profile), workload_(workload) {
  for (std::uint32_t i = 0; i < workload.operations.size(); ++i) {
    const Operation& operation = workload.operations[i];
    streams_[profile.activities[operation.activity].stream].push_back({operation.recorded_call, i});
  }
  for (auto& [stream, calls] : streams_) {
    std::stable_sort(calls.begin(), calls.end(), [](const Called& a, const Called& b) { return a.time < b.time; });
  }
  for (const HostCall& call : profile.calls) {
    const bool is_record = call.kind == CallKind::kRecordEvent && call.process == workload.process;
    if (is_record && call.correlation) records_.emplace(*call.correlation, start_of(call));
  }
}

std::vector<Dependency> KnownWaits::dependencies() const {
  std::vector<Dependency> found;
  for (const HostCall& call : profile_.calls) {
    if (call.kind != CallKind::kWaitEvent || call.process != workload_.process) continue;
    if (!call.wait || !call.wait->stream) continue;
    const Nanoseconds time = start_of(call);
    const std::optional<std::uint32_t> earlier = recorded_behind(*call.wait, time);
    const std::optional<std::uint32_t> later = first_from(*call.wait->stream, time);
    if (earlier && later) found.push_back({*earlier, *later});
  }
  return found;
}

std::optional<std::uint32_t> KnownWaits::awaited_by(const HostCall& call) const {
  const Nanoseconds time = start_of(call);
  if (call.wait->awaited) return recorded_behind(*call.wait, time);
  return call.wait->stream ? last_before(*call.wait->stream, time) : std::nullopt;
}

Nanoseconds KnownWaits::start_of(const HostCall& call) const {
  const auto lead = workload_.clock_leads.find(call.thread);
  return call.start - (lead == workload_.clock_leads.end() ? 0 : lead->second);
}

std::optional<std::uint32_t> KnownWaits::last_before(std::uint64_t stream, Nanoseconds time) const {
  const auto calls = streams_.find(stream);
  if (calls == streams_.end()) return std::nullopt;
  const auto after = std::upper_bound(calls->second.begin(), calls->second.end(), time,
                                      [](Nanoseconds t, const Called& each) { return t < each.time; });
  if (after == calls->second.begin()) return std::nullopt;
  return std::prev(after)->operation;
}

std::optional<std::uint32_t> KnownWaits::first_from(std::uint64_t stream, Nanoseconds time) const {
  const auto calls = streams_.find(stream);
  if (calls == streams_.end()) return std::nullopt;
  const auto from = std::lower_bound(calls->second.begin(), calls->second.end(), time,
                                     [](const Called& each, Nanoseconds t) { return each.time < t; });
  if (from == calls->second.end()) return std::nullopt;
  return from->operation;
}

std::optional<std::uint32_t> KnownWaits::recorded_behind(const KnownWait& wait, Nanoseconds waited_at) const {
  if (!wait.awaited) return std::nullopt;
  const auto record = wait.record ? records_.find(*wait.record) : records_.end();
  return last_before(*wait.awaited, record == records_.end() ? waited_at : record->second);
}

}  // namespace tessera::importer
