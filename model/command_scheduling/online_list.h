// SPDX-License-Identifier: Apache-2.0
// The submitted groups that are not known to be done, on one list or on one per engine, and the wall time of each
// ([K11] 4, 5.2; docs/concepts/readings.md, TimeGraph).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <vector>

#include "model/base/time.h"
#include "model/command_scheduling/group_key.h"
#include "model/command_scheduling/task.h"

namespace tessera::command_scheduling {

struct OnlineGroup {
  TaskId task{};
  GroupId group = 0;
  std::uint32_t priority = 0;
  std::uint8_t lists = 0;     // bits
  bool was_switched = false;  // the previously submitted group was another task's
  Cycle submitted = 0;
  Cycle charged = 0;  // so far
  GroupKey key;
};

// On each list, priorities never decrease in order of submission, and equal ones belong to one task: see
// TimeGraph::may_take_turn and may_join_own.
class OnlineList {
 public:
  void add_task() { num_of_.emplace_back(); }

  // Adds a group; the caller fills in the remaining fields.
  OnlineGroup& add(TaskId task, std::uint8_t lists);
  OnlineGroup& find(GroupId group);
  void remove(GroupId group);

  std::size_t size() const { return groups_.size(); }
  bool is_idle(std::uint8_t lists) const;
  std::size_t num_of(TaskId task, std::uint8_t lists) const;
  // The lists must not all be idle.
  std::uint32_t highest_priority(std::uint8_t lists) const;
  // Whether another task has a group of at least this priority on these lists.
  bool has_other(TaskId task, std::uint32_t least_priority, std::uint8_t lists) const;

  // Wall time on the group's lists since its submission that has not been charged to anyone; marks it as charged.
  Cycle take_time(const OnlineGroup& group, Cycle until);
  // Visits the groups that have the GPU: those that are first among the most urgent on all of their lists.
  template <typename Visit>
  void for_each_running(const Visit& visit) {
    const std::array<OnlineGroup*, kNumLists> firsts = {first_of_highest(0), first_of_highest(1)};
    for (OnlineGroup* group : firsts) {
      if (group != nullptr && is_first_on_all(*group, firsts)) visit(*group);
      if (firsts[0] == firsts[1]) break;  // once
    }
  }

 private:
  static constexpr std::size_t kNumLists = 2;
  using Groups = std::list<OnlineGroup>;

  const OnlineGroup& last(std::size_t list) const;
  OnlineGroup* first_of_highest(std::size_t list);  // nullptr: idle
  static bool is_first_on_all(const OnlineGroup& group, const std::array<OnlineGroup*, kNumLists>& firsts);

  Groups groups_;  // in order of submission
  Groups spare_;   // unused nodes that keep their keys' memory, to avoid allocation
  std::array<std::size_t, kNumLists> num_on_{};
  std::array<Cycle, kNumLists> counted_until_{};
  std::vector<std::array<std::uint32_t, 1 << kNumLists>> num_of_;  // by task and `lists`
};

}  // namespace tessera::command_scheduling
