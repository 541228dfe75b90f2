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

std::vector<KnownWaits::StreamWait> KnownWaits::stream_waits() {
  std::vector<StreamWait> found;
  for (const HostCall& call : profile_.calls) {
    if (call.kind != CallKind::kWaitEvent || call.process != workload_.process || !call.wait) continue;
    const Nanoseconds time = start_of(call);
    const std::optional<std::uint32_t> later =
        call.wait->stream ? first_from(*call.wait->stream, time) : first_of_thread_from(call.thread, time);
    if (!later) continue;
    const std::optional<std::uint64_t> stream = stream_of_record(*call.wait);
    found.push_back(
        {time, *later, stream.has_value(), stream ? recorded_behind(*stream, *call.wait, time) : std::nullopt});
  }
  return found;
}

bool KnownWaits::is_told(const HostCall& call) const {
  return call.wait && (call.wait->stream || stream_of_record(*call.wait));
}

std::optional<std::uint32_t> KnownWaits::awaited_by(const HostCall& call) {
  const Nanoseconds time = start_of(call);
  if (const auto stream = stream_of_record(*call.wait)) return recorded_behind(*stream, *call.wait, time);
  return last_before(*call.wait->stream, time);
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

std::optional<std::uint32_t> KnownWaits::first_of_thread_from(std::uint64_t thread, Nanoseconds time) const {
  for (std::uint32_t i = 0; i < workload_.operations.size(); ++i) {
    const Operation& operation = workload_.operations[i];
    if (operation.has_call && operation.thread == thread && operation.recorded_call >= time) return i;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> KnownWaits::stream_of_record(const KnownWait& wait) const {
  if (wait.awaited || !wait.record) return wait.awaited;
  const auto record = records_.find(*wait.record);
  return record == records_.end() ? std::nullopt : record->second.stream;
}

std::optional<std::uint32_t> KnownWaits::recorded_behind(std::uint64_t stream, const KnownWait& wait,
                                                         Nanoseconds waited_at) {
  const auto record = wait.record ? records_.find(*wait.record) : records_.end();
  if (record != records_.end()) return last_before(stream, record->second.time);
  if (wait.record && has_correlations(stream)) return last_correlated_before(stream, *wait.record);
  ++num_assumed_;
  return last_before(stream, waited_at);
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
