// SPDX-License-Identifier: Apache-2.0
// Edges of a graph from the times of its nodes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "importer/graph_edges.h"

namespace tessera::importer::test {
namespace {

using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

Pairs pairs_of(const std::vector<Interval>& nodes) {
  Pairs pairs;
  const std::optional<std::vector<spec::GraphEdge>> edges = edges_of(nodes);
  for (const spec::GraphEdge& edge : edges.value()) pairs.emplace(edge.from, edge.to);
  return pairs;
}

TEST(GraphEdges, NodesThatFollowEachOtherAreAChain) {
  EXPECT_FALSE(edges_of({{0, 10'000}, {10'400, 20'000}, {20'400, 30'000}}));
  EXPECT_FALSE(edges_of({{0, 10'000}}));
}

TEST(GraphEdges, StampsThatOverlapByLessThanAGrainAreNoBranches) {
  EXPECT_FALSE(edges_of({{0, 10'000}, {9'600, 20'000}, {19'999, 30'000}}));
}

TEST(GraphEdges, WhatOverlapsIsBesideEachOther) {
  // 0 -> {1, 2} -> 3
  EXPECT_EQ(pairs_of({{0, 10'000}, {11'000, 30'000}, {12'000, 50'000}, {51'000, 60'000}}),
            (Pairs{{0, 1}, {0, 2}, {1, 3}, {2, 3}}));
}

TEST(GraphEdges, WhatOthersImplyIsNoEdge) {
  // 2 runs beside 0 -> 1 -> 3; 4 waits for 2 and 3, and by them for all.
  EXPECT_EQ(pairs_of({{0, 10'000}, {11'000, 20'000}, {12'000, 90'000}, {21'000, 80'000}, {91'000, 95'000}}),
            (Pairs{{0, 1}, {0, 2}, {1, 3}, {2, 4}, {3, 4}}));
}

TEST(GraphEdges, PathsAreTheEdgesAgain) {
  const std::vector<spec::GraphEdge> edges = {{0, 1}, {0, 2}, {1, 3}, {2, 4}, {3, 4}};
  const auto paths = paths_of(edges);
  Pairs found;
  for (const std::vector<std::uint32_t>& path : paths) {
    EXPECT_GE(path.size(), 2U);
    EXPECT_TRUE(std::is_sorted(path.begin(), path.end()));
    for (std::size_t i = 1; i < path.size(); ++i) EXPECT_TRUE(found.emplace(path[i - 1], path[i]).second);
  }
  EXPECT_EQ(found, (Pairs{{0, 1}, {0, 2}, {1, 3}, {2, 4}, {3, 4}}));
  EXPECT_EQ(paths.size(), 2U);
}

}  // namespace
}  // namespace tessera::importer::test
