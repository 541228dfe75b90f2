// SPDX-License-Identifier: Apache-2.0
#include "model/command_scheduling/run_list.h"

#include <algorithm>

namespace tessera::command_scheduling {

int highest_ready(const std::vector<std::uint32_t>& priorities, const std::vector<bool>& is_ready) {
  int highest = -1;
  for (std::size_t i = 0; i < priorities.size(); ++i) {
    if (is_ready[i]) highest = std::max(highest, static_cast<int>(priorities[i]));
  }
  return highest;
}

bool RunList::set_ready(TaskId task, bool is_ready) {
  is_ready_[static_cast<std::size_t>(task)] = is_ready;
  return wanted() != is_listed_;
}

std::vector<RunList::Change> RunList::update() {
  const std::vector<bool> listed = wanted();
  std::vector<Change> changes;
  for (const bool comes : {false, true}) {
    for (std::size_t i = 0; i < listed.size(); ++i) {
      if (listed[i] == comes && is_listed_[i] != comes) changes.push_back({TaskId(i), comes});
    }
  }
  is_listed_ = listed;
  return changes;
}

std::vector<bool> RunList::wanted() const {
  const int highest = highest_ready(priorities_, is_ready_);
  std::vector<bool> listed(priorities_.size());
  for (std::size_t i = 0; i < listed.size(); ++i) {
    listed[i] = is_ready_[i] && static_cast<int>(priorities_[i]) == highest;
  }
  return listed;
}

}  // namespace tessera::command_scheduling
