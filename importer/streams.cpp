// SPDX-License-Identifier: Apache-2.0
// Streams of an application, from those that were recorded.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "importer/workload.h"

namespace tessera::importer {
namespace {

// A stream is in order. Where its work overlaps all the same (branches of a graph, kernels launched before those ahead
// of them end), what began too early is in a lane of its own beside it. Operations are in no order yet.
class Lanes {
 public:
  Lanes(const Profile& profile, Workload& workload) : profile_(profile), workload_(workload) {}

  void number() {
    std::vector<std::uint32_t> by_start(workload_.operations.size());
    std::iota(by_start.begin(), by_start.end(), 0U);
    std::stable_sort(by_start.begin(), by_start.end(),
                     [this](std::uint32_t a, std::uint32_t b) { return activity(a).start < activity(b).start; });
    for (const std::uint32_t i : by_start) place(i);
    if (num_beside_ > 0) {
      workload_.notes.push_back(fmt::format(
          "{} operations began before those ahead of them in their stream had ended: they are in streams beside it",
          num_beside_));
    }
  }

 private:
  static constexpr Nanoseconds kTolerance = 1'000;  // whole microseconds seem to overlap by as much

  struct Lane {
    std::uint32_t number = 0;
    Nanoseconds end = 0;
  };
  const GpuActivity& activity(std::uint32_t i) const { return profile_.activities[workload_.operations[i].activity]; }

  void place(std::uint32_t i) {
    std::vector<Lane>& lanes = lanes_[activity(i).stream];
    auto lane = std::find_if(lanes.begin(), lanes.end(),
                             [&](const Lane& each) { return each.end <= activity(i).start + kTolerance; });
    if (lane == lanes.end()) lane = lanes.insert(lanes.end(), Lane{num_lanes_++, 0});
    num_beside_ += lane != lanes.begin() ? 1 : 0;
    lane->end = activity(i).end();
    workload_.operations[i].stream = lane->number;
  }

  const Profile& profile_;
  Workload& workload_;
  std::map<std::uint64_t, std::vector<Lane>> lanes_;  // by recorded stream
  std::uint32_t num_lanes_ = 0;
  std::size_t num_beside_ = 0;
};

// Streams get numbers in the order of their first call. They have names, and what the profile says of them, where it
// says something that is of consequence.
class Numbers {
 public:
  Numbers(const Profile& profile, Workload& workload) : profile_(profile), workload_(workload) {
    for (const Operation& operation : workload.operations) {
      const auto [main, is_first] = main_lane_.emplace(recorded(operation), operation.stream);
      if (!is_first) main->second = std::min(main->second, operation.stream);
    }
  }

  void set() {
    std::map<std::uint32_t, std::uint32_t> numbers;  // by lane
    const bool has_null = has_null_stream();
    if (has_null) workload_.default_stream = spec::DefaultStream::kLegacy;
    const bool is_named = has_null || has_priority();
    std::uint32_t next = is_named ? 1 : 0;
    for (Operation& operation : workload_.operations) {
      const auto [known, is_new] = numbers.emplace(operation.stream, 0U);
      if (is_new && !(is_named && is_null_stream(operation))) {
        known->second = next++;
        if (is_named) workload_.streams.push_back(stream_of(operation));
      }
      operation.stream = known->second;
    }
    if (next <= kMaxStreams) return tell();
    // Too many to be told apart.
    workload_.streams.clear();
    workload_.default_stream = spec::DefaultStream::kPerThread;
    for (Operation& operation : workload_.operations) operation.stream %= kMaxStreams;
    workload_.notes.push_back(fmt::format("{} streams share {}{}", numbers.size(), kMaxStreams,
                                          is_named ? ", and have neither priorities nor a NULL stream" : ""));
  }

 private:
  using Kind = StreamProperties::Kind;

  StreamKey recorded(const Operation& operation) const {
    const GpuActivity& activity = profile_.activities[operation.activity];
    return {activity.process, activity.context.value_or(0), activity.stream};
  }
  StreamProperties told(const StreamKey& stream) const {
    const auto known = profile_.streams.find(stream);
    return known == profile_.streams.end() ? StreamProperties{} : known->second;
  }

  bool has_priority() const {
    return std::any_of(main_lane_.begin(), main_lane_.end(),
                       [this](const auto& each) { return told(each.first).priority > 0; });
  }
  // One that there are others beside.
  bool has_null_stream() const {
    return main_lane_.size() > 1 && std::any_of(main_lane_.begin(), main_lane_.end(), [this](const auto& each) {
             return told(each.first).kind == Kind::kNull;
           });
  }
  bool is_null_stream(const Operation& operation) const {
    const StreamKey stream = recorded(operation);
    return told(stream).kind == Kind::kNull && main_lane_.at(stream) == operation.stream;
  }

  // What began beside the NULL stream did not wait as that stream does.
  spec::StreamSpec stream_of(const Operation& operation) {
    const StreamKey stream = recorded(operation);
    const StreamProperties properties = told(stream);
    const std::uint32_t lane = ++num_lanes_[stream];
    spec::StreamSpec result;
    result.name = lane == 1 ? fmt::format("stream{}", stream.stream) : fmt::format("stream{}_{}", stream.stream, lane);
    if (properties.priority > 0) result.priority = properties.priority;
    result.is_non_blocking =
        workload_.default_stream == spec::DefaultStream::kLegacy && properties.kind != Kind::kBlocking;
    num_not_told_ += result.is_non_blocking && properties.kind == Kind::kNotTold ? 1 : 0;
    return result;
  }

  void tell() const {
    if (num_not_told_ == 0) return;
    workload_.notes.push_back(fmt::format(
        "the profile does not say whether {} streams wait for the NULL stream: taken as streams that do not",
        num_not_told_));
  }

  const Profile& profile_;
  Workload& workload_;
  std::map<StreamKey, std::uint32_t> main_lane_;  // the first that was recorded
  std::map<StreamKey, std::uint32_t> num_lanes_;
  std::size_t num_not_told_ = 0;
};

}  // namespace

void find_lanes(const Profile& profile, Workload& workload) { Lanes(profile, workload).number(); }

bool Workload::has_priorities() const {
  return std::any_of(streams.begin(), streams.end(), [](const auto& stream) { return stream.priority.has_value(); });
}

void number_streams(const Profile& profile, Workload& workload) { Numbers(profile, workload).set(); }

}  // namespace tessera::importer
