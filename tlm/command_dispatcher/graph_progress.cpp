// SPDX-License-Identifier: Apache-2.0
// A count of unfinished predecessors a node.
#include "tlm/command_dispatcher/graph_progress.h"

namespace tessera::tlm_model {

std::vector<std::uint32_t> GraphProgress::roots() const {
  std::vector<std::uint32_t> roots;
  for (std::uint32_t i = 0; i < num_ahead_.size(); ++i) {
    if (num_ahead_[i] == 0) roots.push_back(i);
  }
  return roots;
}

std::vector<std::uint32_t> GraphProgress::done(std::uint32_t node) {
  --num_left_;
  std::vector<std::uint32_t> ready;
  for (const std::uint32_t next : graph_->behind[node]) {
    if (--num_ahead_[next] == 0) ready.push_back(next);
  }
  return ready;
}

}  // namespace tessera::tlm_model
