// SPDX-License-Identifier: Apache-2.0
// Where a profile does not tell for which event a stream or a call waited, what ended just before something went on is
// taken for what it waited for.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "importer/known_waits.h"
#include "importer/workload.h"

namespace tessera::importer {
namespace {

class Waits {
 public:
  Waits(const Profile& profile, Workload& workload) : profile_(profile), workload_(workload) {
    for (std::uint32_t i = 0; i < operations().size(); ++i) {
      const std::uint32_t stream = operations()[i].stream;
      if (stream >= of_stream_.size()) of_stream_.resize(stream + 1);
      std::vector<Entry>& entries = of_stream_[stream];
      const Nanoseconds before = entries.empty() ? activity(i).end() : entries.back().end;
      entries.push_back({i, std::max(before, activity(i).end())});
    }
  }

  void find_host_waits(KnownWaits& known) {
    std::size_t num_dropped = 0;
    for (const HostCall& call : profile_.calls) {
      if (call.kind != CallKind::kSynchronise && call.kind != CallKind::kSynchroniseDevice) continue;
      if (call.process != workload_.process || workload_.clock_leads.count(call.thread) == 0) continue;
      const Nanoseconds lead = workload_.clock_leads.at(call.thread);
      HostWait wait;
      wait.start = call.start - lead;
      wait.end = call.end() - lead;
      wait.before = first_called_from(wait.end);
      if (!put_behind_assumed_calls(wait)) {
        ++num_dropped;
        continue;
      }
      wait.is_for_device = call.kind == CallKind::kSynchroniseDevice;
      const std::optional<std::uint32_t> awaited = awaited_by(call, wait, known);
      if (!awaited) continue;
      wait.awaited = *awaited;
      workload_.waits.push_back(wait);
    }
    std::stable_sort(workload_.waits.begin(), workload_.waits.end(),
                     [](const HostWait& a, const HostWait& b) { return a.start < b.start; });
    if (num_dropped == 0) return;
    workload_.notes.push_back(fmt::format(
        "{} synchronising calls of one thread are left out: another thread called meanwhile, and a process is one "
        "thread here",
        num_dropped));
  }

  // Work that was launched long ago, whose stream was free, and that nothing let go when it began: its launch is taken
  // as made just then, and those behind it in its stream as made no earlier.
  bool defer_unexplained() {
    std::vector<Nanoseconds> stream_free(of_stream_.size(), workload_.begin);
    std::vector<Nanoseconds> called_from(of_stream_.size(), std::numeric_limits<Nanoseconds>::min());
    for (std::uint32_t i = 0; i < operations().size(); ++i) {
      Operation& operation = workload_.operations[i];
      const Nanoseconds start = activity(i).start;
      Nanoseconds& least = called_from[operation.stream];
      const Nanoseconds ready = std::max(
          {free_from(stream_free, operation.stream), operation.call_start + kLaunchLatency, least + kLaunchLatency});
      if (start - ready > kNoticeable && !is_inner_node(i) && !is_let_go(i, ready) && !host_explains(i, start)) {
        workload_.gaps.push_back({operation.activity, start - ready});
        least = start - kLaunchLatency;
      }
      if (operation.call_start < least) {
        operation.call_end += least - operation.call_start;
        operation.call_start = least;
      }
      stream_free[operation.stream] = std::max(stream_free[operation.stream], activity(i).end());
    }
    std::stable_sort(workload_.operations.begin(), workload_.operations.end(),
                     [](const Operation& a, const Operation& b) { return a.call_start < b.call_start; });
    return !workload_.gaps.empty();
  }

  void find_dependencies(KnownWaits& known) {
    const std::size_t num_inferred = profile_.tells_waits ? take_known_dependencies(known) : infer_dependencies();
    if (num_inferred == 0) return;
    workload_.notes.push_back(fmt::format(
        "{} times a stream waits for an event of another; for which, recorded times tell: the last work of the other "
        "stream that had ended",
        num_inferred));
  }

 private:
  // Returns those for which times had to tell.
  std::size_t take_known_dependencies(KnownWaits& known) {
    std::size_t num_inferred = 0;
    for (const KnownWaits::StreamWait& wait : known.stream_waits()) {
      const std::uint32_t stream = operations()[wait.later].stream;
      if (wait.is_told) {
        if (wait.earlier && operations()[*wait.earlier].stream != stream && !is_ordered(*wait.earlier, wait.later))
          workload_.dependencies.push_back({*wait.earlier, wait.later});
        continue;
      }
      const std::optional<Entry> earlier =
          last_ended(first_called_from(wait.recorded_by), activity(wait.later).start + kTolerance, stream);
      if (earlier) num_inferred += add({earlier->operation, wait.later}) ? 1 : 0;
    }
    return num_inferred;
  }

