// SPDX-License-Identifier: Apache-2.0
// A count of unfinished predecessors a node.
#include "tlm/command_dispatcher/graph_progress.h"

namespace tessera::tlm_model {

GraphProgress::GraphProgress(std::shared_ptr<const GraphWork> graph)
    : graph_(std::move(graph)), num_ahead_(graph_->num_ahead), num_left_(graph_->num_ahead.size()) {
  for (std::uint32_t node = 0; node < num_left_; ++node) {
    if (!is_launch(node)) continue;
    ++num_to_send_;
    num_at_work_ += num_ahead_[node] == 0 ? 1 : 0;
  }
}

std::vector<std::uint32_t> GraphProgress::roots() const {
  std::vector<std::uint32_t> roots;
  for (std::uint32_t i = 0; i < num_ahead_.size(); ++i) {
    if (num_ahead_[i] == 0) roots.push_back(i);
  }
  return roots;
}

bool GraphProgress::begins_with_launch(const GraphWork& graph) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (graph.num_ahead[i] == 0 && is_launch(graph.nodes[i])) return true;
  }
  return false;
}

std::vector<std::uint32_t> GraphProgress::done(std::uint32_t node) {
  --num_left_;
  num_at_work_ -= is_launch(node) ? 1 : 0;
  std::vector<std::uint32_t> ready;
  for (const std::uint32_t next : graph_->behind[node]) {
    if (--num_ahead_[next] > 0) continue;
    ready.push_back(next);
    num_at_work_ += is_launch(next) ? 1 : 0;
  }
  return ready;
}

}  // namespace tessera::tlm_model
