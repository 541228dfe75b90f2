// SPDX-License-Identifier: Apache-2.0
// A log does not tell which engines a group needs: with a list for each of them only what holds for all is asked.
#include "model/record/checks/driver/driver_order.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/record/numbers.h"

namespace tessera::record::driver_check {
namespace {

bool is_submitted(const std::vector<Record>& submitted, std::uint16_t process) {
  return std::any_of(submitted.begin(), submitted.end(), [&](const Record& each) { return each.process == process; });
}

}  // namespace

void OrderRules::judge_turns(const std::vector<Record>& submitted) const {
  for (const Record& record : submitted) {
    judge_head(record, submitted);
    if (state_.facts.has_online_list_per_engine) continue;
    for (std::size_t i = 0; i < state_.waiting.size(); ++i) {
      const auto other = static_cast<std::uint16_t>(i);
      if (is_submitted(submitted, other) || !state_.is_ready(other)) continue;
      if (state_.task(other).priority <= state_.task(record.process).priority) continue;
      complain_(Rule::kOrder, record, fmt::format("process {} is more urgent, and ready", other));
    }
  }
}

// Nobody who stands before it in the queue of its reserve stays behind.
void OrderRules::judge_head(const Record& record, const std::vector<Record>& submitted) const {
  const auto reserve = state_.facts.reserve_of(record.process);
  if (!reserve) return;
  for (std::size_t i = 0; i < state_.waiting.size(); ++i) {
    const auto other = static_cast<std::uint16_t>(i);
    if (!state_.waiting[i] || state_.facts.reserve_of(other) != reserve || is_submitted(submitted, other)) continue;
    const std::uint32_t priority = state_.task(other).priority;
    const std::uint32_t own = state_.task(record.process).priority;
    if (priority < own || (priority == own && state_.waiting[i]->group > number::group(record))) continue;
    complain_(Rule::kOrder, record, fmt::format("process {} stands before it in their reserve", other));
  }
}

void OrderRules::judge_company(const Record& submitted) const {
  if (state_.facts.has_online_list_per_engine) return;
  const command_scheduling::TaskParameters& task = state_.task(submitted.process);
  // 1. Others: none, or less urgent ones that the hardware preempts.
  std::size_t num_own = 0;
  for (const OnlineGroup& group : state_.online) {
    num_own += group.process == submitted.process ? 1 : 0;
    if (group.process == submitted.process) continue;
    if (state_.facts.lets_higher_join && state_.task(group.process).priority < task.priority) continue;
    complain_(Rule::kOrder, submitted, fmt::format("a group of process {} is online", group.process));
    return;
  }
  // 2. Its own.
  const bool is_chain = task.dispatch == command_scheduling::Dispatch::kHt;
  const std::size_t most = is_chain ? state_.facts.max_online : 1;
  if (num_own <= most) return;
  complain_(Rule::kOrder, submitted, fmt::format("{} groups are online, {} may be", num_own, most));
}

void OrderRules::judge_idleness(const Record& record) const {
  if (!state_.online.empty()) return;
  for (std::size_t i = 0; i < state_.waiting.size(); ++i) {
    const auto process = static_cast<std::uint16_t>(i);
    if (!state_.is_ready(process)) continue;
    complain_(Rule::kOrder, record, fmt::format("nothing is online, and process {} is ready", process));
    return;
  }
}

}  // namespace tessera::record::driver_check
