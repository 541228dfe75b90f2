// SPDX-License-Identifier: Apache-2.0
// Counts by list and task, so that a chain of hundreds of groups costs a check no more than one group.
#include "model/command_scheduling/online_list.h"

#include <algorithm>

namespace tessera::command_scheduling {
namespace {

bool is_on(std::uint8_t lists, std::size_t list) { return (lists >> list & 1) != 0; }

}  // namespace

OnlineGroup& OnlineList::add(TaskId task, std::uint8_t lists) {
  if (spare_.empty()) spare_.emplace_back();
  groups_.splice(groups_.end(), spare_, spare_.begin());
  OnlineGroup& group = groups_.back();
  group.task = task;
  group.lists = lists;
  group.charged = 0;
  for (std::size_t list = 0; list < kNumLists; ++list) num_on_[list] += is_on(lists, list);
  ++num_of_[static_cast<std::size_t>(task)][lists];
  return group;
}

OnlineGroup& OnlineList::find(GroupId group) {
  return *std::find_if(groups_.begin(), groups_.end(), [&](const OnlineGroup& each) { return each.group == group; });
}

void OnlineList::remove(GroupId group) {
  const auto found =
      std::find_if(groups_.begin(), groups_.end(), [&](const OnlineGroup& each) { return each.group == group; });
  for (std::size_t list = 0; list < kNumLists; ++list) num_on_[list] -= is_on(found->lists, list);
  --num_of_[static_cast<std::size_t>(found->task)][found->lists];
  spare_.splice(spare_.end(), groups_, found);
}

// ---- who is there ----------------------------------------------------------------------------------------------

bool OnlineList::is_idle(std::uint8_t lists) const {
  for (std::size_t list = 0; list < kNumLists; ++list) {
    if (is_on(lists, list) && num_on_[list] != 0) return false;
  }
  return true;
}

std::size_t OnlineList::num_of(TaskId task, std::uint8_t lists) const {
  const auto& counts = num_of_[static_cast<std::size_t>(task)];
  std::size_t sum = 0;
  for (std::size_t on = 0; on < counts.size(); ++on) sum += (on & lists) != 0 ? counts[on] : 0;
  return sum;
}

// The most urgent of a list that is not idle.
const OnlineGroup& OnlineList::last(std::size_t list) const {
  return *std::find_if(groups_.rbegin(), groups_.rend(),
                       [&](const OnlineGroup& each) { return is_on(each.lists, list); });
}

std::uint32_t OnlineList::highest_priority(std::uint8_t lists) const {
  std::uint32_t highest = 0;
  for (std::size_t list = 0; list < kNumLists; ++list) {
    if (is_on(lists, list) && num_on_[list] != 0) highest = std::max(highest, last(list).priority);
  }
  return highest;
}

bool OnlineList::has_other(TaskId task, std::uint32_t least_priority, std::uint8_t lists) const {
  for (std::size_t list = 0; list < kNumLists; ++list) {
    if (!is_on(lists, list) || num_on_[list] == 0) continue;
    if (last(list).task != task && last(list).priority >= least_priority) return true;
  }
  return false;
}

// ---- time ------------------------------------------------------------------------------------------------------

Cycle OnlineList::take_time(const OnlineGroup& group, Cycle until) {
  Cycle from = group.submitted;
  for (std::size_t list = 0; list < kNumLists; ++list) {
    if (is_on(group.lists, list)) from = std::max(from, counted_until_[list]);
  }
  for (std::size_t list = 0; list < kNumLists; ++list) {
    if (is_on(group.lists, list)) counted_until_[list] = std::max(counted_until_[list], until);
  }
  return until > from ? until - from : 0;
}

OnlineGroup* OnlineList::first_of_highest(std::size_t list) {
  if (num_on_[list] == 0) return nullptr;
  const std::uint32_t highest = last(list).priority;
  return &*std::find_if(groups_.begin(), groups_.end(),
                        [&](const OnlineGroup& each) { return is_on(each.lists, list) && each.priority == highest; });
}

bool OnlineList::is_first_on_all(const OnlineGroup& group, const std::array<OnlineGroup*, kNumLists>& firsts) {
  for (std::size_t list = 0; list < kNumLists; ++list) {
    if (is_on(group.lists, list) && firsts[list] != &group) return false;
  }
  return true;
}

}  // namespace tessera::command_scheduling
