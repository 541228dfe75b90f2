// SPDX-License-Identifier: Apache-2.0
// Calls in their order; the time between two of them is the host's, less what the calls themselves cost.
#include "importer/host_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "importer/graph_edges.h"

namespace tessera::importer {
namespace {

constexpr Picoseconds kPsPerNs = 1'000;
// A call that takes kLongCall while so much is queued waits for room in the queue: that is no CPU time.
constexpr std::size_t kDeepQueue = 200;
// From the end of work to that of the call that waits for it.
constexpr Nanoseconds kWakeUp = 2'000;
constexpr Nanoseconds kInterrupt = 1'500;  // of that, the link's latency being 0.5 us

class ProgramBuilder {
 public:
  ProgramBuilder(const Profile& profile, const Workload& workload, const KernelGroups& groups, const HostCosts& costs)
      : profile_(profile), workload_(workload), groups_(groups), costs_(costs) {
    program_.call = costs.call;
    program_.streams = workload.streams;
    program_.default_stream = workload.default_stream;
    std::vector<Nanoseconds> durations;  // of calls
    for (std::uint32_t i = 0; i < workload.operations.size(); ++i) {
      const Operation& operation = workload.operations[i];
      commands_before_.push_back(ends_.size());
      ends_.push_back(profile.activities[operation.activity].end());
      if (!operation.has_call) continue;
      const auto [own, is_new] = works_of_call_.emplace(operation.call, Works{i, i});
      own->second.last = i;
      if (is_new) durations.push_back(operation.call_end - operation.call_start);
      if (!profile.calls[operation.call].launches_graph) continue;
      operations_of_graph_[operation.call].push_back(i);
      if (is_new) continue;
      // One command, until its last node ends.
      Nanoseconds& end = ends_[commands_before_[own->second.first]];
      end = std::max(end, ends_.back());
      ends_.pop_back();
    }
    for (auto& [call, nodes] : operations_of_graph_) {
      std::stable_sort(nodes.begin(), nodes.end(),
                       [this](std::uint32_t a, std::uint32_t b) { return activity(a).start < activity(b).start; });
    }
    std::sort(ends_.begin(), ends_.end());
    if (durations.empty()) return;
    const auto middle = durations.begin() + static_cast<std::ptrdiff_t>(durations.size() / 2);
    std::nth_element(durations.begin(), middle, durations.end());
    usual_call_ = *middle;
  }

