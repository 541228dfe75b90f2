// SPDX-License-Identifier: Apache-2.0
// What of a graph waited for what, as far as its recorded times tell.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "importer/profile.h"
#include "model/spec/application_spec.h"

namespace tessera::importer {

struct Interval {
  Nanoseconds start = 0;
  Nanoseconds end = 0;
};

// Nodes by start. One that began when another had ended waited for it; those that overlapped are branches beside each
// other. Only edges that no others imply. None: a chain.
std::optional<std::vector<spec::GraphEdge>> edges_of(const std::vector<Interval>& nodes);

// The same edges as few paths, each a list of nodes.
std::vector<std::vector<std::uint32_t>> paths_of(const std::vector<spec::GraphEdge>& edges);

}  // namespace tessera::importer