  std::size_t infer_dependencies() {
    const std::map<std::uint64_t, std::vector<Nanoseconds>> wait_events = wait_event_calls();
    std::vector<Nanoseconds> stream_free(of_stream_.size(), workload_.begin);
    std::map<std::uint64_t, Nanoseconds> last_call;  // by thread
    std::size_t num_inferred = 0;
    // Of a profile without any call, starts alone tell; what is let go by an event begins sooner than what is called.
    const bool has_no_calls = profile_.calls.empty() && profile_.has_recorded_starts;
    const Nanoseconds longest = has_no_calls ? kHandOver : kNoticeable;
    for (std::uint32_t i = 0; i < operations().size(); ++i) {
      const Operation& operation = operations()[i];
      const Nanoseconds start = activity(i).start;
      const Nanoseconds free = free_from(stream_free, operation.stream);
      const Nanoseconds ready = has_no_calls ? free : std::max(free, operation.call_start + kLaunchLatency);
      const std::optional<Nanoseconds> call = wait_event_between(wait_events, operation, last_call);
      const std::uint32_t launched = call ? first_called_from(*call) : i;
      const std::optional<Entry> earlier = last_ended(launched, start + kTolerance, operation.stream);
      const bool explains = earlier && earlier->end + kTolerance > ready && start - earlier->end <= longest;
      const bool is_late = start - ready > (wait_events.empty() ? kLaunchLatency : kNoticeable);
      if (earlier && (call || (is_late && explains))) num_inferred += add({earlier->operation, i}) ? 1 : 0;
      stream_free[operation.stream] = std::max(stream_free[operation.stream], activity(i).end());
      if (operation.has_call) last_call[operation.thread] = operation.call_start;
    }
    return num_inferred;
  }

  struct Entry {
    std::uint32_t operation;
    Nanoseconds end;  // of it and all before it in its stream
  };
  static constexpr std::uint32_t kNoStream = 0xFFFFFFFF;

  const std::vector<Operation>& operations() const { return workload_.operations; }
  const GpuActivity& activity(std::uint32_t operation) const {
    return profile_.activities[operations()[operation].activity];
  }

  // When `stream`, and by the rule of the NULL stream others, are through with what was called so far.
  Nanoseconds free_from(const std::vector<Nanoseconds>& stream_free, std::uint32_t stream) const {
    Nanoseconds free = stream_free[stream];
    for (std::uint32_t other = 0; other < stream_free.size(); ++other) {
      if (workload_.is_ordered_by_null_stream(stream, other)) free = std::max(free, stream_free[other]);
    }
    return free;
  }

  // The rule of the NULL stream says so already.
  bool is_ordered(std::uint32_t earlier, std::uint32_t later) const {
    return earlier < later &&
           workload_.is_ordered_by_null_stream(operations()[earlier].stream, operations()[later].stream);
  }

  // Calls that only seem to be made while the host waits, since their times are assumed: it made them before. False:
  // another thread did call meanwhile.
  bool put_behind_assumed_calls(HostWait& wait) const {
    const Nanoseconds recorded_start = wait.start;
    for (std::uint32_t i = first_called_from(recorded_start); i < wait.before; ++i) {
      const Operation& operation = operations()[i];
      if (operation.has_call && operation.recorded_call >= recorded_start) return false;
      wait.start = std::min(wait.end, std::max(wait.start, operation.call_end));
    }
    return true;
  }

  std::optional<std::uint32_t> awaited_by(const HostCall& call, const HostWait& wait, KnownWaits& known) const {
    if (!wait.is_for_device && known.is_told(call)) return known.awaited_by(call);
    const std::optional<Entry> ended = last_ended(wait.before, wait.end + kTolerance, kNoStream);
    return ended ? std::optional(ended->operation) : std::nullopt;
  }

  std::uint32_t first_called_from(Nanoseconds time) const {
    const auto at = std::lower_bound(operations().begin(), operations().end(), time,
                                     [](const Operation& a, Nanoseconds t) { return a.call_start < t; });
    return static_cast<std::uint32_t>(at - operations().begin());
  }

