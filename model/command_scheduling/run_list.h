// SPDX-License-Identifier: Apache-2.0
// Which tasks may use the GPU where a driver changes the GPU's run list (GCAPS, ECRTS 2024): of those that have GPU
// work, the ones of the highest priority.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "model/command_scheduling/task.h"

namespace tessera::command_scheduling {

// The highest priority of the tasks that are ready; -1: none is.
int highest_ready(const std::vector<std::uint32_t>& priorities, const std::vector<bool>& is_ready);

class RunList {
 public:
  // By task; larger is more urgent. Tasks of equal priority share the GPU.
  explicit RunList(std::vector<std::uint32_t> priorities)
      : priorities_(std::move(priorities)), is_ready_(priorities_.size()), is_listed_(priorities_.size()) {}

  // Does the list change? It does so when update() is called, with all that has happened by then.
  bool set_ready(TaskId task, bool is_ready);
  struct Change {
    TaskId task;
    bool is_listed;
  };
  // Those that leave the list first, then those that come.
  std::vector<Change> update();

  bool is_ready(TaskId task) const { return is_ready_[static_cast<std::size_t>(task)]; }
  bool is_listed(TaskId task) const { return is_listed_[static_cast<std::size_t>(task)]; }

 private:
  std::vector<bool> wanted() const;

  std::vector<std::uint32_t> priorities_;
  std::vector<bool> is_ready_;
  std::vector<bool> is_listed_;
};

}  // namespace tessera::command_scheduling
