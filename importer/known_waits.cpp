// SPDX-License-Identifier: Apache-2.0
// A record stands behind all work that was put into its stream before it was called, and ahead of all that came later.
#include "importer/known_waits.h"

#include <algorithm>
#include <iterator>

namespace tessera::importer {

KnownWaits::KnownWaits(const Profile& profile, const Workload& workload) : profile_(profile), workload_(workload) {
  for (std::uint32_t i = 0; i < workload.operations.size(); ++i) {
    const Operation& operation = workload.operations[i];
    const GpuActivity& activity = profile.activities[operation.activity];
    streams_[activity.stream].push_back({operation.recorded_call, i});
    if (operation.has_call) threads_[operation.thread].push_back({operation.recorded_call, i});
    if (activity.correlation) correlated_[activity.stream].push_back({*activity.correlation, i});
  }
  for (Calls* const calls : {&streams_, &threads_}) {
    for (auto& [key, each] : *calls) {
      std::stable_sort(each.begin(), each.end(), [](const Called& a, const Called& b) { return a.time < b.time; });
    }
  }
  for (auto& [stream, each] : correlated_) {
    std::stable_sort(each.begin(), each.end(),
                     [](const Correlated& a, const Correlated& b) { return a.correlation < b.correlation; });
  }
  for (const HostCall& call : profile.calls) {
    const bool is_record = call.kind == CallKind::kRecordEvent && call.process == workload.process;
    if (is_record && call.correlation) records_[*call.correlation] = start_of(call);
  }
}

std::vector<KnownWaits::StreamWait> KnownWaits::stream_waits() {
  std::vector<StreamWait> found;
  for (const HostCall& call : profile_.calls) {
    if (call.kind != CallKind::kWaitEvent || call.process != workload_.process || !call.wait) continue;
    const Nanoseconds time = start_of(call);
    const std::optional<std::uint32_t> later =
        call.wait->stream ? first_from(streams_, *call.wait->stream, time) : first_from(threads_, call.thread, time);
    if (!later) continue;
    const bool is_told = call.wait->awaited.has_value();
    found.push_back({*later, is_told, is_told ? recorded_behind(*call.wait, time) : std::nullopt,
                     time_of_record(*call.wait).value_or(time)});
  }
  return found;
}

bool KnownWaits::is_told(const HostCall& call) const { return call.wait && (call.wait->awaited || call.wait->stream); }

std::optional<std::uint32_t> KnownWaits::awaited_by(const HostCall& call) {
  const Nanoseconds time = start_of(call);
  return call.wait->awaited ? recorded_behind(*call.wait, time) : last_before(*call.wait->stream, time);
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

std::optional<std::uint32_t> KnownWaits::first_from(const Calls& calls, std::uint64_t key, Nanoseconds time) {
  const auto known = calls.find(key);
  if (known == calls.end()) return std::nullopt;
  const auto from = std::lower_bound(known->second.begin(), known->second.end(), time,
                                     [](const Called& each, Nanoseconds t) { return each.time < t; });
  return from == known->second.end() ? std::nullopt : std::optional(from->operation);
}

std::optional<Nanoseconds> KnownWaits::time_of_record(const KnownWait& wait) const {
  const auto record = wait.record ? records_.find(*wait.record) : records_.end();
  return record == records_.end() ? std::nullopt : std::optional(record->second);
}

std::optional<std::uint32_t> KnownWaits::recorded_behind(const KnownWait& wait, Nanoseconds waited_at) {
  if (const auto recorded_at = time_of_record(wait)) return last_before(*wait.awaited, *recorded_at);
  if (wait.record && correlated_.count(*wait.awaited) != 0) return last_correlated_before(*wait.awaited, *wait.record);
  ++num_assumed_;
  return last_before(*wait.awaited, waited_at);
}

// Correlations are counted up, call by call.
std::optional<std::uint32_t> KnownWaits::last_correlated_before(std::uint64_t stream, std::uint64_t record) const {
  const std::vector<Correlated>& all = correlated_.at(stream);
  const auto from = std::lower_bound(all.begin(), all.end(), record, [](const Correlated& each, std::uint64_t number) {
    return each.correlation < number;
  });
  return from == all.begin() ? std::nullopt : std::optional(std::prev(from)->operation);
}

}  // namespace tessera::importer
