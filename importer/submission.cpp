// SPDX-License-Identifier: Apache-2.0
// A launch call that loads a module or compiles a kernel submits its work at its end. Work that begins during its call,
// or just behind it, while nothing else held it back, was submitted just before it began: what had passed of the call
// by then is the host's time.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "importer/workload.h"

namespace tessera::importer {
namespace {

class Submissions {
 public:
  Submissions(const Profile& profile, Workload& workload) : profile_(profile), workload_(workload) {
    for (std::uint32_t i = 0; i < workload.operations.size(); ++i) {
      const Operation& operation = workload.operations[i];
      ends_.emplace_back(activity(i).end(), operation.stream);
      if (!operation.has_call) continue;
      const auto [first, is_new] = first_of_call_.emplace(operation.call, i);
      if (!is_new && activity(i).start < activity(first->second).start) first->second = i;
    }
    std::sort(ends_.begin(), ends_.end());
  }

  void run() {
    // 1. Of each call, when it submitted its work, by what of it began first.
    std::unordered_map<std::uint32_t, Nanoseconds> stream_free;
    std::unordered_map<std::uint32_t, Nanoseconds> submitted;  // by call
    for (std::uint32_t i = 0; i < operations().size(); ++i) {
      const auto [free, is_first] = stream_free.emplace(operations()[i].stream, workload_.begin);
      if (is_late_in_call(i, free->second)) {
        submitted[operations()[i].call] = std::min(activity(i).start - kUsualLatency, operations()[i].call_end);
      }
      free->second = std::max(free->second, activity(i).end());
    }
    if (submitted.empty()) return;
    // 2. All of its work, and what is behind that in its stream, was submitted no earlier.
    std::unordered_map<std::uint32_t, Nanoseconds> latest;  // by stream
    for (Operation& operation : workload_.operations) {
      const auto late = operation.has_call ? submitted.find(operation.call) : submitted.end();
      if (late != submitted.end() && late->second > operation.call_start) {
        operation.before_submission = late->second - operation.call_start;
        operation.call_start = late->second;
      }
      const auto [before, is_first] = latest.emplace(operation.stream, operation.call_start);
      operation.call_start = before->second = std::max(before->second, operation.call_start);
      operation.call_end = std::max(operation.call_end, operation.call_start);
    }
    std::stable_sort(workload_.operations.begin(), workload_.operations.end(),
                     [](const Operation& a, const Operation& b) { return a.call_start < b.call_start; });
    tell(submitted);
  }

 private:
  const std::vector<Operation>& operations() const { return workload_.operations; }
  const GpuActivity& activity(std::uint32_t i) const { return profile_.activities[operations()[i].activity]; }

  // `free`: when the work before it in its stream had ended.
  bool is_late_in_call(std::uint32_t i, Nanoseconds free) const {
    const Operation& operation = operations()[i];
    if (!operation.has_call || first_of_call_.at(operation.call) != i) return false;
    const Nanoseconds start = activity(i).start;
    const Nanoseconds ready = std::max(free, operation.call_start + kLaunchLatency);
    if (start - ready <= kNoticeable || start > operation.call_end + kLaunchLatency) return false;
    // A launch does not wait for the GPU, so that a long call is reason enough; a copy may.
    const bool is_reason = activity(i).work == Work::kKernel && operation.call_end - operation.call_start >= kLongCall;
    return is_reason || !another_stream_ended(operation.stream, std::max(ready, start - kNoticeable), start);
  }

  bool another_stream_ended(std::uint32_t stream, Nanoseconds from, Nanoseconds until) const {
    const auto first = std::lower_bound(ends_.begin(), ends_.end(), std::pair(from - kTolerance, std::uint32_t{0}));
    const auto last =
        std::upper_bound(first, ends_.end(), std::pair(until + kTolerance, std::numeric_limits<std::uint32_t>::max()));
    return std::any_of(first, last, [&](const auto& end) { return end.second != stream; });
  }

  void tell(const std::unordered_map<std::uint32_t, Nanoseconds>& submitted) {
    Nanoseconds sum = 0;
    for (const auto& [call, i] : first_of_call_) {
      if (submitted.count(call) > 0) sum += submitted.at(call) - start_of_call(call);
    }
    workload_.notes.push_back(
        fmt::format("{} long calls submitted their work late (lazy loading, compilation): the {:.3f} ms before that "
                    "are CPU time",
                    submitted.size(), static_cast<double>(sum) / 1e6));
  }

  Nanoseconds start_of_call(std::uint32_t call) const {
    const HostCall& recorded = profile_.calls[call];
    return recorded.start - workload_.clock_leads.at(recorded.thread);
  }

  const Profile& profile_;
  Workload& workload_;
  std::vector<std::pair<Nanoseconds, std::uint32_t>> ends_;         // of operations, with their streams; sorted
  std::unordered_map<std::uint32_t, std::uint32_t> first_of_call_;  // operation that began first, by call
};

}  // namespace

void find_submissions(const Profile& profile, Workload& workload) { Submissions(profile, workload).run(); }

}  // namespace tessera::importer
