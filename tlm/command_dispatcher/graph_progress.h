// SPDX-License-Identifier: Apache-2.0
// Progress of a graph: which of its nodes are done, and which may begin.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "tlm/command_dispatcher/fetched_command.h"

namespace tessera::tlm_model {

class GraphProgress {
 public:
  explicit GraphProgress(std::shared_ptr<const GraphWork> graph);

  const NodeCommand& node(std::uint32_t number) const { return graph_->nodes[number]; }
  // Nodes without predecessors, in order.
  std::vector<std::uint32_t> roots() const;
  static bool begins_with_launch(const GraphWork& graph);  // among others
  // A node has gone to its engine.
  void sent(std::uint32_t node) { num_to_send_ -= is_launch(node) ? 1 : 0; }
  // Marks a node as done and returns the nodes that may begin now, in order.
  std::vector<std::uint32_t> done(std::uint32_t node);
  bool is_over() const { return num_left_ == 0; }
  // A launch that has not gone to its engine yet; one that may begin or has begun, and is not done.
  bool has_launch_to_send() const { return num_to_send_ > 0; }
  bool has_launch_at_work() const { return num_at_work_ > 0; }

 private:
  static bool is_launch(const NodeCommand& node) { return std::holds_alternative<LaunchCommand>(node); }
  bool is_launch(std::uint32_t number) const { return is_launch(node(number)); }

  std::shared_ptr<const GraphWork> graph_;
  std::vector<std::uint32_t> num_ahead_;  // by node: not done yet
  std::size_t num_left_;
  std::size_t num_to_send_ = 0;  // launches
  std::size_t num_at_work_ = 0;  // launches
};

}  // namespace tessera::tlm_model
