// SPDX-License-Identifier: Apache-2.0
// Front end: a graph comes in from system memory, its header first, then its nodes and edges.
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "tlm/command_dispatcher/graph_progress.h"
#include "tlm/front_end/front_end.h"

namespace tessera::tlm_model {

// None, and reported: it cannot be carried out.
std::shared_ptr<const GraphWork> FrontEnd::read_graph(const Command& command, QueueId id) {
  // 1. Its size, and whether that can be.
  const auto read = [&](std::uint64_t offset, void* data, std::uint64_t bytes) {
    return access_system_memory(::tlm::TLM_READ_COMMAND, command.source + offset, data, bytes);
  };
  GraphHeader header;
  bool is_read = read(0, &header, sizeof(header));
  const bool is_known =
      header.num_nodes > 0 && header.num_nodes <= kMaxGraphNodes && header.num_edges <= kMaxGraphEdges;
  // 2. Nodes and edges.
  std::vector<GraphNode> nodes(is_read && is_known ? header.num_nodes : 0);
  std::vector<GraphEdgeWords> edges(is_read && is_known ? header.num_edges : 0);
  const std::uint64_t node_bytes = nodes.size() * sizeof(GraphNode);
  if (!nodes.empty()) is_read = read(sizeof(header), nodes.data(), node_bytes);
  if (is_read && !edges.empty()) {
    is_read = read(sizeof(header) + node_bytes, edges.data(), edges.size() * sizeof(GraphEdgeWords));
  }
  if (!is_read || !is_known) {
    report_error(is_read ? reg::ErrorCode::kBadGraph : reg::ErrorCode::kBadAddress, id);
    return nullptr;
  }
  // 3. Decoded; a node that is not good spoils the whole.
  auto graph = std::make_shared<GraphWork>();
  graph->behind.resize(nodes.size());
  graph->num_ahead.resize(nodes.size(), 0);
  for (const GraphNode& node : nodes) {
    if (!decode_node(node, ContextId(command.context), id, *graph)) return nullptr;
  }
  for (const GraphEdgeWords& edge : edges) {
    if (edge.from >= edge.to || edge.to >= nodes.size()) {
      report_error(reg::ErrorCode::kBadGraph, id);
      return nullptr;
    }
    graph->behind[edge.from].push_back(edge.to);
    ++graph->num_ahead[edge.to];
  }
  return graph;
}

// Behind those that the graph has; false where it cannot be.
bool FrontEnd::decode_node(const GraphNode& node, ContextId context, QueueId id, GraphWork& graph) {
  const auto number = static_cast<std::uint32_t>(graph.nodes.size());
  if (node.command.opcode == Opcode::kCopy) {
    auto copy = decode_copy(node.command, id);
    if (!copy) return false;
    copy->node = number;
    graph.nodes.emplace_back(*copy);
    return true;
  }
  if (node.command.opcode != Opcode::kLaunch || node.kernel.loop_program != 0) {
    report_error(reg::ErrorCode::kBadGraph, id);
    return false;
  }
  if (!is_kernel_good(node.command, node.kernel, id)) return false;
  auto launch = decode_launch(node.command, node.kernel, context, id);
  if (!launch) return false;
  launch->launch.node = number;
  graph.nodes.emplace_back(std::move(*launch));
  return true;
}

}  // namespace tessera::tlm_model