  // Of the operations before `before`, in any stream but one, the last that had ended by `time`.
  std::optional<Entry> last_ended(std::uint32_t before, Nanoseconds time, std::uint32_t but_stream) const {
    std::optional<Entry> last;
    for (std::uint32_t stream = 0; stream < of_stream_.size(); ++stream) {
      if (stream == but_stream) continue;
      const std::vector<Entry>& entries = of_stream_[stream];
      const auto ended = std::partition_point(entries.begin(), entries.end(), [&](const Entry& entry) {
        return entry.operation < before && entry.end <= time;
      });
      if (ended == entries.begin()) continue;
      const Entry& entry = *std::prev(ended);
      if (!last || entry.end > last->end) last = entry;
    }
    return last;
  }

  std::map<std::uint64_t, std::vector<Nanoseconds>> wait_event_calls() const {
    std::map<std::uint64_t, std::vector<Nanoseconds>> calls;
    for (const HostCall& call : profile_.calls) {
      if (call.kind != CallKind::kWaitEvent || call.process != workload_.process) continue;
      const auto lead = workload_.clock_leads.find(call.thread);
      if (lead != workload_.clock_leads.end()) calls[call.thread].push_back(call.start - lead->second);
    }
    for (auto& [thread, times] : calls) std::sort(times.begin(), times.end());
    return calls;
  }

  // The last cudaStreamWaitEvent of the operation's thread since that thread's last launch.
  static std::optional<Nanoseconds> wait_event_between(
      const std::map<std::uint64_t, std::vector<Nanoseconds>>& wait_events, const Operation& operation,
      const std::map<std::uint64_t, Nanoseconds>& last_call) {
    const auto calls = wait_events.find(operation.thread);
    if (!operation.has_call || calls == wait_events.end()) return std::nullopt;
    const auto after = std::upper_bound(calls->second.begin(), calls->second.end(), operation.call_start);
    if (after == calls->second.begin()) return std::nullopt;
    const auto last = last_call.find(operation.thread);
    const Nanoseconds time = *std::prev(after);
    return last == last_call.end() || time > last->second ? std::optional(time) : std::nullopt;
  }

  // A node of a graph but the first to begin: the graph says what it waited for.
  bool is_inner_node(std::uint32_t i) const {
    return i > 0 && are_of_one_graph(profile_, operations()[i - 1], operations()[i]);
  }

  // Work of another stream ended when it began.
  bool is_let_go(std::uint32_t i, Nanoseconds ready) const {
    const Nanoseconds start = activity(i).start;
    const std::optional<Entry> earlier = last_ended(i, start + kTolerance, operations()[i].stream);
    return earlier && earlier->end + kTolerance > ready && start - earlier->end <= kNoticeable;
  }

  // A call that lasts until the work begins: the host was held up in it.
  bool host_explains(std::uint32_t i, Nanoseconds start) const {
    return operations()[i].call_end + kLaunchLatency >= start;
  }

  // False: a dependency that is there already says so, or a rule.
  bool add(const Dependency& dependency) {
    if (is_ordered(dependency.earlier, dependency.later)) return false;
    const std::pair streams(operations()[dependency.earlier].stream, operations()[dependency.later].stream);
    const auto [known, is_new] = latest_.emplace(streams, dependency.earlier);
    if (!is_new && known->second >= dependency.earlier) return false;
    known->second = dependency.earlier;
    workload_.dependencies.push_back(dependency);
    return true;
  }

  const Profile& profile_;
  Workload& workload_;
  std::vector<std::vector<Entry>> of_stream_;  // in their order
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> latest_;
};

}  // namespace

void find_waits(const Profile& profile, Workload& workload) {
  for (Operation& operation : workload.operations) {
    const GpuActivity& activity = profile.activities[operation.activity];
    operation.blocks_host = operation.blocks_host || (activity.is_copy_with_host() && operation.has_call &&
                                                      operation.call_end + kTolerance >= activity.end());
  }
  if (Waits(profile, workload).defer_unexplained()) {
    workload.notes.push_back(fmt::format(
        "{} operations began long after their launch, and nothing in the profile says what they waited for: they are "
        "taken as launched {} us before they began",
        workload.gaps.size(), kLaunchLatency / 1000));
  }
  Waits waits(profile, workload);
  KnownWaits known(profile, workload);
  waits.find_host_waits(known);
  waits.find_dependencies(known);
  if (known.num_assumed() > 0) {
    workload.notes.push_back(
        fmt::format("{} waits are for records whose calls are not in the profile: taken as made just before the wait",
                    known.num_assumed()));
  }
}

}  // namespace tessera::importer
