// SPDX-License-Identifier: Apache-2.0
// What can be derived from an application alone: how many streams its program uses, and what they are.
// Loops count once, whatever their count.
#include "model/spec/application_spec.h"

#include <algorithm>

namespace tessera::spec {
namespace {

std::uint32_t streams_used(const std::vector<HostStep>& steps) {
  std::uint32_t used = 0;
  for (const HostStep& step : steps) {
    if (const auto* copy = std::get_if<Copy>(&step)) used = std::max(used, copy->stream + 1);
    if (const auto* launch = std::get_if<Launch>(&step)) used = std::max(used, launch->stream + 1);
    if (const auto* synchronise = std::get_if<Synchronise>(&step)) {
      if (synchronise->stream) used = std::max(used, *synchronise->stream + 1);
    }
    if (const auto* record = std::get_if<RecordEvent>(&step)) used = std::max(used, record->stream + 1);
    if (const auto* wait = std::get_if<WaitForEvent>(&step)) used = std::max(used, wait->stream + 1);
    if (const auto* loop = std::get_if<Loop>(&step)) used = std::max(used, streams_used(loop->body));
    if (const auto* group = std::get_if<Group>(&step)) used = std::max(used, group->stream + 1);
    if (const auto* graph = std::get_if<Graph>(&step)) used = std::max(used, graph->stream + 1);
  }
  return used;
}

constexpr std::uint64_t kMostLaunches = std::uint64_t{1} << 32;  // nested loops may state more than 64 bits count

void count_launches(const std::vector<HostStep>& steps, std::uint64_t times, std::vector<std::uint64_t>& counts) {
  for (const HostStep& step : steps) {
    if (const auto* launch = std::get_if<Launch>(&step)) {
      counts[launch->kernel] = std::min(kMostLaunches, counts[launch->kernel] + times);
    }
    if (const auto* loop = std::get_if<Loop>(&step)) {
      count_launches(loop->body, std::min(kMostLaunches, times * loop->count), counts);
    }
    if (const auto* group = std::get_if<Group>(&step)) count_launches(group->work, times, counts);
    if (const auto* graph = std::get_if<Graph>(&step)) count_launches(graph->nodes, times, counts);
  }
}

// Loops counted out, up to `most`.
std::uint64_t count_steps(const std::vector<HostStep>& steps, std::uint64_t most) {
  std::uint64_t count = 0;
  for (const HostStep& step : steps) {
    const auto* loop = std::get_if<Loop>(&step);
    count = std::min(most, count + (loop == nullptr ? 1 : loop->count * count_steps(loop->body, most)));
  }
  return count;
}

void count_out(const std::vector<HostStep>& steps, std::vector<const HostStep*>& nodes) {
  for (const HostStep& step : steps) {
    const auto* loop = std::get_if<Loop>(&step);
    if (loop == nullptr) {
      nodes.push_back(&step);
      continue;
    }
    for (std::uint32_t i = 0; i < loop->count; ++i) count_out(loop->body, nodes);
  }
}

}  // namespace

std::vector<std::uint64_t> launches_per_run(const ApplicationSpec& application) {
  std::vector<std::uint64_t> counts(application.kernels.size(), 0);
  count_launches(application.program, 1, counts);
  return counts;
}

bool EventDrivenSpec::has_io() const {
  return std::any_of(body.begin(), body.end(), [](const LoopStep& step) { return !step.is_callback(); });
}

bool ApplicationSpec::has_event_driven_kernels() const {
  return std::any_of(kernels.begin(), kernels.end(),
                     [](const KernelSpec& kernel) { return kernel.event_driven.has_value(); });
}

bool ApplicationSpec::has_io() const {
  return std::any_of(kernels.begin(), kernels.end(), [](const KernelSpec& kernel) {
    return kernel.event_driven.has_value() && kernel.event_driven->has_io();
  });
}

std::uint32_t ApplicationSpec::num_streams() const { return streams_used(program); }

std::optional<std::uint32_t> ApplicationSpec::priority_of(std::uint32_t stream) const {
  if (stream == 0 || stream > streams.size()) return std::nullopt;
  return streams[stream - 1].priority;
}

bool ApplicationSpec::is_blocking(std::uint32_t stream) const {
  return stream == 0 || stream > streams.size() || !streams[stream - 1].is_non_blocking;
}

std::uint64_t num_commands(const std::vector<HostStep>& work) { return count_steps(work, kMaxGroupCommands + 1); }

std::uint64_t num_nodes(const Graph& graph) { return count_steps(graph.nodes, kMaxGraphNodes + 1); }

std::vector<const HostStep*> nodes_of(const Graph& graph) {
  std::vector<const HostStep*> nodes;
  count_out(graph.nodes, nodes);
  return nodes;
}

std::vector<GraphEdge> edges_of(const Graph& graph) {
  if (graph.edges) return *graph.edges;
  std::vector<GraphEdge> chain;
  const auto count = static_cast<std::uint32_t>(num_nodes(graph));
  for (std::uint32_t to = 1; to < count; ++to) chain.push_back({to - 1, to});
  return chain;
}

}  // namespace tessera::spec
