// SPDX-License-Identifier: Apache-2.0
// A vote among the rounds, and as few names as there are events on their way at the same time.
#include "importer/event_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace tessera::importer {
namespace {

class Planner {
 public:
  Planner(const std::vector<Repeated>& tree, const HostProgram& program)
      : program_(program), position_of_(program.steps.size(), 0) {
    number(tree);
  }

  EventPlan run() {
    for (const HostProgram::StepDependency& each : program_.dependencies) {
      ++votes_[position_of_[each.later]][position_of_[each.earlier]];
    }
    for (const auto& [later, votes] : votes_) {
      std::size_t all = 0;
      for (const auto& [earlier, count] : votes) all += count;
      if (2 * all <= positions_[later]->num_rounds) continue;
      const std::uint32_t earlier = most_of(votes);
      const std::string event = name(earlier, later, std::to_string(step(later).stream));
      plan_.records_after.emplace(positions_[earlier]->members.front(), event);
      plan_.waits_before.emplace(positions_[later]->members.front(), event);
    }
    plan_host_waits();
    return std::move(plan_);
  }

 private:
  using Votes = std::map<std::uint32_t, std::size_t>;

  void number(const std::vector<Repeated>& tree) {
    for (const Repeated& each : tree) {
      if (!each.body.empty()) {
        number(each.body);
        continue;
      }
      for (const std::uint32_t i : each.members) position_of_[i] = static_cast<std::uint32_t>(positions_.size());
      positions_.push_back(&each);
    }
  }

  const Step& step(std::uint32_t position) const { return program_.steps[positions_[position]->members.front()]; }

  static std::uint32_t most_of(const Votes& votes) {
    return std::max_element(votes.begin(), votes.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
  }

  void plan_host_waits() {
    for (std::uint32_t later = 0; later < positions_.size(); ++later) {
      if (step(later).kind != StepKind::kSynchroniseEvent) continue;
      Votes votes;
      for (const std::uint32_t i : positions_[later]->members) ++votes[position_of_[program_.steps[i].awaited]];
      const std::uint32_t earlier = most_of(votes);
      const std::string event = name(earlier, later, "host");
      plan_.records_after.emplace(positions_[earlier]->members.front(), event);
      plan_.awaited.emplace(positions_[later]->members.front(), event);
    }
  }

  // One that is not on its way between the two positions already.
  std::string name(std::uint32_t earlier, std::uint32_t later, const std::string& to) {
    const std::string base = fmt::format("stream{}_to_{}", step(earlier).stream, to);
    const std::uint32_t until = later > earlier ? later : std::numeric_limits<std::uint32_t>::max();
    for (int number = 1;; ++number) {
      const std::string candidate = number == 1 ? base : fmt::format("{}_{}", base, number);
      std::vector<std::pair<std::uint32_t, std::uint32_t>>& taken = taken_[candidate];
      const bool is_free = std::none_of(
          taken.begin(), taken.end(), [&](const auto& other) { return earlier < other.second && other.first < until; });
      if (!is_free) continue;
      taken.emplace_back(earlier, until);
      return candidate;
    }
  }

  const HostProgram& program_;
  std::vector<std::uint32_t> position_of_;  // by step
  std::vector<const Repeated*> positions_;
  std::map<std::uint32_t, Votes> votes_;
  std::map<std::string, std::vector<std::pair<std::uint32_t, std::uint32_t>>> taken_;
  EventPlan plan_;
};

}  // namespace

EventPlan plan_events(const std::vector<Repeated>& tree, const HostProgram& program) {
  return Planner(tree, program).run();
}

}  // namespace tessera::importer
