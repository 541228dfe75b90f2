// SPDX-License-Identifier: Apache-2.0
// What a process submits: a launch, a copy, or a graph of both.
#pragma once

#include <cstdint>
#include <vector>

#include "tessera/command_format.h"

namespace tessera::tlm_model {

// Memory image of a graph.
struct GraphImage {
  std::vector<GraphNode> nodes;
  std::vector<GraphEdgeWords> edges;

  std::uint64_t bytes() const {
    return sizeof(GraphHeader) + nodes.size() * sizeof(GraphNode) + edges.size() * sizeof(GraphEdgeWords);
  }
};

struct Work {
  Command command;                           // the driver fills in context, descriptor and graph address
  const KernelDescriptor* kernel = nullptr;  // of a launch
  const GraphImage* graph = nullptr;         // of a graph
};

}  // namespace tessera::tlm_model
