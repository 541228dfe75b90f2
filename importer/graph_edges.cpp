// SPDX-License-Identifier: Apache-2.0
// An order of intervals.
#include "importer/graph_edges.h"

#include <algorithm>
#include <functional>
#include <map>

namespace tessera::importer {
namespace {

// Stamps of whole microseconds seem to overlap by as much; so little is no branch beside another.
constexpr Nanoseconds kStampGrain = 1'000;

bool had_ended(const Interval& earlier, const Interval& later) {
  const Nanoseconds shorter = std::min(earlier.end - earlier.start, later.end - later.start);
  return earlier.end <= later.start + std::min(kStampGrain, shorter / 2);
}

}  // namespace

std::optional<std::vector<spec::GraphEdge>> edges_of(const std::vector<Interval>& nodes) {
  std::vector<Nanoseconds> latest_end;  // of the nodes up to this
  std::vector<spec::GraphEdge> edges;
  for (std::uint32_t to = 0; to < nodes.size(); ++to) {
    // Of those that had ended, one is implied if it had ended before the last of them began.
    const Interval* last = nullptr;
    for (std::uint32_t from = to; from-- > 0;) {
      if (last != nullptr && latest_end[from] <= last->start) break;  // so had all before
      if (!had_ended(nodes[from], nodes[to])) continue;
      if (last == nullptr || !had_ended(nodes[from], *last)) edges.push_back({from, to});
      if (last == nullptr) last = &nodes[from];
    }
    latest_end.push_back(std::max(to == 0 ? nodes[to].end : latest_end.back(), nodes[to].end));
  }
  const bool is_chain =
      edges.size() + 1 == nodes.size() &&
      std::all_of(edges.begin(), edges.end(), [](const auto& edge) { return edge.from + 1 == edge.to; });
  return is_chain || nodes.empty() ? std::nullopt : std::optional(edges);
}

std::vector<std::vector<std::uint32_t>> paths_of(const std::vector<spec::GraphEdge>& edges) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> left;  // by `from`, the largest `to` first
  for (const spec::GraphEdge& edge : edges) left[edge.from].push_back(edge.to);
  for (auto& [from, tos] : left) std::sort(tos.begin(), tos.end(), std::greater<>());
  std::vector<std::vector<std::uint32_t>> paths;
  while (!left.empty()) {
    std::vector<std::uint32_t>& path = paths.emplace_back(1, left.begin()->first);
    for (auto at = left.find(path.back()); at != left.end(); at = left.find(path.back())) {
      path.push_back(at->second.back());
      at->second.pop_back();
      if (at->second.empty()) left.erase(at);
    }
  }
  return paths;
}

}  // namespace tessera::importer