  HostProgram run() {
    free_at_ = first_moment();
    auto wait = workload_.waits.begin();
    for (std::uint32_t i = 0; i < workload_.operations.size(); ++i) {
      for (; wait != workload_.waits.end() && wait->before <= i; ++wait) add_wait(*wait);
      add_operation(i);
    }
    for (; wait != workload_.waits.end(); ++wait) add_wait(*wait);
    for (const Dependency& dependency : workload_.dependencies) {
      const std::uint32_t earlier = step_of_operation_[dependency.earlier];
      const std::uint32_t later = step_of_operation_[dependency.later];
      if (earlier < later) program_.dependencies.push_back({earlier, later});  // else within a graph
    }
    if (num_from_before_ > 0 && profile_.has_times) {
      program_.notes.push_back(
          fmt::format("{} operations were called more than {} us before the GPU's first began: they were queued when "
                      "the recording began, and the time between their calls is no CPU time",
                      num_from_before_, kLongCall / 1'000));
    }
    if (waited_for_room_ > 0) {
      program_.notes.push_back(
          fmt::format("{:.3f} ms of launch calls that waited for room in a full queue are no CPU time",
                      static_cast<double>(waited_for_room_) / 1e6));
    }
    if (num_without_bytes_ > 0) {
      program_.notes.push_back(
          fmt::format("{} copies without bytes: as many as the link moves in their time", num_without_bytes_));
    }
    return std::move(program_);
  }

 private:
  const GpuActivity& activity(std::uint32_t i) const { return profile_.activities[workload_.operations[i].activity]; }

  // What was called before the GPU's first operation was queued when the recording began: it takes the host no time.
  Nanoseconds first_moment() const {
    Nanoseconds first = workload_.operations.front().call_start;
    if (!workload_.waits.empty()) first = std::min(first, workload_.waits.front().start);
    const Nanoseconds usual = workload_.begin - kLaunchLatency;
    return profile_.has_times && first < usual - kNoticeable ? usual : first;
  }

  bool is_last_of_stream(const HostWait& wait) const {
    const std::uint32_t stream = workload_.operations[wait.awaited].stream;
    for (std::uint32_t i = wait.awaited + 1; i < wait.before; ++i) {
      if (workload_.operations[i].stream == stream) return false;
    }
    return true;
  }

  // The next step, which the host begins at `start`, or as soon as it is free.
  Step& add(Nanoseconds start, const Step& step) {
    const Nanoseconds gap = start - free_at_;
    program_.steps.push_back(step);
    program_.steps.back().cpu_before = std::max<Nanoseconds>(0, gap);
    program_.steps.back().in_call = std::min(step.in_call, program_.steps.back().cpu_before);
    free_at_ = std::max(start, free_at_);
    return program_.steps.back();
  }

  void add_wait(const HostWait& wait) {
    Step step;
    if (wait.is_for_device) {
      step.kind = StepKind::kSynchroniseAll;
    } else {
      step.kind = is_last_of_stream(wait) ? StepKind::kSynchroniseStream : StepKind::kSynchroniseEvent;
      step.stream = workload_.operations[wait.awaited].stream;
      step.awaited = step_of_operation_[wait.awaited];
    }
    add(wait.start, step);
    // What it waited longer, it waited for something that is not here: another context, another thread.
    const Nanoseconds done = std::max(wait.start, activity(wait.awaited).end() + kWakeUp);
    free_at_ = std::max(free_at_, std::min(wait.end, done));
  }

  // A launch or a copy by itself, whatever the host does.
  Step step_of(std::uint32_t i) {
    const GpuActivity& one = activity(i);
    const Operation& operation = workload_.operations[i];
    Step step;
    step.stream = operation.stream;
    step.operation = i;
    step.in_call = operation.before_submission;
    step.is_from_before = operation.has_call && operation.call_end + kLongCall < workload_.begin;
    num_from_before_ += step.is_from_before ? 1 : 0;
    const std::uint32_t group = groups_.of_operation[i];
    if (group != kNoGroup) {
      step.target = group;
      return step;
    }
    step.kind = one.work == Work::kCopyToGpu ? StepKind::kCopyToGpu : StepKind::kCopyToHost;
    step.target = bytes_of(one);
    return step;
  }

  // Operations of the graph that this one is a node of, by start; none: it is none, or alone in it.
  std::vector<std::uint32_t> nodes_of_graph(std::uint32_t i) const {
    const Operation& operation = workload_.operations[i];
    if (!operation.has_call || !profile_.calls[operation.call].launches_graph) return {};
    const std::vector<std::uint32_t>& nodes = operations_of_graph_.at(operation.call);
    return nodes.size() > 1 ? nodes : std::vector<std::uint32_t>{};
  }

  // One step for all of its nodes, in the place of the first.
  void add_graph(const std::vector<std::uint32_t>& nodes) {
    GraphLaunch& graph = program_.graphs.emplace_back();
    std::vector<Interval> times;
    GraphKind kind;
    for (const std::uint32_t node : nodes) {
      graph.nodes.push_back(step_of(node));
      times.push_back({activity(node).start, activity(node).end()});
      kind.emplace_back(graph.nodes.back().kind, graph.nodes.back().target);
    }
    Step step = graph.nodes.front();
    step.kind = StepKind::kGraph;
    step.graph = static_cast<std::uint32_t>(program_.graphs.size() - 1);
    // Overlaps differ from launch to launch: those of the first of its kind hold for all.
    const auto [known, is_new] = graph_kinds_.emplace(std::move(kind), step.graph);
    graph.edges = is_new ? edges_of(times) : program_.graphs[known->second].edges;
    step.target = known->second;
    add(workload_.operations[nodes.front()].call_start, step);
    free_at_ += costs_.call;
    wait_for_room(works_of_call_.at(workload_.operations[nodes.front()].call).last);
  }

  void add_operation(std::uint32_t i) {
    const Operation& operation = workload_.operations[i];
    const GpuActivity& one = activity(i);
    if (const std::vector<std::uint32_t> nodes = nodes_of_graph(i); !nodes.empty()) {
      const auto [step, is_first] =
          step_of_graph_.emplace(operation.call, static_cast<std::uint32_t>(program_.steps.size()));
      step_of_operation_.push_back(step->second);
      if (is_first) add_graph(nodes);
      return;
    }
    step_of_operation_.push_back(static_cast<std::uint32_t>(program_.steps.size()));
    Step step = step_of(i);
    if (step.kind == StepKind::kLaunch) {
      add(operation.call_start, step);
      free_at_ += costs_.call;
      wait_for_room(i);
      return;
    }
    step.is_sync = operation.blocks_host;
    add(operation.call_start, step);
    free_at_ = operation.blocks_host ? std::max(free_at_, operation.call_end - beyond_the_link(one, step.target))
                                     : free_at_ + costs_.call;
  }

  // Of a copy without any: as many as its time lets through.
  std::uint64_t bytes_of(const GpuActivity& copy) {
    if (copy.bytes.value_or(0) > 0) return *copy.bytes;
    ++num_without_bytes_;
    const double us = static_cast<double>(copy.duration.value_or(0)) / 1e3;
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(us * costs_.copy_bytes_per_us));
  }

  Nanoseconds beyond_the_link(const GpuActivity& copy, std::uint64_t bytes) const {
    const auto on_link = static_cast<Nanoseconds>(static_cast<double>(bytes) / costs_.copy_bytes_per_us * 1e3);
    return std::max<Nanoseconds>(0, copy.duration.value_or(0) - on_link);
  }

  // A call waits for room once, however much work it submits, and its own work is not what fills the queue.
  void wait_for_room(std::uint32_t i) {
    const Operation& operation = workload_.operations[i];
    if (!operation.has_call || works_of_call_.at(operation.call).last != i) return;
    const std::uint32_t first = works_of_call_.at(operation.call).first;
    const Nanoseconds duration = operation.call_end - operation.call_start;
    if (duration < kLongCall) return;
    const auto done = std::upper_bound(ends_.begin(), ends_.end(), operation.call_start) - ends_.begin();
    const auto called = static_cast<std::ptrdiff_t>(commands_before_[first]);
    if (called - done < static_cast<std::ptrdiff_t>(kDeepQueue)) return;
    const Nanoseconds waited =
        std::clamp<Nanoseconds>(operation.call_end - free_at_, 0, std::max<Nanoseconds>(0, duration - usual_call_));
    waited_for_room_ += waited;
    free_at_ += waited;
  }

  const Profile& profile_;
  const Workload& workload_;
  const KernelGroups& groups_;
  HostCosts costs_;
  HostProgram program_;
  struct Works {
    std::uint32_t first = 0;  // operations
    std::uint32_t last = 0;
  };
  std::vector<Nanoseconds> ends_;                                     // of commands, sorted
  std::vector<std::size_t> commands_before_;                          // by operation: called before it
  std::unordered_map<std::uint32_t, Works> works_of_call_;            // by Operation::call
  Nanoseconds usual_call_ = 0;                                        // how long calls last: the median
  using GraphKind = std::vector<std::pair<StepKind, std::uint64_t>>;  // of its nodes, with what they launch or copy
  std::vector<std::uint32_t> step_of_operation_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> operations_of_graph_;  // by call; by start
  std::unordered_map<std::uint32_t, std::uint32_t> step_of_graph_;                     // by call
  std::map<GraphKind, std::uint32_t> graph_kinds_;                                     // the first graph of its kind
  Nanoseconds free_at_ = 0;  // recorded time at which the host is through with the step before
  Nanoseconds waited_for_room_ = 0;
  std::size_t num_without_bytes_ = 0;
  std::size_t num_from_before_ = 0;
};

}  // namespace

spec::HostSpec imported_host(Nanoseconds call) {
  spec::HostSpec host;
  host.name = "imported";
  host.launch = static_cast<Picoseconds>(call) * kPsPerNs;
  host.copy = static_cast<Picoseconds>(call) * kPsPerNs;
  host.synchronise = 1'000 * kPsPerNs;
  host.interrupt = kInterrupt * kPsPerNs;
  return host;
}

HostProgram host_program(const Profile& profile, const Workload& workload, const KernelGroups& groups,
                         const HostCosts& costs) {
  return ProgramBuilder(profile, workload, groups, costs).run();
}

}  // namespace tessera::importer
