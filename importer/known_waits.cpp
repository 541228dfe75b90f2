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
    if (is_record && call.correlation) records_[*call.correlation] = {start_of(call), call.stream};
  }
}

std::vector<Dependency> KnownWaits::dependencies() {
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

std::optional<std::uint32_t> KnownWaits::awaited_by(const HostCall& call) {
  const Nanoseconds time = start_of(call);
  if (call.wait->awaited || call.wait->record) return recorded_behind(*call.wait, time);
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

std::optional<std::uint32_t> KnownWaits::recorded_behind(const KnownWait& wait, Nanoseconds waited_at) {
  const auto record = wait.record ? records_.find(*wait.record) : records_.end();
  const bool is_called = record != records_.end();
  const std::optional<std::uint64_t> stream = wait.awaited || !is_called ? wait.awaited : record->second.stream;
  if (!stream) {
    ++num_without_stream_;
    return std::nullopt;
  }
  if (is_called) return last_before(*stream, record->second.time);
  if (wait.record && has_correlations(*stream)) return last_correlated_before(*stream, *wait.record);
  ++num_assumed_;
  return last_before(*stream, waited_at);
}

// Correlations are counted up, call by call.
std::optional<std::uint32_t> KnownWaits::last_correlated_before(std::uint64_t stream, std::uint64_t record) const {
  std::optional<std::uint32_t> last;
  for (const Called& each : streams_.at(stream)) {
    const auto& correlation = profile_.activities[workload_.operations[each.operation].activity].correlation;
    if (correlation && *correlation < record) last = each.operation;
  }
  return last;
}

bool KnownWaits::has_correlations(std::uint64_t stream) const {
  const auto calls = streams_.find(stream);
  return calls != streams_.end() && std::any_of(calls->second.begin(), calls->second.end(), [&](const Called& each) {
           return profile_.activities[workload_.operations[each.operation].activity].correlation.has_value();
         });
}

}  // namespace tessera::importer
