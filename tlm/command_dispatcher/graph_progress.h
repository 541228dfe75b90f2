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
  explicit GraphProgress(std::shared_ptr<const GraphWork> graph)
      : graph_(std::move(graph)), num_ahead_(graph_->num_ahead), num_left_(graph_->num_ahead.size()) {}

  const NodeCommand& node(std::uint32_t number) const { return graph_->nodes[number]; }
  // Nodes without predecessors, in order.
  std::vector<std::uint32_t> roots() const;
  // Marks a node as done and returns the nodes that may begin now, in order.
  std::vector<std::uint32_t> done(std::uint32_t node);
  bool is_over() const { return num_left_ == 0; }

 private:
  std::shared_ptr<const GraphWork> graph_;
  std::vector<std::uint32_t> num_ahead_;  // by node: not done yet
  std::size_t num_left_;
};

}  // namespace tessera::tlm_model
